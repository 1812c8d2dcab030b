/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "pager.h"
#include "terminal.h"

#include "base/number.h"
#include "base/path.h"
#include "golden/records.h"
#include "store/history.h"

#include <stdlib.h>
#include <string.h>

/* Is it `asked`, or does it end in that after a slash? Without `asked` it is. */
static bool is_named(const char *path, const char *asked)
{
	size_t length = strlen(path), end = asked ? strlen(asked) : 0;

	return !asked || !strcmp(path, asked) ||
	       (length > end && rg_ends_with(path, asked) && path[length - end - 1] == '/');
}

static void print_run(const rg_history_run *run)
{
	printf("%llu  ", (unsigned long long)run->id);
	terminal_print_safe(stdout, run->repository);
	printf("  attempt %u", run->attempt);
	if (*run->when)
		printf("  ");
	terminal_print_safe(stdout, run->when);
	if (*run->branch)
		printf("  ");
	terminal_print_safe(stdout, run->branch);
	printf("  %.10s  %zu golden%s%s\n", run->commit, run->goldens, run->goldens == 1 ? "" : "s",
	       run->complete ? "" : ", not complete");
}

/* Each step of each series, by its record's key where the golden is a table; a text in one line,
 * and an opaque golden's SHA-256. */
static void print_golden(const rg_golden *golden)
{
	char value[RG_DOUBLE_REPR_SIZE], number[RG_STEP_TEXT];
	size_t i, at;

	for (i = 0; i < golden->count; i++) {
		const rg_metric *metric = &golden->metrics[i];
		bool text = metric->kind != RG_METRIC_SERIES;

		for (at = 0; at < (text ? 1 : metric->count); at++) {
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

/* *shown counts the goldens. */
static rg_error *show_run(rg_history_store *history, const rg_history_run *run, const char *file,
			  size_t *shown)
{
	const char **files;
	size_t count, i;
	rg_arena arena;
	rg_error *err;

	rg_arena_init(&arena);
	err = rg_history_files(history, run, 1, &arena, &files, &count);
	for (i = 0; !err && i < count; i++) {
		rg_golden *golden = NULL;

		if (!is_named(files[i], file))
			continue;
		err = rg_error_wrap(rg_history_get(history, run, files[i], UINT64_MAX, &golden),
				    "%s", files[i]);
		if (!golden)
			continue;
		terminal_print_safe(stdout, files[i]);
		putchar('\n');
		(*shown)++;
		print_golden(golden);
		rg_golden_free(golden);
	}
	free(files);
	rg_arena_release(&arena);
	return err;
}

static rg_error *show(const command_context *env, rg_history_store *history,
		      const rg_history_run *runs, size_t count)
{
	const char *file = env->operand_count > 2 ? env->operands[2] : NULL;
	size_t i, found = 0, shown = 0;

	for (i = 0; i < count; i++)
		if (is_named(runs[i].repository, env->common->repository)) {
			found++;
			print_run(&runs[i]);
			RG_TRY(rg_error_wrap(show_run(history, &runs[i], file, &shown), "run %s",
					     env->operands[1]));
		}
	if (!found)
		return rg_error_new(RG_E_NOTFOUND,
				    "run %s: is not in the history; 'regild history' lists what is",
				    env->operands[1]);
	if (file && !shown)
		return rg_error_new(RG_E_NOTFOUND, "run %s: has no golden '%s'", env->operands[1],
				    file);
	return NULL;
}

static rg_error *run_history(command_context *env, void *arguments)
{
	const char *verb = env->operand_count ? env->operands[0] : "list";
	bool lists = !strcmp(verb, "list");
	rg_history_query query = {0};
	rg_history_store *history;
	rg_history_run *runs;
	size_t count, i;
	rg_arena arena;
	rg_error *err;

	(void)arguments;
	if (!lists && strcmp(verb, "show") != 0)
		return usage_error("'%s' is neither list nor show", verb);
	if (lists && env->operand_count > 1)
		return usage_error("unexpected argument '%s'", env->operands[1]);
	if (!lists &&
	    (env->operand_count < 2 ||
	     !rg_uint64_parse(env->operands[1], strlen(env->operands[1]), &query.id) || !query.id))
		return usage_error("show: name a run by its number");
	RG_TRY(rg_history_open(&history, NULL, NULL));
	pager_open(env);
	rg_arena_init(&arena);
	err = rg_history_list(history, &query, &arena, &runs, &count);
	for (i = 0; !err && lists && i < count; i++)
		if (is_named(runs[i].repository, env->common->repository))
			print_run(&runs[i]);
	if (!err && !lists)
		err = show(env, history, runs, count);
	rg_arena_release(&arena);
	rg_history_close(history);
	return err;
}

static const option_group groups[] = {{0}};

const command command_history = {
	.name = "history",
	.summary = "show the runs that audits have kept",
	.operands = "[list | show RUN [FILE]]",
	.operands_max = 3,
	.description = "Lists the runs whose series 'regild audit' has kept, or shows what one of "
		       "them has:\n"
		       "each series in a line or, with FILE (a golden's path, or the end of it), "
		       "each step.",
	.examples = "regild history\n"
		    "regild history show 22651183945",
	.groups = groups,
	.flags = COMMAND_MAY_USE_WORKTREE | COMMAND_READS_NO_SETTINGS,
	.run = run_history,
};
