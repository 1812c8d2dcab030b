/* SPDX-License-Identifier: Apache-2.0 */
#include "choose_run.h"

#include "progress.h"
#include "runs_show.h"
#include "terminal.h"

#include "base/number.h"
#include "base/path.h"
#include "flow/runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* One of `count` that are on the screen; *out is its place. */
static rg_error *ask(const char *what, size_t count, size_t *out)
{
	char answer[32];
	uint64_t number;
	bool end;

	for (;;) {
		fprintf(stderr, "which %s [1-%zu,q,?]? ", what, count);
		RG_TRY(terminal_read_line(answer, sizeof(answer), &end));
		if (end || !strcmp(answer, "q"))
			return rg_error_new(RG_E_CANCELLED, "no %s was chosen; nothing is changed",
					    what);
		if (rg_uint64_parse(answer, strlen(answer), &number) && number && number <= count) {
			*out = (size_t)number - 1;
			return NULL;
		}
		fprintf(stderr, "1 to %zu: the %s of that line; q: none, and nothing is changed\n",
			count, what);
	}
}

/* ---- among workflows ---- */

typedef struct {
	command_context *context;
	progress_display *display; /* of the list under way; closed for the question */
} choosing;

static void end_progress(choosing *c)
{
	progress_close(c->display);
	c->display = NULL;
}

static rg_error *choose_workflow(void *context, const rg_run_list *list, size_t *out)
{
	end_progress(context);
	for (size_t i = 0; i < list->count; i++) {
		const rg_listed_run *run = &list->items[i];
		fprintf(stderr, "%zu  ", i + 1);
		terminal_print_safe(stderr, rg_path_name(run->workflow));
		fprintf(stderr, "  run %llu, ", (unsigned long long)run->id);
		terminal_print_safe(stderr, run->created_at);
		fputc('\n', stderr);
	}
	return ask("workflow", list->count, out);
}

static rg_error *choose_fitting(uint64_t *id, command_context *context, rg_source *source,
				rg_run_choice choice, bool unfinished)
{
	choosing c = {.context = context};
	choice.unfinished = unfinished;
	RG_TRY(progress_open(&c.display, context));
	rg_error *err = rg_flow_choose_run(id, &context->flow, source, &choice,
					   terminal_is_interactive() ? choose_workflow : NULL, &c);
	end_progress(&c);
	return err;
}

/* ---- from a list ---- */

static rg_error *choose_listed(uint64_t *id, command_context *context,
			       const rg_download_options *options)
{
	const rg_runs_options wanted = {.source = options->source,
					.workflow = options->choice.workflow};
	progress_display *display;
	rg_table_style style = {.color = terminal_use_color(context->common->color, stderr),
				.width = terminal_columns(stderr)};
	rg_error *err;
	size_t chosen;
	rg_runs runs;

	RG_TRY(progress_open(&display, context));
	err = rg_runs_open(&runs, &context->flow, &wanted);
	progress_close(display);
	if (!err)
		err = runs_show(&runs, true, &style, stderr);
	if (!err)
		err = ask("run", runs.count, &chosen);
	if (!err)
		*id = runs.rows[chosen].run->id;
	rg_runs_close(&runs);
	return err;
}

rg_error *choose_run(rg_open_source *open, char id[static 32], command_context *context,
		     rg_download_options *options)
{
	bool chosen = rg_run_choice_is_made(&options->choice);
	rg_source_options source = options->source;
	uint64_t number = 0;

	*open = (rg_open_source){0};
	if (options->source.run || (options->source.from.count && !chosen))
		return NULL;
	/* Where its artifacts are kept does not matter yet. */
	source.from = (rg_texts){0};
	if (!chosen && !terminal_is_interactive())
		return usage_error("which run? name it with --run ID or its URL, or say --latest, "
				   "--pr N or --commit REV ('regild runs' lists runs); or name a "
				   "folder or archive with --from");
	RG_TRY(rg_flow_open_source(open, &context->flow, &source));
	RG_TRY(chosen ? choose_fitting(&number, context, open->source, options->choice,
				       options->wait.given || options->in_progress)
		      : choose_listed(&number, context, options));
	snprintf(id, 32, "%llu", (unsigned long long)number);
	options->source.run = id;
	options->choice = (rg_run_choice){0};
	options->source.repository = &open->repository;
	return NULL;
}
