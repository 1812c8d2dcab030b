#include "audit.h"

#include "audit/model.h"
#include "audit/policy_text.h"
#include "audit/report.h"
#include "base/file.h"
#include "base/thread.h"
#include "commands.h"
#include "policy.h"
#include "terminal.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const option own_options[] = {
	{0, "group", "BY", OPTION_CHOICE, offsetof(audit_arguments, group),
	 "group runs by commit, branch or all (default: all; CI's: branch)", "commit|branch|all", 0,
	 0},
	{0, "confidence-multiplier", "X", OPTION_NUMBER, offsetof(audit_arguments, multiplier),
	 "tolerances are X times the largest deviation seen (default 1.5)", NULL, 0, 0},
	{0, "start-step", "N", OPTION_INTEGER, offsetof(audit_arguments, start_step),
	 "leave steps before N out of the tolerances (default 0)", NULL, 0, INT64_MAX},
	{0, "top", "N", OPTION_INTEGER, offsetof(audit_arguments, top),
	 "show the N widest series (default 40; 0: all)", NULL, 0, 0},
	{0, "csv", "FILE", OPTION_TEXT, offsetof(audit_arguments, csv),
	 "write a line for each file and metric ('-': stdout)", NULL, 0, 0},
	{0, "json", "FILE", OPTION_TEXT, offsetof(audit_arguments, json),
	 "write everything, with the statistics of each step ('-': stdout)", NULL, 0, 0},
	{0, "markdown", "FILE", OPTION_TEXT, offsetof(audit_arguments, markdown),
	 "write a summary for people ('-': stdout)", NULL, 0, 0},
	{0, "template", "FILE", OPTION_TEXT, offsetof(audit_arguments, template_file),
	 "render that summary from this template", NULL, 0, 0},
	{0, "model", "FILE", OPTION_TEXT, offsetof(audit_arguments, model),
	 "write the noise model for `regild compare --noise` ('-': stdout)", NULL, 0, 0},
	{0, "write-policy", NULL, OPTION_FLAG, offsetof(audit_arguments, write_policy),
	 "put the tolerances into .regild, with their evidence", NULL, 0, 0},
	{0, "export", "FILE", OPTION_TEXT, offsetof(audit_arguments, exported),
	 "write every value as CSV: run,file,metric,step,value ('-': stdout)", NULL, 0, 0},
	{0},
};

static const option_group groups[] = {
	{"Where the runs come from", audit_source_options, offsetof(audit_arguments, source)},
	{"What is measured and written", own_options, 0},
	{0},
};

static int outputs_to_stdout(const audit_arguments *arguments)
{
	return is_stdout(arguments->csv) + is_stdout(arguments->json) +
	       is_stdout(arguments->markdown) + is_stdout(arguments->model) +
	       is_stdout(arguments->exported);
}

static rg_error *make_options(rg_audit_options *out, const audit_arguments *arguments,
			      const rg_policy *policy)
{
	double multiplier = arguments->multiplier.given ? arguments->multiplier.value : 1.5;

	if (!(multiplier > 0))
		return usage_error("--confidence-multiplier: %g is not over 0", multiplier);
	if (outputs_to_stdout(arguments) > 1)
		return usage_error(
			"only one of --csv, --json, --markdown, --model and --export can "
			"go to stdout");
	if (arguments->template_file && !arguments->markdown)
		return usage_error("--template goes with --markdown");
	*out = (rg_audit_options){
		.tolerance = {multiplier, (int64_t)arguments->start_step.value},
		.grouping = RG_GROUP_ALL,
		.discovery_rate = 0.05,
		.policy = policy,
		.workers = rg_cores(),
		.without_steps = !arguments->json && !arguments->model,
	};
	/* Branches differ on purpose, so runs of CI are not mixed unless asked for. */
	if (arguments->source.workflow || arguments->source.runs.count)
		out->grouping = RG_GROUP_BRANCH;
	if (arguments->group && !strcmp(arguments->group, "all"))
		out->grouping = RG_GROUP_ALL;
	if (arguments->group && !strcmp(arguments->group, "commit"))
		out->grouping = RG_GROUP_COMMIT;
	if (arguments->group && !strcmp(arguments->group, "branch"))
		out->grouping = RG_GROUP_BRANCH;
	return NULL;
}

static rg_error *write_report(rg_error *(*make)(rg_buf *, const rg_audit *), const rg_audit *audit,
			      const char *option_name, const char *path)
{
	rg_error *err;
	rg_buf text;

	if (!path)
		return NULL;
	rg_buf_init(&text, (size_t)1 << 30);
	err = make(&text, audit);
	if (!err)
		err = rg_error_wrap(write_output(path, &text), "%s", option_name);
	rg_buf_release(&text);
	return err;
}

static rg_error *write_markdown(const audit_arguments *arguments, const rg_audit *audit,
				const rg_buf *template_text)
{
	rg_buf text;
	rg_error *err;

	if (!arguments->markdown)
		return NULL;
	rg_buf_init(&text, RG_BUF_TEXT);
	err = rg_audit_markdown(&text, audit,
				arguments->template_file ? template_text->data : NULL);
	if (!err)
		err = write_output(arguments->markdown, &text);
	rg_buf_release(&text);
	return rg_error_wrap(err, "--markdown");
}

static rg_error *write_block(void *context, const void *bytes, size_t length)
{
	const rg_output *out = context;

	return rg_write_all(out->fd, bytes, length, out->path);
}

/* Too large to hold, so it is written as it comes. */
static rg_error *write_export(const rg_audit_source *source, const char *path)
{
	rg_output out = {.fd = STDOUT_FILENO, .path = "standard output"};

	if (!path)
		return NULL;
	if (is_stdout(path))
		return rg_audit_export(source, write_block, &out);
	RG_TRY(rg_output_open(&out, path));
	return rg_error_wrap(rg_output_close(&out, rg_audit_export(source, write_block, &out)),
			     "--export");
}

/* The day of the newest run, or today. */
static void evidence_date(const rg_audit *audit, char out[static 11])
{
	time_t now = time(NULL);
	struct tm utc;
	size_t i;

	for (i = audit->run_count; i-- > 0;)
		if (rg_audit_run_has_day(&audit->runs[i])) {
			snprintf(out, 11, "%.10s", audit->runs[i].when);
			return;
		}
	if (!gmtime_r(&now, &utc) || !strftime(out, 11, "%Y-%m-%d", &utc))
		snprintf(out, 11, "undated");
}

/* Where there is none, it is an empty one. */
static rg_error *read_policy_file(rg_buf *out, const char *path)
{
	rg_error *err = rg_file_read(out, path);

	if (!err || rg_error_errno(err) != ENOENT)
		return err;
	rg_error_free(err);
	return NULL;
}

/* A link from a repository may lead anywhere, so nothing is written through one, as git does it
 * with .gitmodules; and it is not replaced by a file either. */
static rg_error *check_policy_file(const environment *env)
{
	struct stat st;
	rg_error *err = NULL;
	char *path;
	rg_buf text;

	if (!env->worktree)
		return usage_error("--write-policy: not inside a repository");
	RG_TRY(rg_path_join(&path, rg_worktree_root(env->worktree), ".regild"));
	rg_buf_init(&text, RG_BUF_TEXT);
	if (!lstat(path, &st) && S_ISLNK(st.st_mode))
		err = usage_error("--write-policy: %s is a link; make it a file first", path);
	if (!err)
		err = read_policy_file(&text, path);
	if (!err)
		err = rg_error_wrap(rg_policy_check(text.data, text.length), "%s", path);
	rg_buf_release(&text);
	free(path);
	return err;
}

/* An audit of nothing shows whether it is wrong. */
static rg_error *try_template(const char *text)
{
	const rg_audit nothing = {0};
	rg_error *err;
	rg_buf out;

	rg_buf_init(&out, RG_BUF_TEXT);
	err = rg_audit_markdown(&out, &nothing, text);
	rg_buf_release(&out);
	return rg_error_wrap(err, "--markdown");
}

/* What cannot be written or read is said before the runs are fetched and measured. */
static rg_error *prepare(const environment *env, const audit_arguments *arguments,
			 rg_buf *template_text)
{
	const output_file files[] = {{"--csv", arguments->csv},
				     {"--json", arguments->json},
				     {"--markdown", arguments->markdown},
				     {"--model", arguments->model},
				     {"--export", arguments->exported}};

	RG_TRY(check_output_files(files, sizeof(files) / sizeof(*files)));
	if (arguments->write_policy)
		RG_TRY(check_policy_file(env));
	if (!arguments->markdown || !arguments->template_file)
		return NULL;
	RG_TRY(rg_error_wrap(rg_file_read(template_text, arguments->template_file), "--template"));
	return try_template(template_text->data);
}

static rg_error *write_policy(environment *env, const rg_audit *audit)
{
	rg_policy_written written = {0, 0};
	char *path = NULL, when[11];
	rg_error *err;
	rg_buf old, new;

	if (audit->group_count != 1)
		return usage_error("--write-policy: the runs are in %zu groups; audit one of them, "
				   "or all as one with --group all",
				   audit->group_count);
	rg_buf_init(&old, RG_BUF_TEXT);
	rg_buf_init(&new, RG_BUF_TEXT);
	evidence_date(audit, when);
	err = rg_path_join(&path, rg_worktree_root(env->worktree), ".regild");
	if (!err)
		err = read_policy_file(&old, path);
	if (!err)
		err = rg_policy_write(&new, &written, old.data, old.length, audit, 0, when);
	if (!err)
		err = rg_file_replace(path, new.data, new.length, 0666);
	env->changed = !err;
	if (!err)
		rg_log_say(&env->log, RG_LOG_INFO, "tolerances of %zu metric%s are in .regild",
			   written.metrics, written.metrics == 1 ? "" : "s");
	if (!err && written.left_out)
		rg_log_say(&env->log, RG_LOG_WARNING,
			   "%zu metric%s left out of .regild, where a comment says why",
			   written.left_out, written.left_out == 1 ? " is" : "s are");
	rg_buf_release(&new);
	rg_buf_release(&old);
	free(path);
	return err;
}

/* With -q, the files that were asked for are the result; without one, the tables are. */
static bool shows_tables(const environment *env, const audit_arguments *arguments)
{
	bool files = arguments->csv || arguments->json || arguments->markdown || arguments->model ||
		     arguments->exported || arguments->write_policy;

	return !outputs_to_stdout(arguments) && !(env->common->quiet && files);
}

static rg_error *report(environment *env, const audit_arguments *arguments, const rg_audit *audit,
			const rg_audit_source *source, const rg_buf *template_text)
{
	size_t top = arguments->top.given ? (size_t)arguments->top.value : 40, i;

	for (i = 0; i < audit->unreadable_count; i++)
		rg_log_say(&env->log, RG_LOG_MISSING, "run %s: %s",
			   audit->runs[audit->unreadable[i].run].id, audit->unreadable[i].why);
	if (shows_tables(env, arguments))
		RG_TRY(audit_print(env, audit, top));
	RG_TRY(write_report(rg_audit_csv, audit, "--csv", arguments->csv));
	RG_TRY(write_report(rg_audit_json, audit, "--json", arguments->json));
	RG_TRY(write_markdown(arguments, audit, template_text));
	RG_TRY(write_report(rg_noise_model_write, audit, "--model", arguments->model));
	RG_TRY(write_export(source, arguments->exported));
	if (arguments->write_policy)
		RG_TRY(write_policy(env, audit));
	if (audit->unreadable_count)
		env->exit_code = EXIT_PARTIAL;
	return NULL;
}

static rg_error *run(environment *env, void *argument)
{
	const audit_arguments *arguments = argument;
	rg_audit_options options;
	rg_policy *policy = NULL;
	audit_runs runs = {0};
	rg_audit audit = {0};
	rg_buf template_text;
	rg_error *err;

	rg_buf_init(&template_text, RG_BUF_TEXT);
	if ((err = policy_load(&policy, env->config)) != NULL ||
	    (err = make_options(&options, arguments, policy)) != NULL ||
	    (err = prepare(env, arguments, &template_text)) != NULL ||
	    (err = audit_open_runs(&runs, env, &arguments->source)) != NULL ||
	    arguments->source.dry_run ||
	    (err = rg_audit_make(&audit, &runs.source, &options)) != NULL)
		goto done;
	if (runs.missing)
		env->exit_code = EXIT_PARTIAL;
	err = report(env, arguments, &audit, &runs.source, &template_text);
done:
	rg_buf_release(&template_text);
	rg_audit_release(&audit);
	audit_close_runs(&runs);
	rg_policy_free(policy);
	return err;
}

const command command_audit = {
	.name = "audit",
	.summary = "measure how much runs differ from run to run",
	.operands = "[PATH...]",
	.operands_max = -1,
	.description =
		"Measures the noise of each metric over many runs of the same tests: spread, "
		"breaks, bad\nruns, and the tolerances that follow.",
	.groups = groups,
	.arguments_size = sizeof(audit_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run,
};
