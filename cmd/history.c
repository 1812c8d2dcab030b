/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "facts.h"
#include "pager.h"
#include "terminal.h"

#include "base/number.h"
#include "base/path.h"
#include "flow/history_ask.h"
#include "flow/history_files.h"
#include "flow/history_json.h"
#include "flow/history_server.h"
#include "flow/open_history.h"
#include "golden/records.h"

#include <string.h>

/* The options of all parts of `regild history`; each part fills those that it takes. */
typedef struct {
	const char *json, *csv;
	const char *format;
	const char *keep;
	const char *into;
	const char *cluster;
	bool dry_run, replicated;
} history_arguments;

/* --- showing --- */

enum { DOCUMENT_MAX = 1 << 30 };

static void history_close_at(rg_history_store **history)
{
	rg_history_close(*history);
}

#define AUTO_HISTORY __attribute__((cleanup(history_close_at))) rg_history_store *

static rg_error *show_golden(void *context, size_t run, rg_history_golden *golden)
{
	rg_history_choice *choice = context;
	(void)run;
	if (golden->why)
		return rg_error_wrap(golden->why, "%s", golden->path);
	if (!choice->file || rg_path_ends_with(golden->path, choice->file)) {
		choice->shown++;
		terminal_printf(stdout, "%s\n", golden->path);
		/* Prints each step of each series, by its record's key if the golden is a table; a
		 * text in one line, and an opaque golden's SHA-256. */
		char value[RG_DOUBLE_REPR_SIZE], number[RG_STEP_TEXT];
		for (size_t i = 0; i < golden->golden->count; i++) {
			const rg_metric *metric = &golden->golden->metrics[i];
			if (metric->kind != RG_METRIC_SERIES) {
				terminal_printf(stdout, "  %s  %s\n", metric->name, metric->text);
				continue;
			}
			for (size_t at = 0; at < metric->count; at++) {
				rg_double_repr(metric->values[at], value);
				terminal_printf(stdout, "  %s  %s  %s\n", metric->name,
						rg_step_name(metric->records,
							     rg_metric_step(metric, at), number),
						value);
			}
		}
	}
	rg_golden_free(golden->golden);
	return NULL;
}

/* `choice` NULL: the list alone. */
static rg_error *write_runs(command_context *context, const char *json, rg_history_store *history,
			    const rg_history_run *runs, size_t count, rg_history_choice *choice)
{
	if (!json) {
		pager_open(context);
		for (size_t i = 0; i < count; i++) {
			const rg_history_run *run = &runs[i];
			/* Merged histories may have anything as a commit. */
			terminal_printf(
				stdout, "%llu  %s  attempt %u%s%s%s%s  %.10s  %zu golden%s%s\n",
				(unsigned long long)run->id, run->repository, run->attempt,
				*run->when ? "  " : "", run->when, *run->branch ? "  " : "",
				run->branch, run->commit, run->goldens, rg_plural(run->goldens),
				run->complete ? "" : ", not complete");
			if (choice)
				RG_TRY(rg_error_wrap(rg_history_goldens(history, run, 1, UINT64_MAX,
									show_golden, choice),
						     "run %llu", (unsigned long long)run->id));
		}
		return NULL;
	}
	RG_AUTO(rg_buf) text = rg_buf_of(DOCUMENT_MAX);
	RG_TRY(rg_history_json(&text, history, runs, count, choice));
	if (choice && choice->file && !choice->shown)
		return NULL;
	rg_facts facts = facts_of(context);
	if (!choice && count)
		rg_facts_can(&facts, "show the newest run's goldens", "history", "show",
			     rg_arena_textf(&facts.arena, "%llu",
					    (unsigned long long)runs[count - 1].id),
			     NULL);
	return facts_finish_document(&facts, context, json, &text, NULL);
}

static void keep_of_repository(rg_history_run *runs, size_t *count, const char *repository)
{
	size_t kept = 0;
	for (size_t i = 0; i < *count; i++)
		if (rg_history_run_is_of(&runs[i], repository))
			runs[kept++] = runs[i];
	*count = kept;
}

static rg_error *list_and_write(command_context *context, const char *json,
				const rg_history_query *query, rg_history_choice *choice,
				size_t *found)
{
	AUTO_HISTORY history = NULL;
	rg_history_run *runs;
	size_t count = 0;

	*found = 0;
	RG_TRY(check_output_file("--json", json));
	RG_TRY(rg_flow_open_history(&history, &context->flow));
	RG_TRY(rg_history_list(history, query, context->flow.arena, &runs, &count));
	keep_of_repository(runs, &count, context->common->repository);
	*found = count;
	RG_TRY(rg_history_keep_whole(history, &context->flow.log, runs, &count));
	if (count < *found)
		context->exit_code = EXIT_PARTIAL;
	return (count || json) && (*found || !choice)
		       ? write_runs(context, json, history, runs, count, choice)
		       : NULL;
}

static rg_error *check_runs(const command_context *context, rg_history_store *history)
{
	const rg_history_query any = {0};
	rg_arena *arena = context->flow.arena;
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
		terminal_printf(stdout, "run %llu of %s: %llu of %llu rows\n",
				(unsigned long long)runs[i].id, runs[i].repository,
				(unsigned long long)rows[i], (unsigned long long)runs[i].rows);
	}
	if (!context->common->quiet)
		printf("%zu run%s, %zu incomplete\n", count, rg_plural(count), torn);
	return torn ? rg_error_wrap(rg_history_incomplete(), "%zu of %zu runs", torn, count) : NULL;
}

static rg_error *history_check(command_context *context, void *arguments)
{
	AUTO_HISTORY history = NULL;

	(void)arguments;
	RG_TRY(rg_flow_open_history(&history, &context->flow));
	rg_error *err = check_runs(context, history);
	if (!err || rg_error_get_code(err) != RG_E_MISMATCH)
		return err;
	command_miss(context, err);
	return NULL;
}

static rg_error *history_list(command_context *context, void *own)
{
	const history_arguments *arguments = own;
	const char *repository = context->common->repository;
	const rg_history_query any = {0};
	size_t found;

	RG_TRY(list_and_write(context, arguments->json, &any, NULL, &found));
	if (!found && !context->common->quiet)
		terminal_say("no run%s%s is in the history; 'regild audit' keeps the runs that it "
			     "measures",
			     repository ? " of " : "", repository ? repository : "");
	return NULL;
}

static rg_error *history_show(command_context *context, void *own)
{
	const history_arguments *arguments = own;
	rg_history_choice choice = {.file = context->operand_count > 1 ? context->operands[1]
								       : NULL};
	rg_history_query query = {0};
	size_t found;

	if (!rg_uint64_parse(context->operands[0], strlen(context->operands[0]), &query.id) ||
	    !query.id)
		return usage_error("show: missing RUN, the run's number");
	RG_TRY(list_and_write(context, arguments->json, &query, &choice, &found));
	if (!found)
		return rg_error_new(
			RG_E_NOTFOUND,
			"run %s: is not in the history; 'regild history' lists its runs",
			context->operands[0]);
	if (choice.file && !choice.shown && context->exit_code == EXIT_DONE)
		return rg_error_new(RG_E_NOTFOUND, "run %s: has no golden '%s'",
				    context->operands[0], choice.file);
	return NULL;
}

/* --- questions --- */

static rg_error *write_reply(command_context *context, const history_arguments *arguments,
			     const rg_reply *reply)
{
	RG_AUTO(rg_buf) text = rg_buf_of(DOCUMENT_MAX);

	if (arguments->csv) {
		RG_TRY(rg_reply_csv(&text, reply));
		RG_TRY(write_output(arguments->csv, &text));
	}
	if (arguments->json) {
		rg_facts facts = facts_of(context);
		rg_facts_can(&facts, "list the runs of the history", "history", "list", NULL);
		return facts_finish_large(&facts, context, arguments->json, rg_reply_json, reply);
	}
	if (arguments->csv || !reply->count)
		return NULL;
	pager_open(context);
	RG_TRY(rg_reply_table(&text, reply, &context->style));
	terminal_print(&text);
	return NULL;
}

static rg_error *history_ask(command_context *context, void *own)
{
	const history_arguments *arguments = own;
	const output_file outputs[] = {{"--csv", arguments->csv}, {"--json", arguments->json}};
	AUTO_HISTORY history = NULL;
	RG_AUTO(rg_reply) reply = {0};
	RG_AUTO(rg_buf) questions = rg_buf_of(RG_BUF_TEXT);

	if (!context->operand_count && (arguments->csv || arguments->json))
		return usage_error("missing QUESTION; 'regild history ask' lists the questions");
	if (!context->operand_count) {
		rg_questions_list(&questions);
		terminal_print(&questions);
		return NULL;
	}
	RG_TRY(check_output_files(outputs, 2));
	RG_TRY(rg_flow_open_history(&history, &context->flow));
	RG_TRY(rg_flow_ask(&reply, history, context->operands[0],
			   (const char *const *)context->operands + 1,
			   (size_t)context->operand_count - 1));
	RG_TRY(write_reply(context, arguments, &reply));
	if (!reply.count && !context->common->quiet)
		terminal_say("no rows");
	return NULL;
}

/* --- merging --- */

/* "added 3 runs, replaced 1, kept 2, new verdicts on 5 series"; "nothing new, kept 2". */
static void print_merged(command_context *context, const rg_history_merged *merged)
{
	size_t there = merged->same + merged->kept;
	context->changed |= merged->added || merged->replaced || merged->verdicts;
	if (merged->left_out)
		context->exit_code = EXIT_PARTIAL;
	if (context->common->quiet)
		return;
	if (merged->added)
		printf("added %zu run%s", merged->added, rg_plural(merged->added));
	if (merged->replaced)
		printf("%s %zu", merged->added ? ", replaced" : "replaced", merged->replaced);
	if (!merged->added && !merged->replaced)
		printf(merged->verdicts ? "no new runs" : "nothing new");
	if (there)
		printf(", kept %zu", there);
	if (merged->kept)
		printf(" (%zu later or with more)", merged->kept);
	if (merged->verdicts)
		printf(", new verdicts on %zu series", merged->verdicts);
	if (merged->left_out)
		printf(", left out %zu", merged->left_out);
	putchar('\n');
}

/* Adds to `all`, the figures of several merges. */
static rg_error *merge_store(command_context *context, rg_history_store *into,
			     rg_history_store *from, bool by_figures, rg_history_merged *all)
{
	const rg_history_merge_options options = {.into = into,
						  .from = from,
						  .repository = context->common->repository,
						  .bytes_max = RG_CONFIG_GOLDEN_MAX,
						  .by_figures = by_figures,
						  .log = &context->flow.log};
	rg_history_merged one;
	rg_error *err = rg_history_merge(&one, &options);

	all->added += one.added;
	all->replaced += one.replaced;
	all->same += one.same;
	all->kept += one.kept;
	all->verdicts += one.verdicts;
	all->left_out += one.left_out;
	return err;
}

/* A file may be anybody's, and is looked at before. */
static rg_error *merge_from(command_context *context, const char *address, rg_history_store *into,
			    rg_history_merged *all)
{
	AUTO_HISTORY from = NULL;
	RG_TRY(rg_history_is_remote(address)
		       ? rg_flow_open_history_at(&from, &context->flow, address)
		       : rg_history_open_foreign(&from, address));
	return merge_store(context, into, from, false, all);
}

static rg_error *history_merge(command_context *context, void *own)
{
	const history_arguments *arguments = own;
	rg_history_merged all = {0};
	AUTO_HISTORY into = NULL;
	rg_error *err = NULL;

	RG_TRY(arguments->into ? rg_flow_open_history_at(&into, &context->flow, arguments->into)
			       : rg_flow_open_history(&into, &context->flow));
	for (int i = 0; !err && i < context->operand_count; i++)
		err = merge_from(context, context->operands[i], into, &all);
	if (!err || all.added || all.replaced)
		print_merged(context, &all);
	return err;
}

/* Merges the local and the shared history. Neither need be named, and a remote history is not read
 * to compare it. */
static rg_error *exchange(command_context *context, bool push)
{
	rg_history_merged all = {0};
	AUTO_HISTORY shared = NULL;
	AUTO_HISTORY local = NULL;

	RG_TRY(rg_flow_open_shared_history(&shared, &context->flow));
	RG_TRY(rg_flow_open_history_at(&local, &context->flow, NULL));
	rg_error *err =
		merge_store(context, push ? shared : local, push ? local : shared, true, &all);
	if (!err || all.added || all.replaced)
		print_merged(context, &all);
	return err;
}

static rg_error *history_push(command_context *context, void *arguments)
{
	(void)arguments;
	return exchange(context, true);
}

static rg_error *history_pull(command_context *context, void *arguments)
{
	(void)arguments;
	return exchange(context, false);
}

/* --- files for others --- */

static rg_error *history_export(command_context *context, void *own)
{
	const history_arguments *arguments = own;
	AUTO_HISTORY history = NULL;
	rg_history_exported done;

	RG_TRY(rg_flow_open_history(&history, &context->flow));
	const rg_history_export_options options = {.history = history,
						   .folder = context->operands[0],
						   .repository = context->common->repository,
						   .csv = arguments->format &&
							  !strcmp(arguments->format, "csv")};
	rg_error *err = rg_history_export(&done, &context->flow, &options);
	context->changed = done.files > 0;
	if (done.left_out)
		context->exit_code = EXIT_PARTIAL;
	if (!err && !context->common->quiet)
		terminal_printf(stdout, "wrote %zu run%s in %zu file%s to %s\n", done.runs,
				rg_plural(done.runs), done.files, rg_plural(done.files),
				options.folder);
	return err;
}

static rg_error *history_import(command_context *context, void *arguments)
{
	rg_history_merged merged;
	AUTO_HISTORY into = NULL;

	(void)arguments;
	RG_TRY(rg_flow_open_history(&into, &context->flow));
	RG_TRY(rg_history_import(&merged, &context->flow, into, context->operands,
				 (size_t)context->operand_count));
	print_merged(context, &merged);
	return NULL;
}

/* --- a shared history's server --- */

static rg_history_layout layout_of(const history_arguments *arguments)
{
	return (rg_history_layout){arguments->cluster, arguments->replicated};
}

static rg_error *history_ddl(command_context *context, void *own)
{
	const rg_history_layout layout = layout_of(own);
	RG_AUTO(rg_buf) statements = rg_buf_of(RG_BUF_TEXT);
	RG_TRY(rg_flow_history_ddl(&statements, &context->flow, &layout));
	fputs(statements.data, stdout);
	return NULL;
}

static rg_error *history_init(command_context *context, void *own)
{
	const rg_history_layout layout = layout_of(own);
	RG_AUTO(rg_buf) statements = rg_buf_of(RG_BUF_TEXT);
	RG_TRY(rg_flow_history_init(&statements, &context->flow, &layout));
	fputs(statements.data, stdout);
	return NULL;
}

static rg_error *history_migrate(command_context *context, void *own)
{
	const rg_history_layout layout = layout_of(own);
	RG_AUTO(rg_buf) statements = rg_buf_of(RG_BUF_TEXT);
	bool file, done;

	RG_TRY(rg_flow_history_migrate(&statements, &context->flow, &layout, &file, &done));
	fputs(statements.data, stdout);
	if (!file)
		return NULL;
	context->changed = done;
	if (!context->common->quiet)
		puts(done ? "the history is now up to date" : "the history was already up to date");
	return NULL;
}

/* --- removing --- */

static rg_error *history_prune(command_context *context, void *own)
{
	const history_arguments *arguments = own;
	const char *keep = arguments->keep;
	const size_t digits = keep ? strspn(keep, "0123456789") : 0;
	RG_AUTO(rg_buf) statements = rg_buf_of(DOCUMENT_MAX);
	AUTO_HISTORY history = NULL;
	rg_history_pruned pruned;
	uint64_t days;

	if (!keep)
		return usage_error("prune: missing option: --keep DAYS, as in --keep 400d");
	if (strcmp(keep + digits, "d") != 0 || !rg_uint64_parse(keep, digits, &days) ||
	    days > 100000)
		return usage_error("--keep: '%s' is not a number of days such as 400d", keep);
	RG_TRY(rg_flow_open_history(&history, &context->flow));
	RG_TRY(rg_history_prune(&pruned, history, context->common->repository, (unsigned)days,
				arguments->dry_run));
	rg_history_close(RG_TAKE(history));
	context->changed = pruned.runs && !arguments->dry_run;
	char size[RG_SIZE_TEXT];
	printf("%s %zu run%s", arguments->dry_run ? "would remove" : "removed", pruned.runs,
	       rg_plural(pruned.runs));
	if (pruned.freed) {
		rg_size_text(pruned.freed, size);
		printf(" and %s %s", arguments->dry_run ? "free" : "freed", size);
	}
	printf(", %s %zu", arguments->dry_run ? "keep" : "kept", pruned.kept);
	if (pruned.undated)
		printf(", %zu of them without a time", pruned.undated);
	putchar('\n');
	if (!arguments->dry_run) {
		RG_TRY(rg_flow_history_free_disks(&statements, &context->flow));
		fputs(statements.data, stdout);
	}
	return NULL;
}

/* --- the command --- */

#define OF history_arguments
/* clang-format off */
static const option json_options[] = {
	OPTION("json", "FILE", json, "write JSON instead; '-' is stdout"),
	{0},
};

static const option ask_options[] = {
	OPTION("csv", "FILE", csv, "write CSV instead; '-' is stdout"),
	OPTION("json", "FILE", json, "write JSON instead; '-' is stdout"),
	{0},
};

static const option merge_options[] = {
	OPTION("into", "ADDRESS", into, "the history to add to: a file or a server's address"),
	{0},
};

static const option export_options[] = {
	OPTION("format", "FORMAT", format, "jsonl or csv (default: jsonl)", .choices = "jsonl|csv"),
	{0},
};

static const option prune_options[] = {
	OPTION("keep", "DAYS", keep, "the age of the oldest runs to keep, such as 400d (required)", .needed = true),
	OPTION("dry-run", NULL, dry_run, "show what would be removed and stop", .letter = 'n'),
	{0},
};

static const option layout_options[] = {
	OPTION("cluster", "NAME", cluster, "spread the tables over this ClickHouse cluster"),
	OPTION("replicated", NULL, replicated, "the cluster's shards have replicas"),
	{0},
};

/* clang-format on */

/* Every part has these. */
#define PART .arguments_size = sizeof(history_arguments), .flags = COMMAND_MAY_USE_WORKTREE

/* clang-format off */
static const command *const parts[] = {
	&(const command){PART, .run = history_list, .groups = OPTIONS(json_options),
		.name = "history list",
		.summary = "list the runs that audits have kept (the default)",
		.description = "Lists the runs that 'regild audit' has kept."},
	&(const command){PART, .run = history_show, .groups = OPTIONS(json_options),
		.name = "history show",
		.summary = "show the values of a run",
		.operands = "RUN [FILE]", .operands_max = 2,
		.missing = "the run's number",
		.description = "Shows each step of each series of a run, or only of FILE, which "
			       "is a golden's path or the end of it.",
		.examples = "regild history show 22651183945"},
	&(const command){PART, .run = history_check, .groups = NO_OPTIONS,
		.name = "history check",
		.summary = "count what the history has of each run",
		.description = "Counts what the history has of each run, and so finds a server's "
			       "replica that lags behind.",
		.examples = "regild history check"},
	&(const command){PART, .run = history_ask, .groups = OPTIONS(ask_options),
		.name = "history ask",
		.summary = "answer a question: a curve, drift, a commit's figures, what is flaky",
		.operands = "[QUESTION [NAME=VALUE...]]", .operands_max = -1,
		.description = "Answers one of the questions of regild-history(7) with a table. "
			       "Without QUESTION, lists the questions and their values.",
		.examples = "regild history ask flaky metric='%loss%'"},
	&(const command){PART, .run = history_merge, .groups = OPTIONS(merge_options),
		.name = "history merge",
		.summary = "add the runs of other histories",
		.description = "Adds the runs of other histories to the local one, or to that of "
			       "--into.",
		.operands = "FROM...", .operands_max = -1,
		.examples = "regild history merge kept/history.db"},
	&(const command){PART, .run = history_export, .groups = OPTIONS(export_options),
		.name = "history export",
		.summary = "write the runs to files that other programs read",
		.description = "Writes the runs to files in DIR, one for each day. "
			       "regild-export(5) describes them.",
		.operands = "DIR", .operands_max = 1,
		.examples = "regild history export exported --format csv"},
	&(const command){PART, .run = history_import, .groups = NO_OPTIONS,
		.name = "history import",
		.summary = "add the runs of exported files",
		.description = "Adds the runs of files that 'regild history export' wrote.",
		.operands = "FILE...", .operands_max = -1},
	&(const command){PART, .run = history_prune, .groups = OPTIONS(prune_options),
		.name = "history prune",
		.summary = "remove runs older than --keep",
		.description = "Removes runs that are older than --keep, but no run without a time.",
		.examples = "regild history prune --keep 400d --dry-run"},
	&(const command){PART, .run = history_push, .groups = NO_OPTIONS,
		.name = "history push",
		.summary = "merge the local history into the shared one (regild.history)",
		.description = "Merges the local history into the shared one, which "
			       "regild.history names."},
	&(const command){PART, .run = history_pull, .groups = NO_OPTIONS,
		.name = "history pull",
		.summary = "merge the shared history into the local one",
		.description = "Merges the shared history, which regild.history names, into the "
			       "local one."},
	&(const command){PART, .run = history_ddl, .groups = OPTIONS(layout_options),
		.name = "history ddl",
		.summary = "print the SQL that makes a shared history's tables",
		.description = "Prints the statements that make a shared history's tables on "
			       "ClickHouse.",
		.examples = "regild history ddl --cluster ci"},
	&(const command){PART, .run = history_init, .groups = OPTIONS(layout_options),
		.name = "history init",
		.summary = "make these tables on a server",
		.description = "Makes a shared history's tables on the server of regild.history. "
			       "For a cluster, prints the statements instead."},
	&(const command){PART, .run = history_migrate, .groups = OPTIONS(layout_options),
		.name = "history migrate",
		.summary = "upgrade a history that the previous version made",
		.description = "Upgrades a history that the previous version of regild made. For "
			       "a cluster, prints the statements instead."},
	NULL,
};
/* clang-format on */

const command command_history = {
	PART,
	.name = "history",
	.summary = "show and share what audits have measured",
	.parts = parts,
	.operands = "[COMMAND]",
	.stray = "a command comes first: 'regild history show RUN'",
	.description =
		"Shows and shares the runs that 'regild audit' has kept. Without COMMAND, lists "
		"them. 'regild history COMMAND --help' shows a command's options.",
	.examples = "regild history\n"
		    "regild history show 22651183945\n"
		    "regild history ask flaky metric='%loss%'\n"
		    "regild history merge kept/history.db\n"
		    "regild history export exported --format csv\n"
		    "regild history prune --keep 400d --dry-run\n"
		    "regild history ddl --cluster ci",
	.groups = OPTIONS(json_options),
	.run = history_list,
};
