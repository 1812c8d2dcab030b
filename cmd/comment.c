/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "terminal.h"

#include "flow/comment.h"

#include <stdio.h>
#include <string.h>

typedef struct {
	rg_comment_options comment;
	rg_optional_integer pull;
	const char *on;
	rg_report_options report;
} comment_arguments;

#define OF comment_arguments
/* clang-format off */
static const option options[] = {
	OPTION("pr", "N", pull, "the pull or merge request", .minimum = 1, .needed = true),
	OPTION("key", "KEY", comment.key, "which of several comments to write (default: goldens)"),
	OPTION("on", "WHEN", on,
	       "always, or look: write a new comment only if something needs review (default: always)",
	       .choices = "always|look"),
	OPTION("delete", NULL, comment.remove, "delete the comment if nothing needs review"),
	OPTION("head", "SHA", comment.head, "write nothing if the request has moved to another commit"),
	OPTION("page-url", "URL", comment.page, "link to the page at this https:// address"),
	OPTION("source", "KIND", comment.source,
	       "the server: github or gitlab (default: from the repository's host)",
	       .choices = "github|gitlab"),
	OPTION("template", "FILE", report.template_file,
	       "render a comparison's summary from this template"),
	OPTION("max-chars", "N", report.max_chars,
	       "the comment's maximum length in bytes (default: GitHub's limit)",
	       .minimum = 1000, .maximum = 60000),
	OPTION("dry-run", NULL, comment.dry_run,
	       "print the request and the comment that would be sent, and send nothing", .letter = 'n'),
	{0},
};
/* clang-format on */

static rg_error *show(const rg_comment_result *result, bool dry_run)
{
	static const char *const done[] = {
		[RG_COMMENT_CREATED] = "the comment is written",
		[RG_COMMENT_UPDATED] = "the comment is updated",
		[RG_COMMENT_UNCHANGED] = "the comment is there already, and is not changed",
		[RG_COMMENT_HIDDEN] = "somebody has hidden the comment, and it is not changed",
		[RG_COMMENT_DELETED] = "nothing to review: the comment is deleted",
		[RG_COMMENT_NONE] = "nothing to review: no comment is written"};

	if (!dry_run || !result->request) {
		puts(done[result->outcome]);
		return NULL;
	}
	terminal_print_safe(stdout, result->request);
	putchar('\n');
	return result->outcome == RG_COMMENT_DELETED ? NULL : write_output("-", &result->body);
}

static rg_error *run(command_context *context, void *own)
{
	comment_arguments *given = own;
	rg_comment_options *options_of = &given->comment;
	RG_AUTO(rg_comment_result) result = {0};
	RG_AUTO(rg_report) report = {0};
	RG_AUTO(rg_comment_summary) summary = {0};

	if (!given->pull.given)
		return usage_error("missing option: --pr N, the request");
	options_of->pull = given->pull.value;
	options_of->key = options_of->key ? options_of->key : "goldens";
	options_of->on_look = given->on && !strcmp(given->on, "look");
	options_of->repository_name = context->common->repository;
	RG_TRY(rg_report_prepare(&report, &context->flow, &given->report));
	RG_TRY(rg_comment_summarise(&summary, &report, context->operands[0]));
	rg_error *err = rg_comment_run(&result, &context->flow, &summary, options_of);
	context->changed = result.written;
	if (!err)
		return show(&result, options_of->dry_run);
	if (rg_error_get_code(err) == RG_E_AUTH && result.body.length)
		/* so that the job's log has it at least */
		rg_error_free(write_output("-", &result.body));
	return err;
}

const command command_comment = {
	.name = "comment",
	.summary = "write or update one comment on a pull or merge request",
	.operands = "FILE",
	.missing = "--json FILE of 'regild compare' or 'regild triage' writes one",
	.operands_max = 1,
	.description =
		"Writes the summary of a comparison or triage, from the file that --json wrote, as "
		"a comment on a GitHub pull request or a note on a GitLab merge request. Updates "
		"the comment that it wrote before: there is only one with the same key.",
	.examples = "regild comment rows.json --pr 1234 --on look --delete --dry-run",
	.groups = OPTIONS(options),
	.arguments_size = sizeof(comment_arguments),
	.flags = COMMAND_MAY_USE_WORKTREE,
	.run = run,
};
