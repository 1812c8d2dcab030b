#include "interactive.h"

rg_error *interactive_review(environment *env, rg_plan *plan)
{
	(void)env;
	(void)plan;
	return usage_error("--interactive needs a terminal");
}
