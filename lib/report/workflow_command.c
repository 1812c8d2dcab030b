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
