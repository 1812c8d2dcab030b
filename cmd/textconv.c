/* SPDX-License-Identifier: Apache-2.0 */
#include "commands.h"
#include "pager.h"

#include "flow/textconv.h"

#include <stdio.h>

/* A failure is seen when stdout is closed. */
static rg_error *print(void *context, const void *bytes, size_t length)
{
	(void)context;
	fwrite(bytes, 1, length, stdout);
	return NULL;
}

static rg_error *run(command_context *context, void *arguments)
{
	(void)arguments;
	pager_open(context);
	return rg_textconv(context->operands[0], print, NULL);
}

const command command_textconv = {
	.name = "textconv",
	.summary = "print a golden line by line, for git diff",
	.operands = "FILE",
	.operands_max = 1,
	.description = "Prints a line for each value: METRIC STEP VALUE. A file in no known "
		       "format is printed as it is. To have git diff show goldens like this:\n"
		       "    echo '*.json diff=regild' >> .gitattributes\n"
		       "    git config diff.regild.textconv 'regild textconv'",
	.examples = "regild textconv old.json",
	.groups = NO_OPTIONS,
	.flags = COMMAND_IS_PLUMBING | COMMAND_READS_NO_SETTINGS | COMMAND_HANDLES_PENDING,
	.run = run,
};
