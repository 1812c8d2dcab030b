#include "commands.h"
#include "format_options.h"
#include "golden_side.h"
#include "policy.h"
#include "terminal.h"

#include "base/cancel.h"
#include "base/number.h"
#include "base/utf8.h"
#include "compare/check.h"

#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	bool changed;
	const char *base;
	bool github;
} check_arguments;

static const option check_options[] = {
	{0, "changed", NULL, OPTION_FLAG, offsetof(check_arguments, changed),
	 "only goldens that differ from --base", NULL, 0, 0},
	{0, "base", "REV", OPTION_TEXT, offsetof(check_arguments, base),
	 "the revision that --changed looks from (default HEAD)", NULL, 0, 0},
	{0, "github", NULL, OPTION_FLAG, offsetof(check_arguments, github),
	 "print findings as annotations of a GitHub workflow", NULL, 0, 0},
	{0},
};

/* A check under way. */
typedef struct {
	environment *env;
	const check_arguments *arguments;
	const rg_policy *policy;
	const rg_golden_options *options;
	golden_side side; /* its folder is "" for files that the user named */
	const char *path; /* of the golden under way */
	size_t files, findings;
} check;

/* What is wrong with a metric's steps, by what its block says of them. */
static void describe_steps(rg_buf *out, rg_defect_kind kind, const rg_metric *m)
{
	switch (kind) {
	case RG_DEFECT_OUTSIDE_STEP:
		rg_buf_printf(out, "outside of start_step %" PRId64 " … end_step %" PRId64,
			      m->start_step, m->end_step);
		break;
	case RG_DEFECT_ODD_STEP:
		rg_buf_printf(out, "not a step by start_step %" PRId64 ", step_interval %" PRId64,
			      m->start_step, m->step_interval);
		break;
	case RG_DEFECT_MISSING_STEP:
		rg_buf_printf(out,
			      "missing by start_step %" PRId64 ", end_step %" PRId64
			      ", step_interval %" PRId64,
			      m->start_step, m->end_step, m->step_interval);
		break;
	default:
		rg_buf_printf(out,
			      "start_step %" PRId64 ", end_step %" PRId64 ", step_interval %" PRId64
			      " make no steps",
			      m->start_step, m->end_step, m->step_interval);
		break;
	}
}

static void describe_duplicates(rg_buf *out, const rg_defect *d)
{
	if (d->has_step || d->key)
		rg_buf_str(out, "stands again; the last one counts");
	else
		rg_buf_printf(out, "%zu %s again; the last one counts", d->count,
			      d->count == 1 ? "key stands" : "keys stand");
}

static void describe_no_values(rg_buf *out, const rg_defect *d)
{
	if (d->has_step)
		rg_buf_str(out, "no number");
	else
		rg_buf_printf(out, "%zu %s no step", d->count,
			      d->count == 1 ? "key is" : "keys are");
}

/* One thing that is wrong, as it stands behind "FILE: ". */
static void describe(rg_buf *out, const rg_defect *d)
{
	char value[RG_DOUBLE_REPR_SIZE];

	if (d->metric)
		rg_buf_printf(out, "%s: ", d->metric->name);
	if (d->has_step)
		rg_buf_printf(out, "%" PRId64 ": ", d->step);
	if (d->key)
		rg_buf_printf(out, "%s: ", d->key);
	if (d->kind == RG_DEFECT_NONFINITE) {
		rg_double_repr(d->value, value);
		rg_buf_str(out, value);
	} else if (d->kind == RG_DEFECT_DUPLICATE_KEYS) {
		describe_duplicates(out, d);
	} else if (d->kind == RG_DEFECT_NO_VALUE) {
		describe_no_values(out, d);
	} else if (d->metric) {
		describe_steps(out, d->kind, d->metric);
	}
	if ((d->has_step || d->key) && d->count > 1)
		rg_buf_printf(out, " (and %zu more)", d->count - 1);
}

/* Workflow commands:
 * https://docs.github.com/en/actions/reference/workflows-and-actions/workflow-commands In a
 * property ':' and ',' end it, so they are escaped there too. */
static void add_escaped(rg_buf *out, const char *text, bool is_property)
{
	for (; *text; text++) {
		if (*text == '%' || *text == '\r' || *text == '\n' ||
		    (is_property && (*text == ':' || *text == ',')))
			rg_buf_printf(out, "%%%02X", (unsigned)*text);
		else
			rg_buf_char(out, *text);
	}
}

/* The path from the repository's root, which may lie in `real`; outside of one, as it is. */
static const char *path_in_repository(const check *c, char real[PATH_MAX])
{
	const char *root = c->env->worktree ? rg_worktree_root(c->env->worktree) : NULL;

	if (root && !*c->side.folder && realpath(c->path, real) &&
	    !strncmp(real, root, strlen(root)))
		return real + strlen(root);
	return c->path;
}

/* "FILE: TEXT", or the annotation that puts TEXT beside FILE in a pull request. */
static rg_error *print_finding(check *c, const char *text)
{
	rg_buf safe, line;
	char real[PATH_MAX];
	rg_error *err;

	rg_buf_init(&safe, RG_BUF_TEXT);
	rg_buf_init(&line, RG_BUF_TEXT);
	rg_utf8_add_safe(&safe, text, strlen(text));
	if (c->arguments->github) {
		/* A workflow knows files by these paths. */
		rg_buf_str(&line, "::error file=");
		add_escaped(&line, path_in_repository(c, real), true);
		rg_buf_str(&line, ",title=regild check::");
		add_escaped(&line, safe.data, false);
	} else {
		rg_utf8_add_safe(&line, c->path, strlen(c->path));
		rg_buf_printf(&line, ": %s", safe.data);
	}
	err = rg_error_first(rg_buf_check(&safe, c->path), rg_buf_check(&line, c->path));
	if (!err)
		puts(line.data);
	c->findings++;
	rg_buf_release(&line);
	rg_buf_release(&safe);
	return err;
}

static rg_error *print_defect(void *context, const rg_defect *defect)
{
	check *c = context;
	rg_error *err;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	describe(&text, defect);
	err = rg_buf_check(&text, c->path);
	if (!err)
		err = print_finding(c, text.data);
	rg_buf_release(&text);
	return err;
}

static rg_error *check_golden(check *c)
{
	rg_input in;
	rg_golden *golden;
	rg_error *err;

	RG_TRY(golden_side_read(&c->side, c->path, "", NULL, &in));
	RG_TRY(rg_golden_read(&golden, &in, c->options));
	err = rg_golden_check(golden, c->policy, print_defect, c);
	rg_golden_free(golden);
	return err;
}

/* Of a name that says too little: is it a golden? What cannot be read is, so that it is said. */
static bool is_golden(check *c, const char *path)
{
	rg_error *err;
	bool golden;
	rg_input in;

	if (rg_golden_recognises_name(path))
		return true;
	err = golden_side_read(&c->side, path, "", NULL, &in);
	golden = err || rg_golden_recognised(&in);
	rg_error_free(err);
	return golden;
}

/* A golden that cannot be read is a finding like others. */
static rg_error *check_file(check *c, const char *path)
{
	char real[PATH_MAX];
	rg_error *err, *told;

	c->path = path;
	c->files++;
	err = check_golden(c);
	if (!err || rg_error_get_code(err) == RG_E_NOMEM)
		return err;
	if (c->env->worktree &&
	    rg_worktree_is_in_conflict(c->env->worktree, path_in_repository(c, real)))
		err = rg_error_wrap(err, RG_UNMERGED);
	told = print_finding(c, rg_error_message(err));
	rg_error_free(err);
	return told;
}

static rg_error *check_operands(check *c)
{
	int i;

	c->side.folder = "";
	for (i = 0; i < c->env->operand_count; i++)
		RG_TRY(golden_side_check_name(c->env->operands[i]));
	for (i = 0; i < c->env->operand_count; i++) {
		RG_TRY(rg_cancel_check());
		RG_TRY(check_file(c, c->env->operands[i]));
	}
	return NULL;
}

static rg_error *check_repository(check *c)
{
	const char *base = c->arguments->base;
	rg_change_query query = {.no_renames = true,
				 .root = rg_config_get(c->env->config, "regild.root"),
				 .wants = rg_golden_may_be_called};
	rg_change_list list = {0};
	rg_error *err;
	size_t i;

	/* Without --changed a repository without a commit will do. */
	if (!c->env->worktree || c->arguments->changed)
		RG_TRY(environment_need_worktree(c->env));
	c->side.folder = rg_worktree_root(c->env->worktree);
	query.base = c->arguments->changed ? base : RG_EMPTY_TREE;
	RG_TRY(rg_worktree_changes(c->env->worktree, &query, &list));
	err = environment_warn_root(c->env, list.count > 0);
	for (i = 0; !err && i < list.count; i++) {
		if (list.items[i].kind == RG_CHANGE_REMOVED)
			continue;
		err = rg_cancel_check();
		if (!err && is_golden(c, list.items[i].path))
			err = check_file(c, list.items[i].path);
	}
	rg_change_list_release(&list);
	return err;
}

static rg_error *run_check(environment *env, void *arguments)
{
	check c = {.env = env, .arguments = arguments};
	rg_policy *policy = NULL;
	format_options formats;
	uint64_t max;
	rg_error *err;

	if (c.arguments->base && !c.arguments->changed)
		return usage_error("--base goes with --changed");
	if (env->operand_count && c.arguments->changed)
		return usage_error("either FILES or --changed");
	RG_TRY(rg_config_golden_max(env->config, &max));
	RG_TRY(policy_load(&policy, env->config));
	c.policy = policy;
	err = format_options_load(&formats, env, NULL);
	c.options = &formats.options;
	golden_side_init(&c.side, NULL, max);
	if (!err)
		err = env->operand_count ? check_operands(&c) : check_repository(&c);
	if (!err)
		rg_log_say(&env->log, RG_LOG_INFO, "%zu %s checked, %zu %s", c.files,
			   c.files == 1 ? "golden" : "goldens", c.findings,
			   c.findings == 1 ? "finding" : "findings");
	if (!err && c.findings)
		env->exit_code = EXIT_GATE;
	golden_side_release(&c.side);
	format_options_release(&formats);
	rg_policy_free(policy);
	return err;
}

static const option_group check_groups[] = {{"Options", check_options, 0}, {0}};

const command command_check = {
	.name = "check",
	.summary = "look for what is wrong with goldens in themselves",
	.operands = "[FILE…]",
	.operands_max = -1,
	.description =
		"Without FILE, every golden below regild.root is checked. A line a finding:\n"
		"FILE: METRIC: STEP: what is wrong; the exit code is then 1.",
	.groups = check_groups,
	.arguments_size = sizeof(check_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run_check,
};
