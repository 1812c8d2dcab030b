/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

#include "flow/open_source.h"
#include "source/pull_of_run.h"
#include "source/run_url.h"

#include <stdio.h>

typedef struct {
	const char *source;
} pr_of_run_arguments;

#define OF pr_of_run_arguments
static const option options[] = {SOURCE_OPTION(source), {0}};

static rg_error *run(command_context *context, void *own)
{
	const pr_of_run_arguments *given = own;
	const rg_source_options options_of = {.run = context->operands[0],
					      .source = given->source,
					      .repository_name = context->common->repository};
	RG_AUTO(rg_open_source) open = {0};
	uint64_t number = 0;
	RG_AUTO(rg_run_name) name = {0};
	RG_AUTO(rg_run) found;

	rg_run_init(&found);
	RG_TRY(rg_run_name_parse(&name, context->operands[0])); /* it is no --run here */
	RG_TRY(rg_flow_open_source(&open, &context->flow, &options_of));
	RG_TRY(open.source->load(open.source, open.name.id, 0, &found));
	RG_TRY(rg_pull_of_run(&number, open.http, &open.repository, &found));
	printf("%llu\n", (unsigned long long)number);
	return NULL;
}

const command command_pr_of_run = {
	.name = "pr-of-run",
	.summary = "find the pull or merge request of a run",
	.operands = "RUN",
	.missing = "its id or its URL",
	.operands_max = 1,
	.description = "Prints the number of the open pull or merge request of the run's "
		       "repository, branch and commit, also if the run is a fork's. Refuses if "
		       "the request has moved to another commit.",
	.examples = "regild pr-of-run 22651183945",
	.groups = OPTIONS(options),
	.arguments_size = sizeof(pr_of_run_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE | COMMAND_IS_PLUMBING,
	.run = run,
};
