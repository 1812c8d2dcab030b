/* SPDX-License-Identifier: Apache-2.0 */
#include "artifact_print.h"

#include "terminal.h"

void artifact_say_trouble(const rg_artifact_result *result)
{
	for (size_t i = 0; i < result->source.files.refused_count; i++)
		terminal_say("%s", result->source.refusals[i]);
	for (size_t i = 0; i < result->check.problem_count; i++)
		terminal_say("%s", result->check.problems[i]);
}

static void print_count(FILE *out, size_t count, const char *what, const char *after)
{
	fprintf(out, "%zu %s%s%s", count, what, count == 1 ? "" : "s", after);
}

void artifact_print_counts(const rg_artifact_check *check, FILE *out)
{
	print_count(out, check->flows, "flow", ", ");
	print_count(out, check->models, "model", ", ");
	print_count(out, check->inputs, "input", ", ");
	print_count(out, check->outputs, "output", "");
}
