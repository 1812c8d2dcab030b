/* SPDX-License-Identifier: Apache-2.0 */
#include "history.h"

#include "pager.h"
#include "terminal.h"

#include "base/number.h"
#include "base/path.h"
#include "flow/history_ask.h"
#include "flow/history_json.h"
#include "flow/open_history.h"
#include "golden/records.h"

#include <string.h>

enum { DOCUMENT_MAX = 1 << 30 };

static void print_run(const rg_history_run *run)
{
	char commit[11]; /* merged histories may have anything there */

	printf("%llu  ", (unsigned long long)run->id);
	terminal_print_safe(stdout, run->repository);
	printf("  attempt %u", run->attempt);
	if (*run->when)
		printf("  ");
	terminal_print_safe(stdout, run->when);
	if (*run->branch)
		printf("  ");
	terminal_print_safe(stdout, run->branch);
	snprintf(commit, sizeof(commit), "%s", run->commit);
	printf("  ");
	terminal_print_safe(stdout, commit);
	printf("  %zu golden%s%s\n", run->goldens, run->goldens == 1 ? "" : "s",
	       run->complete ? "" : ", not complete");
}

/* Each step of each series, by its record's key where the golden is a table; a text in one line,
 * and an opaque golden's SHA-256. */
static void print_golden(const rg_golden *golden)
{
	char value[RG_DOUBLE_REPR_SIZE], number[RG_STEP_TEXT];
	for (size_t i = 0; i < golden->count; i++) {
		const rg_metric *metric = &golden->metrics[i];
		bool text = metric->kind != RG_METRIC_SERIES;

		for (size_t at = 0; at < (text ? 1 : metric->count); at++) {
			printf("  ");
			terminal_print_safe(stdout, metric->name);
			if (text) {
				printf("  ");
				terminal_print_safe(stdout, metric->text);
				putchar('\n');
				continue;
			}
			rg_double_repr(metric->values[at], value);
			printf("  ");
			terminal_print_safe(
				stdout,
				rg_step_name(metric->records, rg_metric_step(metric, at), number));
			printf("  %s\n", value);
		}
	}
}

static rg_error *show_golden(void *context, size_t run, rg_history_golden *golden)
{
	rg_history_choice *choice = context;
	(void)run;
	if (golden->why)
		return rg_error_wrap(golden->why, "%s", golden->path);
	if (!choice->file || rg_path_ends_with(golden->path, choice->file)) {
		choice->shown++;
		terminal_print_safe(stdout, golden->path);
		putchar('\n');
		print_golden(golden->golden);
	}
	rg_golden_free(golden->golden);
	return NULL;
}

static rg_error *print_runs(rg_history_store *history, const rg_history_run *runs, size_t count,
			    rg_history_choice *choice)
{
	for (size_t i = 0; i < count; i++) {
		print_run(&runs[i]);
		if (choice)
			RG_TRY(rg_error_wrap(rg_history_goldens(history, &runs[i], UINT64_MAX,
								show_golden, choice),
					     "run %llu", (unsigned long long)runs[i].id));
	}
	return NULL;
}

/* `choice` NULL: the list alone. */
static rg_error *write_runs(command_context *context, const char *json, rg_history_store *history,
			    const rg_history_run *runs, size_t count, rg_history_choice *choice)
{
	rg_buf text;
	if (!json) {
		pager_open(context);
		return print_runs(history, runs, count, choice);
	}
	rg_buf_init(&text, DOCUMENT_MAX);
	rg_error *err = rg_history_json(&text, history, runs, count, choice);
	if (!err && !(choice && choice->file && !choice->shown))
		err = write_json(json, &text);
	rg_buf_release(&text);
	return err;
}

static void keep_of_repository(rg_history_run *runs, size_t *count, const char *repository)
{
	size_t kept = 0;
	for (size_t i = 0; i < *count; i++)
		if (rg_history_run_is_of(&runs[i], repository))
			runs[kept++] = runs[i];
	*count = kept;
}

static rg_error *select_runs(command_context *context, const char *json, rg_history_store *history,
			     const rg_history_query *query, rg_history_choice *choice,
			     size_t *found)
{
	rg_history_run *runs;
	rg_arena arena;
	size_t count = 0;

	rg_arena_init(&arena);
	rg_error *err = rg_history_list(history, query, &arena, &runs, &count);
	if (!err)
		keep_of_repository(runs, &count, context->common->repository);
	*found = count;
	if (!err)
		err = rg_history_keep_whole(history, &context->flow.log, runs, &count);
	if (!err && count < *found)
		context->exit_code = EXIT_PARTIAL;
	if (!err && (count || json) && (*found || !choice))
		err = write_runs(context, json, history, runs, count, choice);
	rg_arena_release(&arena);
	return err;
}

static rg_error *open_and_write(command_context *context, const char *json,
				const rg_history_query *query, rg_history_choice *choice,
				size_t *found)
{
	const output_file output = {"--json", json};
	rg_history_store *history;

	*found = 0;
	RG_TRY(check_output_files(&output, 1));
	RG_TRY(rg_flow_open_history(&history, &context->flow));
	rg_error *err = select_runs(context, json, history, query, choice, found);
	rg_history_close(history);
	return err;
}

static void print_count(const rg_history_run *run, uint64_t rows)
{
	printf("run %llu of ", (unsigned long long)run->id);
	terminal_print_safe(stdout, run->repository);
	printf(": %llu of %llu rows\n", (unsigned long long)rows, (unsigned long long)run->rows);
}

static rg_error *check_runs(command_context *context, rg_history_store *history, rg_arena *arena)
{
	const rg_history_query any = {0};
	size_t count, torn = 0;
	rg_history_run *runs;

	RG_TRY(rg_history_list(history, &any, arena, &runs, &count));
	keep_of_repository(runs, &count, context->common->repository);
	uint64_t *rows = rg_arena_alloc(arena, (count + 1) * sizeof(*rows));
	RG_TRY(rg_history_count_rows(history, runs, count, rows));
	for (size_t i = 0; i < count; i++) {
		if (rows[i] == runs[i].rows)
			continue;
		torn++;
		print_count(&runs[i], rows[i]);
	}
	if (!context->common->quiet)
		printf("%zu run%s, %zu incomplete\n", count, count == 1 ? "" : "s", torn);
	return torn ? rg_error_wrap(rg_history_incomplete(), "%zu of %zu runs", torn, count) : NULL;
}

rg_error *history_check(command_context *context, void *arguments)
{
	rg_history_store *history;
	rg_arena arena;

	(void)arguments;
	RG_TRY(rg_flow_open_history(&history, &context->flow));
	rg_arena_init(&arena);
	rg_error *err = check_runs(context, history, &arena);
	rg_arena_release(&arena);
	rg_history_close(history);
	if (!err || rg_error_get_code(err) != RG_E_MISMATCH)
		return err;
	command_miss(context, err);
	return NULL;
}

rg_error *history_list(command_context *context, void *own)
{
	const history_arguments *arguments = own;
	const char *repository = context->common->repository;
	const rg_history_query any = {0};
	size_t found;

	RG_TRY(open_and_write(context, arguments->json, &any, NULL, &found));
	if (!found && !context->common->quiet)
		terminal_say(
			"no run%s%s is in the history; 'regild audit' keeps those that it measures",
			repository ? " of " : "", repository ? repository : "");
	return NULL;
}

rg_error *history_show(command_context *context, void *own)
{
	const history_arguments *arguments = own;
	rg_history_choice choice = {.file = context->operand_count > 1 ? context->operands[1]
								       : NULL};
	rg_history_query query = {0};
	size_t found;

	if (!rg_uint64_parse(context->operands[0], strlen(context->operands[0]), &query.id) ||
	    !query.id)
		return usage_error("show: name a run by its number");
	RG_TRY(open_and_write(context, arguments->json, &query, &choice, &found));
	if (!found)
		return rg_error_new(RG_E_NOTFOUND,
				    "run %s: is not in the history; 'regild history' lists what is",
				    context->operands[0]);
	if (choice.file && !choice.shown && context->exit_code == EXIT_DONE)
		return rg_error_new(RG_E_NOTFOUND, "run %s: has no golden '%s'",
				    context->operands[0], choice.file);
	return NULL;
}

/* ---- questions ---- */

static rg_error *write_reply(command_context *context, const history_arguments *arguments,
			     const rg_reply *reply)
{
	rg_buf text;
	rg_buf_init(&text, DOCUMENT_MAX);
	rg_error *err = NULL;
	if (arguments->csv) {
		err = rg_reply_csv(&text, reply);
		if (!err)
			err = write_output(arguments->csv, &text);
		rg_buf_clear(&text);
	}
	if (!err && arguments->json) {
		err = rg_reply_json(&text, reply);
		if (!err)
			err = write_json(arguments->json, &text);
		rg_buf_clear(&text);
	}
	if (!err && !arguments->csv && !arguments->json && reply->count) {
		pager_open(context);
		err = rg_reply_table(&text, reply, &context->style);
		if (!err)
			terminal_print(&text);
	}
	rg_buf_release(&text);
	return err;
}

static rg_error *list_questions(void)
{
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_questions_list(&text);
	rg_error *err = rg_buf_check(&text, "the questions");
	if (!err)
		terminal_print(&text);
	rg_buf_release(&text);
	return err;
}

rg_error *history_ask(command_context *context, void *own)
{
	const history_arguments *arguments = own;
	const output_file outputs[] = {{"--csv", arguments->csv}, {"--json", arguments->json}};
	rg_history_store *history;
	rg_reply reply;

	if (!context->operand_count)
		return list_questions();
	RG_TRY(check_output_files(outputs, 2));
	RG_TRY(rg_flow_open_history(&history, &context->flow));
	rg_error *err = rg_flow_ask(&reply, history, context->operands[0],
				    (const char *const *)context->operands + 1,
				    (size_t)context->operand_count - 1);
	rg_history_close(history);
	RG_TRY(err);
	err = write_reply(context, arguments, &reply);
	if (!err && !reply.count && !context->common->quiet)
		terminal_say("the history has nothing of that");
	rg_reply_release(&reply);
	return err;
}
