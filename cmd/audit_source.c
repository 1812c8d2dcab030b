#include "audit.h"

#include "source/paths.h"

#include <stdlib.h>
#include <string.h>

const option audit_source_options[] = {
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

rg_error *audit_open_runs(audit_runs *out, environment *env,
			  const audit_source_arguments *arguments)
{
	*out = (audit_runs){0};
	if (!arguments->from)
		return usage_error("which runs? give --from PATH…");
	return open_paths(out, env, arguments->from);
}

void audit_close_runs(audit_runs *runs)
{
	if (runs->free)
		runs->free(runs->owner);
}
