#include "update.h"

#include "base/file.h"
#include "base/number.h"
#include "commands.h"
#include "source/run_url.h"
#include "update/reset.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
	update_arguments update;
	const char *run;
	bool resume, take_back;
} update_command_arguments;

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
	{"Which update", own_options, 0},
	{"What and how", update_options, offsetof(update_command_arguments, update)},
	{0},
};

rg_error *update_staging_dir(const environment *env, uint64_t run_id, char **out)
{
	return rg_textf(out, "%sregild/runs/%llu", rg_worktree_git_dir(env->worktree),
			(unsigned long long)run_id);
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

rg_error *update_refuse_pending(environment *env)
{
	rg_journal *journal;
	rg_error *err;

	RG_TRY(open_journal(env, &journal));
	err = refuse_pending(journal);
	rg_journal_close(journal);
	return err;
}

rg_error *update_open_journal(environment *env, bool lock, rg_journal **out)
{
	rg_error *err;

	if (!lock)
		RG_TRY(update_warn_pending(env));
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
	char files[64] = "";
	bool pending;

	if (env->pending_said)
		return NULL;
	RG_TRY(open_journal(env, &journal));
	err = rg_journal_pending(journal, &pending, &entries);
	rg_journal_close(journal);
	env->pending_said = !err && pending;
	/* 0: its record cannot be read, which --continue and --abort will say. */
	if (entries)
		snprintf(files, sizeof(files), " of %zu file%s", entries, entries == 1 ? "" : "s");
	if (env->pending_said)
		rg_log_say(&env->log, RG_LOG_MISSING,
			   "an update%s was interrupted; 'regild update --continue' finishes it, "
			   "'regild update --abort' takes it back",
			   files);
	return err;
}

/* An id or the run's URL; whose repository it is does not matter here. */
static rg_error *parse_run(const char *text, uint64_t *out)
{
	rg_run_name name;

	RG_TRY(rg_run_name_parse(&name, text));
	*out = name.id;
	rg_run_name_release(&name);
	return NULL;
}

/* The one run that was downloaded: *out is the caller's to free. */
static rg_error *find_only_run(const environment *env, char **out)
{
	struct dirent *entry;
	rg_error *err = NULL;
	uint64_t id = 0;
	size_t count = 0;
	DIR *folder;
	char *path;

	RG_TRY(rg_path_join(&path, rg_worktree_git_dir(env->worktree), "regild/runs"));
	folder = opendir(path);
	while (folder && (errno = 0, entry = readdir(folder)) != NULL) {
		if (rg_uint64_parse(entry->d_name, strlen(entry->d_name), &id))
			count++;
	}
	if (errno && errno != ENOENT)
		err = rg_error_io(errno, "%s", path);
	if (folder)
		closedir(folder);
	free(path);
	RG_TRY(err);
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
	uint64_t id = 0;

	if (env->operand_count && arguments->run)
		return usage_error("--run and a folder exclude each other");
	if (env->operand_count && !*env->operands[0])
		return usage_error("DIR is empty; name a folder, or leave it out");
	if (env->operand_count) {
		if (rg_uint64_parse(env->operands[0], strlen(env->operands[0]), &id) &&
		    access(env->operands[0], F_OK))
			return usage_error("%s: there is no such folder; a run is named with --run",
					   env->operands[0]);
		return rg_strdup(out, env->operands[0]);
	}
	if (!arguments->run)
		return find_only_run(env, out);
	RG_TRY(rg_error_wrap(parse_run(arguments->run, &id), "--run"));
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
	env->changed = !err;
	if (!err && forward && record.kind == RG_RECORD_RESET)
		update_miss(env, rg_reset_index(env->worktree, &record));
	if (!err)
		printf(forward ? "the interrupted %s of %zu file%s is finished\n"
			       : "the interrupted %s of %zu file%s is taken back\n",
		       rg_record_kind_text(record.kind), record.count,
		       record.count == 1 ? "" : "s");
	rg_record_release(&record);
	rg_journal_close(journal);
	return err;
}

/* What was decided on before the interruption is all that --continue and --abort know. */
static rg_error *check_alone(const environment *env, const update_command_arguments *given)
{
	const update_arguments *update = &given->update;

	if (given->resume && given->take_back)
		return usage_error("--continue and --abort exclude each other");
	if (env->operand_count || given->run || update->dry_run || update->interactive ||
	    update->stage || update->only.count || update->except.count || update->metrics.count ||
	    update->allow.count)
		return usage_error("%s stands alone: it is about the update that was interrupted",
				   given->resume ? "--continue" : "--abort");
	return NULL;
}

static rg_error *run_update(environment *env, void *arguments)
{
	update_command_arguments *given = arguments;
	update_result result;
	rg_error *err;
	char *dir;

	if (given->resume || given->take_back) {
		RG_TRY(check_alone(env, given));
		return recover_pending(env, given->resume);
	}
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
