/* SPDX-License-Identifier: Apache-2.0 */
#include "base/shell.h"

#include <string.h>

void rg_shell_quote(rg_buf *line, const char *argument)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789-_./:=,@%+";

	if (*argument && !argument[strspn(argument, plain)]) {
		rg_buf_str(line, argument);
		return;
	}
	rg_buf_char(line, '\'');
	for (const char *p = argument; *p; p++)
		if (*p == '\'')
			rg_buf_str(line, "'\\''");
		else
			rg_buf_char(line, *p);
	rg_buf_char(line, '\'');
}
