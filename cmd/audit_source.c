#include "audit.h"

#include "source/paths.h"
#include "source/versions.h"

#include <stdlib.h>
#include <string.h>

const option audit_source_options[] = {
	{0, "history", "REV..REV", OPTION_TEXT, offsetof(audit_source_arguments, history),
	 "the versions that git has of each golden, a run a commit", NULL, 0, 0},
	{0, "from", "PATH", OPTION_TEXT, offsetof(audit_source_arguments, from),
	 "folders or files, one a run, in their order; further PATHs follow", NULL, 0, 0},
	{0},
};

static void free_paths(void *owner)
{
	rg_path_runs_free(owner);
}

static rg_error *open_paths(audit_runs *out, environment *env, const char *first)
{
	size_t count = (size_t)env->operand_count + 1;
	const char **paths = calloc(count, sizeof(*paths));
	const char *pattern = rg_config_get(env->config, "regild.files");
	rg_path_runs *runs = NULL;
	rg_error *err;

	if (!paths)
		return rg_error_nomem();
	paths[0] = first;
	if (count > 1)
		memcpy(paths + 1, env->operands, (count - 1) * sizeof(*paths));
	err = rg_path_runs_open(&runs, paths, count, pattern ? pattern : "golden_values*.json",
				NULL);
	free(paths);
	if (!err)
		*out = (audit_runs){rg_path_runs_source(runs), runs, free_paths};
	return err;
}

static void free_versions(void *owner)
{
	rg_version_runs_free(owner);
}

static rg_error *open_history(audit_runs *out, environment *env, const char *range)
{
	rg_version_runs *runs = NULL;

	RG_TRY(environment_need_worktree(env));
	RG_TRY(rg_version_runs_open(&runs, env->worktree, range,
				    rg_config_get(env->config, "regild.root"),
				    rg_config_get(env->config, "regild.files")));
	*out = (audit_runs){rg_version_runs_source(runs), runs, free_versions};
	return NULL;
}

rg_error *audit_open_runs(audit_runs *out, environment *env,
			  const audit_source_arguments *arguments)
{
	int sources = (arguments->from != NULL) + (arguments->history != NULL);

	*out = (audit_runs){0};
	if (sources != 1)
		return usage_error("which runs? give one of --history and --from");
	if (arguments->history && env->operand_count)
		return usage_error("'%s': only --from takes paths", env->operands[0]);
	if (arguments->history)
		return open_history(out, env, arguments->history);
	return open_paths(out, env, arguments->from);
}

void audit_close_runs(audit_runs *runs)
{
	if (runs->free)
		runs->free(runs->owner);
}
