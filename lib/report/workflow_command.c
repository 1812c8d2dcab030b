/* SPDX-License-Identifier: Apache-2.0 */
#include "report/workflow_command.h"

#include "base/utf8.h"

#include <string.h>

void rg_workflow_add_escaped(rg_buf *out, const char *text, bool is_property)
{
	size_t left = strlen(text), width;
	char safe[RG_UTF8_SAFE_SIZE];

	while (left) {
		size_t taken = rg_utf8_next_safe(text, left, safe, &width);

		if (strchr(is_property ? "%\r\n:," : "%\r\n", *text))
			rg_buf_printf(out, "%%%02X", (unsigned)*text);
		else
			rg_buf_str(out, safe);
		text += taken;
		left -= taken;
	}
}

void rg_workflow_add_lines(rg_buf *out, const char *text)
{
	while (*text) {
		size_t blanks = strspn(text, " \t"), line = strcspn(text, "\n");

		rg_buf_add(out, text, blanks);
		if (!strncmp(text + blanks, "::", 2)) {
			rg_buf_str(out, "\\x3a");
			blanks++;
		}
		line += text[line] == '\n';
		rg_buf_add(out, text + blanks, line - blanks);
		text += line;
	}
}
