#include "update.h"

#include "base/file.h"
#include "base/number.h"
#include "commands.h"
#include "interactive.h"
#include "policy.h"
#include "update/plan.h"
#include "update/siblings.h"
#include "update_print.h"
#include "worktree/stage.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
	update_arguments update;
	const char *run;
	bool resume, take_back;
} update_command_arguments;

const option update_options[] = {
	{'n', "dry-run", NULL, OPTION_FLAG, offsetof(update_arguments, dry_run),
	 "show what would be done and stop", NULL, 0, 0},
	{'i', "interactive", NULL, OPTION_FLAG, offsetof(update_arguments, interactive),
	 "go through the tests, worst first, and ask", NULL, 0, 0},
	{0, "only", "PATTERN", OPTION_TEXTS, offsetof(update_arguments, only),
	 "only goldens whose test, file or changed metric matches", NULL, 0, 0},
	{0, "except", "PATTERN", OPTION_TEXTS, offsetof(update_arguments, except), "all but those",
	 NULL, 0, 0},
	{0, "metric", "NAME", OPTION_TEXTS, offsetof(update_arguments, metrics),
	 "take only this metric of the new files into the old ones", NULL, 0, 0},
	{0, "allow", "GUARD", OPTION_TEXTS, offsetof(update_arguments, allow),
	 "let through what is nonfinite, shrink, empty or dirty", NULL, 0, 0},
	{0, "stage", NULL, OPTION_FLAG, offsetof(update_arguments, stage),
	 "add the updated goldens to the index", NULL, 0, 0},
	{0},
};

static const option own_options[] = {
	{0, "run", "ID", OPTION_TEXT, offsetof(update_command_arguments, run),
	 "what was downloaded from this run (an id or the run's URL)", NULL, 0, 0},
	{0, "continue", NULL, OPTION_FLAG, offsetof(update_command_arguments, resume),
	 "finish an update that was interrupted", NULL, 0, 0},
	{0, "abort", NULL, OPTION_FLAG, offsetof(update_command_arguments, take_back),
	 "take an update that was interrupted back", NULL, 0, 0},
	{0},
};

static const option_group groups[] = {
	{"What to put in", own_options, 0},
	{"How", update_options, offsetof(update_command_arguments, update)},
	{0},
};

void update_result_init(update_result *result)
{
	*result = (update_result){0};
	rg_arena_init(&result->arena);
}

void update_result_release(update_result *result)
{
	free(result->paths);
	rg_arena_release(&result->arena);
	update_result_init(result);
}

rg_error *update_staging_dir(const environment *env, uint64_t run_id, char **out)
{
	return rg_textf(out, "%sregild/runs/%llu", rg_worktree_git_dir(env->worktree),
			(unsigned long long)run_id);
}

static rg_error *add_path(update_result *out, const char *path)
{
	char *copy = rg_arena_copy(&out->arena, path, strlen(path));

	if (!copy)
		return rg_error_nomem();
	RG_TRY(rg_grow(&out->paths, &out->path_capacity, out->path_count + 1, sizeof(*out->paths)));
	out->paths[out->path_count++] = copy;
	return NULL;
}

static rg_error *tally(const rg_plan *plan, update_result *out)
{
	size_t i;

	for (i = 0; i < plan->count; i++) {
		const rg_plan_item *item = &plan->items[i];

		if (item->change == RG_PLAN_UNCHANGED)
			out->unchanged++;
		else if (item->left_out)
			out->left_out++;
		else if (item->held)
			out->held++;
		else if (item->change == RG_PLAN_NEW)
			out->created++;
		else
			out->updated++;
		if (rg_plan_item_is_taken(item))
			RG_TRY(add_path(out, item->golden->target));
	}
	return NULL;
}

static rg_error *parse_allowed(const option_texts *names, unsigned *out)
{
	size_t i;

	for (i = 0; i < names->count; i++) {
		unsigned guard = rg_guard_parse(names->items[i]);

		if (!guard)
			return usage_error("--allow: '%s' is not one of nonfinite, shrink, empty, "
					   "dirty",
					   names->items[i]);
		*out |= guard;
	}
	return NULL;
}

/* The manifest keeps what --allow let into the tree. */
static rg_error *record_allowed(rg_manifest *manifest, const rg_plan *plan, const char *staging_dir)
{
	bool any = false;
	size_t i;

	for (i = 0; i < plan->count; i++)
		if (rg_plan_item_is_taken(&plan->items[i]) && plan->items[i].allowed) {
			manifest->goldens[i].allowed |= plan->items[i].allowed;
			any = true;
		}
	return any ? rg_manifest_save(manifest, staging_dir) : NULL;
}

static rg_error *say_siblings(environment *env, const rg_plan *plan)
{
	rg_siblings siblings = {0};
	rg_error *err;
	size_t i;

	err = rg_siblings_find(&siblings, plan, rg_config_get(env->config, "regild.files"));
	for (i = 0; i < siblings.count && !err; i++)
		rg_log_say(&env->log, RG_LOG_INFO, "not refreshed, beside one that was: %s",
			   siblings.paths[i]);
	rg_siblings_release(&siblings);
	return err;
}

/* The goldens are in the tree: what fails from here on is a part that is missing. */
static void miss(environment *env, rg_error *err)
{
	if (!err)
		return;
	rg_log_say(&env->log, RG_LOG_WARNING, "%s", rg_error_message(err));
	env->exit_code = EXIT_PARTIAL;
	rg_error_free(err);
}

static rg_error *stage(environment *env, const update_result *result)
{
	RG_TRY(rg_worktree_stage(env->worktree, result->paths, result->path_count));
	printf("%zu staged\n", result->path_count);
	return NULL;
}

static rg_error *load_manifest(rg_manifest *manifest, const char *staging_dir)
{
	rg_error *err = rg_manifest_load(manifest, staging_dir);

	if (!err || rg_error_errno(err) != ENOENT)
		return err;
	rg_error_free(err);
	return rg_error_new(RG_E_NOTFOUND, "%s: nothing is staged there; 'regild download' does it",
			    staging_dir);
}

/* A plan, and what is done with it. */
typedef struct {
	rg_journal *journal;
	rg_manifest manifest;
	rg_plan_options options;
	rg_policy *policy;
	rg_plan plan;
	rg_record record;
} session;

static rg_error *make_plan(environment *env, const update_arguments *arguments,
			   const char *staging_dir, session *s)
{
	s->options.root = rg_config_get(env->config, "regild.root");
	s->options.worktree = env->worktree;
	s->options.only = (rg_plan_names){arguments->only.items, arguments->only.count};
	s->options.except = (rg_plan_names){arguments->except.items, arguments->except.count};
	s->options.metrics = (rg_plan_names){arguments->metrics.items, arguments->metrics.count};
	RG_TRY(parse_allowed(&arguments->allow, &s->options.allowed));
	RG_TRY(policy_load(&s->policy, env->config));
	s->options.policy = s->policy;
	RG_TRY(load_manifest(&s->manifest, staging_dir));
	return rg_plan_make(&s->plan, &s->manifest, staging_dir, s->journal, &s->options);
}

static rg_error *apply_plan(const update_arguments *arguments, session *s)
{
	if (arguments->interactive)
		RG_TRY(interactive_review(&s->plan));
	if (arguments->dry_run)
		return NULL;
	if (s->manifest.run_id) {
		char about[64];

		snprintf(about, sizeof(about), "run %llu", (unsigned long long)s->manifest.run_id);
		s->record.about = rg_arena_copy(&s->record.arena, about, strlen(about));
	}
	return rg_plan_apply(&s->plan, s->journal, &s->record);
}

static rg_error *show(environment *env, const update_arguments *arguments, session *s,
		      update_result *out)
{
	RG_TRY(tally(&s->plan, out));
	RG_TRY(update_print_plan(env, &s->plan, !arguments->dry_run));
	update_print_counts(out, !arguments->dry_run);
	if (out->held)
		env->exit_code = EXIT_PARTIAL;
	return NULL;
}

static rg_error *refuse_pending(rg_journal *journal)
{
	bool pending;

	RG_TRY(rg_journal_pending(journal, &pending, NULL));
	if (!pending)
		return NULL;
	return rg_error_new(RG_E_CONFLICT, "an update was interrupted; 'regild update --continue' "
					   "finishes it, 'regild update --abort' takes it back");
}

static rg_error *open_journal(environment *env, rg_journal **out)
{
	return rg_journal_open(out, rg_worktree_root(env->worktree),
			       rg_worktree_git_dir(env->worktree), &env->log);
}

rg_error *update_open_journal(environment *env, bool lock, rg_journal **out)
{
	rg_error *err;

	RG_TRY(open_journal(env, out));
	err = lock ? rg_journal_lock(*out) : NULL;
	if (!err && lock)
		err = refuse_pending(*out);
	if (err) {
		rg_journal_close(*out);
		*out = NULL;
	}
	return err;
}

rg_error *update_warn_pending(environment *env)
{
	rg_journal *journal;
	size_t entries = 0;
	rg_error *err;
	bool pending;

	RG_TRY(open_journal(env, &journal));
	err = rg_journal_pending(journal, &pending, &entries);
	rg_journal_close(journal);
	if (!err && pending)
		rg_log_say(&env->log, RG_LOG_WARNING,
			   "an update of %zu files was interrupted; 'regild update --continue' "
			   "finishes it, 'regild update --abort' takes it back",
			   entries);
	return err;
}

rg_error *update_run(environment *env, const update_arguments *arguments, const char *staging_dir,
		     update_result *out)
{
	session s = {0};
	rg_error *err;

	if (arguments->dry_run)
		RG_TRY(update_warn_pending(env));
	RG_TRY(update_open_journal(env, !arguments->dry_run, &s.journal));
	rg_manifest_init(&s.manifest);
	rg_plan_init(&s.plan);
	rg_record_init(&s.record);
	err = make_plan(env, arguments, staging_dir, &s);
	if (!err)
		err = apply_plan(arguments, &s);
	if (!err)
		err = show(env, arguments, &s, out);
	if (!err && !arguments->dry_run) {
		miss(env, record_allowed(&s.manifest, &s.plan, staging_dir));
		if (arguments->stage)
			miss(env, stage(env, out));
		miss(env, say_siblings(env, &s.plan));
	}
	rg_record_release(&s.record);
	rg_plan_release(&s.plan);
	rg_policy_free(s.policy);
	rg_manifest_release(&s.manifest);
	rg_journal_close(s.journal);
	return err;
}

static rg_error *parse_run(const char *text, uint64_t *out)
{
	static const char marker[] = "/actions/runs/";
	const char *id = strstr(text, marker);

	id = id ? id + sizeof(marker) - 1 : text;
	if (!rg_uint64_parse(id, strcspn(id, "/?#"), out) || !*out)
		return usage_error("--run: '%s' is neither a run's id nor its URL", text);
	return NULL;
}

/* The one run that was downloaded: *out is the caller's to free. */
static rg_error *find_only_run(const environment *env, char **out)
{
	struct dirent *entry;
	uint64_t id = 0;
	size_t count = 0;
	DIR *folder;
	char *path;

	RG_TRY(rg_path_join(&path, rg_worktree_git_dir(env->worktree), "regild/runs"));
	folder = opendir(path);
	free(path);
	while (folder && (entry = readdir(folder)) != NULL) {
		if (rg_uint64_parse(entry->d_name, strlen(entry->d_name), &id))
			count++;
	}
	if (folder)
		closedir(folder);
	if (!count)
		return usage_error("nothing is downloaded yet; 'regild download' does it, or name "
				   "a folder");
	if (count > 1)
		return usage_error("%zu runs are downloaded; name one with --run", count);
	return update_staging_dir(env, id, out);
}

static rg_error *staging_folder(const environment *env, const update_command_arguments *arguments,
				char **out)
{
	uint64_t id;

	if (env->operand_count && arguments->run)
		return usage_error("--run and a folder exclude each other");
	if (env->operand_count)
		return rg_strdup(out, env->operands[0]);
	if (!arguments->run)
		return find_only_run(env, out);
	RG_TRY(parse_run(arguments->run, &id));
	return update_staging_dir(env, id, out);
}

static rg_error *recover_pending(environment *env, bool forward)
{
	rg_journal *journal;
	rg_record record;
	rg_error *err;

	RG_TRY(open_journal(env, &journal));
	rg_record_init(&record);
	err = rg_journal_lock(journal);
	if (!err)
		err = forward ? rg_journal_continue(journal, &record)
			      : rg_journal_abort(journal, &record);
	if (!err)
		printf(forward ? "the interrupted %s of %zu files is finished\n"
			       : "the interrupted %s of %zu files is taken back\n",
		       rg_record_kind_text(record.kind), record.count);
	rg_record_release(&record);
	rg_journal_close(journal);
	return err;
}

static rg_error *run_update(environment *env, void *arguments)
{
	update_command_arguments *given = arguments;
	update_result result;
	rg_error *err;
	char *dir;

	if (given->resume && given->take_back)
		return usage_error("--continue and --abort exclude each other");
	if (given->resume || given->take_back)
		return recover_pending(env, given->resume);
	RG_TRY(staging_folder(env, given, &dir));
	update_result_init(&result);
	err = update_run(env, &given->update, dir, &result);
	update_result_release(&result);
	free(dir);
	return err;
}

const command command_update = {
	.name = "update",
	.summary = "put downloaded goldens into the working tree",
	.operands = "[DIR]",
	.operands_max = 1,
	.description =
		"Writes each golden that 'regild download' staged in DIR (default: the one run\n"
		"that is downloaded) over its place in the working tree, all of them or none.",
	.groups = groups,
	.arguments_size = sizeof(update_command_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING,
	.run = run_update,
};
