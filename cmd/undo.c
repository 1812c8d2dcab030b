#include "base/number.h"
#include "commands.h"
#include "terminal.h"
#include "update.h"
#include "update/undo.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct {
	bool list;
} undo_arguments;

static const option options[] = {
	{'l', "list", NULL, OPTION_FLAG, offsetof(undo_arguments, list),
	 "list what can be undone, newest first", NULL, 0, 0},
	{0},
};
static const option_group groups[] = {{"Options", options, 0}, {0}};

static void print_record(const rg_record *record, bool undone)
{
	char when[32] = "";
	struct tm parts;
	time_t seconds = (time_t)record->time;

	if (gmtime_r(&seconds, &parts))
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M:%S UTC", &parts);
	printf("%4llu  %s  %5zu %-5s  %s", (unsigned long long)record->id, when, record->count,
	       record->count == 1 ? "file" : "files", rg_record_kind_text(record->kind));
	if (record->of)
		printf(" of %llu", (unsigned long long)record->of);
	if (record->about) {
		fputs(", ", stdout);
		terminal_print_safe(stdout, record->about);
	}
	puts(undone ? ", undone" : "");
}

static void print_history(const rg_history *history)
{
	size_t i;

	for (i = 0; i < history->count; i++)
		print_record(&history->records[i], history->undone[i]);
}

static rg_error *pick(environment *env, const rg_history *history, const rg_record **out)
{
	uint64_t id;
	size_t i;

	*out = rg_history_latest(history);
	if (!env->operand_count)
		return *out ? NULL
			    : rg_error_new(RG_E_NOTFOUND, "there is nothing to undo in this "
							  "working tree");
	if (!rg_uint64_parse(env->operands[0], strlen(env->operands[0]), &id))
		return usage_error("'%s' is not an id; 'regild undo --list' shows them",
				   env->operands[0]);
	for (i = 0; i < history->count; i++) {
		if (history->records[i].id != id)
			continue;
		if (history->undone[i])
			return rg_error_new(RG_E_CONFLICT, "%llu is undone already",
					    (unsigned long long)id);
		*out = &history->records[i];
		return NULL;
	}
	return rg_error_new(RG_E_NOTFOUND, "%llu is not kept; 'regild undo --list' shows what is",
			    (unsigned long long)id);
}

/* What --stage added does not go with the files, and a commit would take it. The undo is done: an
 * index that cannot be read is no failure of it. */
static void say_staged(const environment *env, const rg_record *done)
{
	rg_index *index = NULL;
	rg_error *err = rg_index_open(&index, env->worktree);
	size_t staged = 0, i;

	for (i = 0; i < done->count && !err; i++) {
		char id[41];

		err = rg_index_hidden_work(index, env->worktree, done->entries[i].path, id);
		staged += !err && *id;
	}
	rg_index_free(index);
	rg_error_free(err);
	if (staged)
		rg_log_say(
			&env->log, RG_LOG_INFO,
			"%zu of them %s still staged as before; 'git restore --staged' takes that "
			"back",
			staged, staged == 1 ? "is" : "are");
}

static rg_error *undo(environment *env, rg_journal *journal, const rg_history *history)
{
	const rg_record *record;
	rg_record done;
	rg_error *err;
	size_t i;

	RG_TRY(pick(env, history, &record));
	rg_record_init(&done);
	err = rg_undo(journal, record, &done);
	env->changed = !err;
	if (!err)
		say_staged(env, &done);
	for (i = 0; i < done.count && !err && !env->common->quiet; i++) {
		printf("%-10s ", done.entries[i].new.exists ? "restored" : "removed");
		terminal_print_safe(stdout, done.entries[i].path);
		putchar('\n');
	}
	if (!err)
		printf("%s %llu is undone; 'regild undo %llu' does it again\n",
		       rg_record_kind_text(record->kind), (unsigned long long)record->id,
		       (unsigned long long)done.id);
	rg_record_release(&done);
	return err;
}

static rg_error *run_undo(environment *env, void *arguments)
{
	const undo_arguments *given = arguments;
	rg_history history;
	rg_journal *journal;
	rg_error *err;

	if (given->list && env->operand_count)
		return usage_error("--list takes no id");
	RG_TRY(update_open_journal(env, !given->list, &journal));
	err = rg_history_read(&history, journal);
	if (!err && given->list)
		print_history(&history);
	else if (!err)
		err = undo(env, journal, &history);
	rg_history_release(&history);
	rg_journal_close(journal);
	return err;
}

const command command_undo = {
	.name = "undo",
	.summary = "put back what an update or a reset replaced",
	.operands = "[ID]",
	.operands_max = 1,
	.description = "Puts back, bit for bit, what the last update or reset replaced, or the one "
		       "named by\n"
		       "ID. Refuses where a file has changed since. The last 20 are kept.",
	.groups = groups,
	.arguments_size = sizeof(undo_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING,
	.run = run_undo,
};
