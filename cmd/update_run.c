#include "interactive.h"
#include "format_options.h"
#include "policy.h"
#include "update.h"
#include "update/plan.h"
#include "update/siblings.h"
#include "update_print.h"
#include "worktree/stage.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Goldens that git ignores, by name, without -v. */
enum { HIDDEN_NAMED = 10 };

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

rg_error *update_check(const update_arguments *arguments)
{
	unsigned allowed = 0;

	RG_TRY(parse_allowed(&arguments->allow, &allowed));
	return arguments->interactive ? interactive_check() : NULL;
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

void update_miss(environment *env, rg_error *err)
{
	if (!err)
		return;
	rg_log_say(&env->log, RG_LOG_MISSING, "%s", rg_error_message(err));
	env->exit_code = EXIT_PARTIAL;
	rg_error_free(err);
}

static rg_error *stage(environment *env, const update_result *result)
{
	RG_TRY(rg_error_wrap(rg_worktree_stage(env->worktree, result->paths, result->path_count),
			     "nothing is staged; use 'git add'"));
	fprintf(env->listing, "%zu staged\n", result->path_count);
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
	format_options formats;
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
	RG_TRY(format_options_load(&s->formats, env, NULL));
	s->options.formats = &s->formats.options;
	RG_TRY(load_manifest(&s->manifest, staging_dir));
	return rg_plan_make(&s->plan, &s->manifest, staging_dir, s->journal, &s->options);
}

static rg_error *apply_plan(session *s)
{
	if (s->manifest.run_id) {
		char about[64];

		snprintf(about, sizeof(about), "run %llu", (unsigned long long)s->manifest.run_id);
		RG_TRY(rg_arena_text(&s->record.arena, about, &s->record.about));
	}
	return rg_plan_apply(&s->plan, s->journal, &s->record);
}

/* A new golden that git ignores would be in no commit, and nobody would see it. As a rule one line
 * of a .gitignore takes them all: a few names say it, and -v names them all. */
static rg_error *say_hidden(environment *env, const update_result *result)
{
	size_t named = env->common->verbose ? SIZE_MAX : HIDDEN_NAMED, hidden = 0, i;
	rg_index *index;
	rg_error *err = NULL;
	bool hides;

	if (!result->created)
		return NULL;
	RG_TRY(rg_index_open(&index, env->worktree));
	for (i = 0; i < result->path_count && !err; i++) {
		err = rg_index_hides(index, env->worktree, result->paths[i], &hides);
		if (!err && hides && hidden++ < named)
			rg_log_say(&env->log, RG_LOG_WARNING,
				   "%s: git ignores it; 'git add -f' takes it in",
				   result->paths[i]);
	}
	if (hidden > named)
		rg_log_say(&env->log, RG_LOG_WARNING,
			   "git ignores %zu more new golden%s; 'git status --ignored' lists them",
			   hidden - named, hidden - named == 1 ? "" : "s");
	rg_index_free(index);
	return err;
}

/* Behind the plan, what only follows a real update. */
static void finish(environment *env, const update_arguments *arguments, session *s,
		   const char *staging_dir, const update_result *result)
{
	update_miss(env, record_allowed(&s->manifest, &s->plan, staging_dir));
	if (arguments->stage)
		update_miss(env, stage(env, result));
	update_miss(env, say_hidden(env, result));
	update_miss(env, say_siblings(env, &s->plan));
}

rg_error *update_run(environment *env, const update_arguments *arguments, const char *staging_dir,
		     update_result *out)
{
	session s = {0};
	rg_error *err;

	RG_TRY(update_open_journal(env, !arguments->dry_run, &s.journal));
	rg_manifest_init(&s.manifest);
	rg_plan_init(&s.plan);
	rg_record_init(&s.record);
	err = make_plan(env, arguments, staging_dir, &s);
	if (!err && arguments->interactive)
		err = interactive_review(&s.plan);
	if (!err)
		err = tally(&s.plan, out);
	if (!err && !arguments->dry_run) {
		err = apply_plan(&s);
		env->changed = !err && s.record.count;
	}
	if (!err) {
		update_miss(env, update_print_plan(env, &s.plan, !arguments->dry_run));
		update_print_counts(env, out, !arguments->dry_run);
		if (out->held)
			env->exit_code = EXIT_PARTIAL;
		if (!arguments->dry_run)
			finish(env, arguments, &s, staging_dir, out);
	}
	rg_record_release(&s.record);
	rg_plan_release(&s.plan);
	format_options_release(&s.formats);
	rg_policy_free(s.policy);
	rg_manifest_release(&s.manifest);
	rg_journal_close(s.journal);
	return err;
}
