/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"

#include "flow/open_source.h"
#include "source/pull_of_run.h"
#include "source/run_url.h"

#include <stdio.h>

typedef struct {
	const char *source;
} pr_of_run_arguments;

/* clang-format off */
static const option options[] = {
	{.name = "source", .argument = "KIND", .choices = "github|gitlab",
	 OPTION_FIELD(pr_of_run_arguments, source),
	 .help = "the CI: github or gitlab (default: from the repository's host)"},
	{0},
};
/* clang-format on */

static rg_error *run(command_context *context, void *own)
{
	const pr_of_run_arguments *given = own;
	const rg_source_options options_of = {.run = context->operands[0],
					      .source = given->source,
					      .repository_name = context->common->repository};
	rg_open_source open;
	uint64_t number = 0;
	rg_run_name name;
	rg_run found;

	RG_TRY(rg_run_name_parse(&name, context->operands[0])); /* it is no --run here */
	rg_run_name_release(&name);
	rg_run_init(&found);
	rg_error *err = rg_flow_open_source(&open, &context->flow, &options_of);
	if (!err)
		err = open.source->load(open.source, open.name.id, 0, &found);
	if (!err)
		err = rg_pull_of_run(&number, open.http, &open.repository, &found);
	if (!err)
		printf("%llu\n", (unsigned long long)number);
	rg_run_release(&found);
	rg_flow_close_source(&open);
	return err;
}

const command command_pr_of_run = {
	.name = "pr-of-run",
	.summary = "find the pull or merge request of a run",
	.operands = "RUN",
	.operands_min = 1,
	.missing = "which RUN? its id or its URL",
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
