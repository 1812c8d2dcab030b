/* SPDX-License-Identifier: Apache-2.0 */
#include "worktree/internal.h"

#include <stdarg.h>
#include <stdio.h>

rg_error *rg_git_error(int answer, const char *format, ...)
{
	const git_error *last = git_error_last();
	const char *why = last && last->message ? last->message : "unknown error";
	rg_error_code code = answer == GIT_ENOTFOUND ? RG_E_NOTFOUND : RG_E_GIT;
	char subject[1024];
	va_list args;
	va_start(args, format);
	vsnprintf(subject, sizeof(subject), format, args);
	va_end(args);
	return rg_error_new(code, "%s: %s", subject, why);
}
