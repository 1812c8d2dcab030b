/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "pager.h"
#include "terminal.h"

#include "flow/undo.h"

#include <stdlib.h>
#include <time.h>

typedef struct {
	bool list;
	const char *json;
} undo_arguments;

#define OF undo_arguments
/* clang-format off */
static const option options[] = {
	OPTION("list", NULL, list, "list what can be undone, newest first", .letter = 'l'),
	JSON_OPTION(undo_arguments, json),
	{0},
};
/* clang-format on */
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
	if (record->about)
		terminal_printf(stdout, ", %s", record->about);
	puts(undone ? ", undone" : "");
}

static void print_undone(const command_context *context, const rg_undo_result *result)
{
	const rg_record *done = &result->done;
	size_t staged = result->still_staged;

	if (staged)
		tell(context, RG_LOG_INFO,
		     "%zu of them %s still staged as before: 'git restore --staged' unstages %s",
		     staged, staged == 1 ? "is" : "are", staged == 1 ? "it" : "them");
	for (size_t i = 0; i < done->count && !context->common->quiet; i++)
		terminal_printf(stdout, "%-10s %s\n",
				done->entries[i].new_side.exists ? "restored" : "removed",
				done->entries[i].path);
	if (result->restaged)
		printf("%zu put back in the index\n", result->restaged);
	printf("%s %llu is undone (redo: regild undo %llu)\n",
	       rg_record_kind_text(result->undone->kind), (unsigned long long)result->undone->id,
	       (unsigned long long)done->id);
}

static rg_error *run_undo(command_context *context, void *arguments)
{
	const undo_arguments *given = arguments;
	const char *operand = context->operand_count ? context->operands[0] : NULL;
	const bool shown = !is_stdout(given->json);
	RG_AUTO(rg_undo_result) result = {0};
	const rg_update_log *update_log = &result.update_log;
	rg_undo_facts said;

	if (given->list && operand)
		return usage_error("--list takes no id");
	RG_TRY(given->list ? rg_undo_list(&result, &context->flow)
			   : rg_undo_run(&result, &context->flow, operand));
	if (given->list && shown) {
		pager_open(context);
		for (size_t i = 0; i < update_log->count; i++)
			print_record(&update_log->records[i], update_log->undone[i]);
	} else if (!given->list) {
		context->changed = true;
		command_miss(context, RG_TAKE(result.missed));
		if (shown)
			print_undone(context, &result);
	}
	rg_undo_facts_of(&said, &result);
	rg_facts facts = facts_of(context);
	const rg_record *latest = rg_update_log_latest(update_log);
	const uint64_t next = said.done ? said.done : latest ? latest->id : 0;
	if (next)
		rg_facts_can(&facts, said.done ? "redo it" : "undo the newest", "undo",
			     rg_arena_textf(&facts.arena, "%llu", (unsigned long long)next), NULL);
	rg_error *err = facts_finish(&facts, context, given->json, "regild-undo", &said);
	free(said.items);
	return err;
}

const command command_undo = {
	.name = "undo",
	.summary = "undo the last refresh, update or reset",
	.operands = "[ID]",
	.operands_max = 1,
	.description = "Puts back, bit for bit, what the last update or reset replaced, or the "
		       "one with this ID. Refuses if a file has changed since. The last 20 can "
		       "be undone.",
	.examples = "regild undo --list\n"
		    "regild undo",
	.groups = OPTIONS(options),
	.arguments_size = sizeof(undo_arguments),
	.flags = COMMAND_NEEDS_WORKTREE | COMMAND_HANDLES_PENDING,
	.run = run_undo,
};
