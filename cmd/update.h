#ifndef REGILD_CMD_UPDATE_H
#define REGILD_CMD_UPDATE_H

#include "base/memory.h"
#include "command.h"
#include "update/journal.h"

#include <stdint.h>

/* What decides which staged goldens go in, and how: shared by `update` and `refresh`. */
typedef struct {
	bool dry_run;
	bool interactive;
	bool stage;
	option_texts only, except; /* globs on tests, files or metrics */
	option_texts metrics;      /* --metric: splice only these into the old file */
	option_texts allow;        /* nonfinite, shrink, empty, dirty */
} update_arguments;

/* An option_group's table; its offsets lead into update_arguments. */
extern const option update_options[];

/* What became of the staged goldens. `arena` owns the paths. */
typedef struct {
	size_t updated, created, unchanged;
	size_t held;        /* held back by a guard: exit code 4 */
	size_t left_out;    /* by --only, --except, --metric or in the review */
	const char **paths; /* of the updated and created ones (with --dry-run: of those that would
			       be), from the repository's root, in path-component order */
	size_t path_count, path_capacity;
	rg_arena arena;
} update_result;

void update_result_init(update_result *result);
void update_result_release(update_result *result);

/* RG_E_USAGE where these arguments can be told to be wrong before anything is staged. */
RG_CHECKED rg_error *update_check(const update_arguments *arguments);

/*
 * Puts what is staged in `staging_dir` (a folder with manifest.json) into the working tree,
 * printing the plan and what was done on stdout. Sets env->exit_code to EXIT_PARTIAL where a guard
 * held something back. On an error nothing was changed, or the message says how to recover.
 */
RG_CHECKED rg_error *update_run(environment *env, const update_arguments *arguments,
				const char *staging_dir, update_result *out);

/* Says why a part is missing, the goldens being in the tree, and sets env->exit_code to
 * EXIT_PARTIAL. `err` is freed; NULL: nothing is missing. */
void update_miss(environment *env, rg_error *err);

/*
 * Opens the journal of the environment's working tree; *out is the caller's to close. With `lock`
 * it is taken, and RG_E_CONFLICT comes back where an interrupted update is pending; else that is a
 * warning.
 */
RG_CHECKED rg_error *update_open_journal(environment *env, bool lock, rg_journal **out);
/* RG_E_CONFLICT where an interrupted update is pending, for who has much to do in front of one. */
RG_CHECKED rg_error *update_refuse_pending(environment *env);
/* A warning, once, where an update was interrupted and is pending: main asks it for every command.
 */
RG_CHECKED rg_error *update_warn_pending(environment *env);

/* The default staging folder of a run, GITDIR/regild/runs/ID; *out is the caller's to free. */
RG_CHECKED rg_error *update_staging_dir(const environment *env, uint64_t run_id, char **out);

#endif
