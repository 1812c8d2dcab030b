#include "audit.h"

#include "source/paths.h"
#include "source/versions.h"
#include "worktree/versions.h"

#include <stdlib.h>
#include <string.h>

const option audit_source_options[] = {
	{0, "runs", "ID,ID...", OPTION_TEXTS, offsetof(audit_source_arguments, runs),
	 "these runs (ids or URLs); may be repeated", NULL, 0, 0},
	{0, "workflow", "FILE", OPTION_TEXT, offsetof(audit_source_arguments, workflow),
	 "the newest completed runs of a workflow", NULL, 0, 0},
	{0, "last", "N", OPTION_INTEGER, offsetof(audit_source_arguments, last),
	 "with --workflow: so many of them (default 30)", NULL, 1, 1000000},
	{0, "branch", "B", OPTION_TEXT, offsetof(audit_source_arguments, branch),
	 "with --workflow: of this branch", NULL, 0, 0},
	{0, "event", "E", OPTION_TEXT, offsetof(audit_source_arguments, event),
	 "with --workflow: started by this event", NULL, 0, 0},
	{0, "since", "DATE", OPTION_TEXT, offsetof(audit_source_arguments, since),
	 "with --workflow: created on DATE or later", NULL, 0, 0},
	{0, "max-wait", "SECONDS", OPTION_INTEGER, offsetof(audit_source_arguments, max_wait),
	 "give up rather than wait longer for a rate limit (default: 900)", NULL, 0, 86400},
	{'n', "dry-run", NULL, OPTION_FLAG, offsetof(audit_source_arguments, dry_run),
	 "with --runs or --workflow: show which runs, and stop", NULL, 0, 0},
	{0, "history", "REV..REV", OPTION_TEXT, offsetof(audit_source_arguments, history),
	 "the versions that git has of each golden, a run a commit", NULL, 0, 0},
	{0, "from", "PATH", OPTION_TEXTS, offsetof(audit_source_arguments, from),
	 "folders or files, one a run, in order (--from A B or --from A --from B)", NULL, 0, 0},
	{0},
};

static void free_paths(void *owner)
{
	rg_path_runs_free(owner);
}

static rg_error *open_paths(audit_runs *out, environment *env, const option_texts *from)
{
	size_t count = from->count + (size_t)env->operand_count;
	const char **paths = calloc(count, sizeof(*paths));
	const char *pattern = rg_config_get(env->config, "regild.files");
	rg_path_runs *runs = NULL;
	rg_error *err;

	if (!paths)
		return rg_error_nomem();
	memcpy(paths, from->items, from->count * sizeof(*paths));
	if (env->operand_count)
		memcpy(paths + from->count, env->operands,
		       (size_t)env->operand_count * sizeof(*paths));
	err = rg_path_runs_open(&runs, paths, count, pattern ? pattern : "golden_values*.json",
				&out->formats.options);
	free(paths);
	if (err)
		return err;
	out->source = rg_path_runs_source(runs, out->golden_max);
	out->owner = runs;
	out->free = free_paths;
	return NULL;
}

static void free_versions(void *owner)
{
	rg_version_runs_free(owner);
}

static rg_error *open_history(audit_runs *out, environment *env, const char *range)
{
	rg_version_runs *runs = NULL;

	RG_TRY(environment_need_worktree(env));
	RG_TRY(rg_version_runs_open(
		&runs, env->worktree, range, rg_config_get(env->config, "regild.root"),
		rg_config_get(env->config, "regild.files"), &out->formats.options));
	if (rg_worktree_is_shallow(env->worktree))
		rg_log_say(&env->log, RG_LOG_WARNING,
			   "this clone is shallow, and older versions are not in it; 'git fetch "
			   "--unshallow' gets them");
	out->source = rg_version_runs_source(runs, out->golden_max);
	out->owner = runs;
	out->free = free_versions;
	return NULL;
}

rg_error *audit_open_runs(audit_runs *out, environment *env,
			  const audit_source_arguments *arguments)
{
	int sources = (arguments->from.count > 0) + (arguments->history != NULL) +
		      (arguments->workflow != NULL) + (arguments->runs.count > 0);
	bool narrowed = arguments->last.given || arguments->branch || arguments->event ||
			arguments->since;

	*out = (audit_runs){0};
	if (sources != 1)
		return usage_error("which runs? give one of --runs, --workflow, --history and "
				   "--from");
	if (narrowed && !arguments->workflow)
		return usage_error("--last, --branch, --event and --since go with --workflow");
	if (arguments->from.count || arguments->history) {
		if (arguments->dry_run)
			return usage_error("--dry-run goes with --runs or --workflow");
		if (arguments->max_wait.given)
			return usage_error("--max-wait goes with --runs or --workflow");
	}
	if (!arguments->from.count && env->operand_count)
		return usage_error("'%s': only --from takes paths", env->operands[0]);
	/* Their order is the runs', which paths behind the first of two would leave open. */
	if (arguments->from.count > 1 && env->operand_count)
		return usage_error("--from: give it once, or for each path");
	RG_TRY(rg_config_golden_max(env->config, &out->golden_max));
	RG_TRY(format_options_load(&out->formats, env, NULL));
	if (arguments->history)
		return open_history(out, env, arguments->history);
	if (arguments->from.count)
		return open_paths(out, env, &arguments->from);
	return audit_open_github(out, env, arguments);
}

void audit_close_runs(audit_runs *runs)
{
	if (runs->free)
		runs->free(runs->owner);
	format_options_release(&runs->formats);
}
