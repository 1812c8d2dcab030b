/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_CHOOSE_RUN_H
#define REGILD_FLOW_CHOOSE_RUN_H

#include "base/optional.h"
#include "flow/open_source.h"

/* The right run, for who does not know its number. */
typedef struct {
	rg_optional_integer pull; /* of the head of that pull or merge request */
	const char *commit;       /* of that revision, or whole SHA */
	bool latest;              /* of `branch`; NULL: of the branch that is checked out */
	const char *branch;
	const char *workflow; /* a file's path or name; NULL: regild.workflow, else any */
	bool unfinished;      /* one that is still going will do */
	bool cannot_wait;     /* the command has no --wait to be named in messages */
} rg_run_choice;

/* Is it said which run? */
bool rg_run_choice_is_made(const rg_run_choice *choice);
/* RG_E_USAGE where the parts of the choice contradict each other, or the option `other` (NULL:
 * none) that names where the goldens are. */
RG_CHECKED rg_error *rg_run_choice_check(const rg_run_choice *choice, const char *other);

/* Chooses among the newest runs of several workflows: *out is one's place. */
typedef rg_error *rg_run_choose_fn(void *context, const rg_run_list *list, size_t *out);

/*
 * The newest run that fits, of the one workflow that it is about. Where runs of several fit and
 * none is named, `choose` decides; without it (NULL) that is RG_E_USAGE, with the workflows.
 * RG_E_NOTFOUND where no run fits. The log hears which run it is.
 */
RG_CHECKED rg_error *rg_flow_choose_run(uint64_t *id, const rg_flow *flow, rg_source *source,
					const rg_run_choice *choice, rg_run_choose_fn *choose,
					void *context);

/* Says with -v how many runs a list has left out because they are of forks. */
void rg_flow_say_forks(const rg_flow *flow, const rg_run_list *list);
/* The name of the workflow's file, as lists of runs want it: of --workflow, else of
 * regild.workflow; NULL: any. RG_E_USAGE where it names no file. */
RG_CHECKED rg_error *rg_flow_workflow(const char **out, const rg_flow *flow, const char *given);
/* A revision as the whole SHA that CI knows; a whole SHA need not be in the repository. */
RG_CHECKED rg_error *rg_flow_commit(char out[41], const rg_flow *flow, const char *revision);

#endif
