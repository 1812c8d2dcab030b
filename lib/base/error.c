/* SPDX-License-Identifier: Apache-2.0 */
#define RG_ERROR_IMPLEMENTATION
#include "base/error.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rg_error {
	rg_error_code code;
	int saved_errno;
	char *message;
};

static rg_error *error_with_text(rg_error_code code, int saved_errno, char *text)
{
	rg_error *err = rg_malloc(sizeof(*err));
	*err = (rg_error){.code = code, .saved_errno = saved_errno, .message = text};
	return err;
}

const char *rg_errno_text(int number, char out[static RG_ERRNO_TEXT])
{
	/* glibc has two functions of this name. GNU's, which _GNU_SOURCE would choose, returns a
	 * text that need not be in `out`: it does not compile here. */
	int failed = strerror_r(number, out, RG_ERRNO_TEXT);

	if (failed)
		snprintf(out, RG_ERRNO_TEXT, "error %d", number);
	return out;
}

rg_error *rg_error_new(rg_error_code code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = rg_vtextf(format, args);
	va_end(args);
	return error_with_text(code, 0, text);
}

rg_error *rg_error_io(int saved_errno, const char *format, ...)
{
	char reason[RG_ERRNO_TEXT];
	va_list args;

	va_start(args, format);
	RG_AUTO_FREE char *subject = rg_vtextf(format, args);
	va_end(args);
	return error_with_text(RG_E_IO, saved_errno,
			       rg_textf("%s: %s", subject, rg_errno_text(saved_errno, reason)));
}

rg_error *rg_error_wrap(rg_error *err, const char *format, ...)
{
	va_list args;
	if (!err)
		return err;
	va_start(args, format);
	RG_AUTO_FREE char *subject = rg_vtextf(format, args);
	va_end(args);
	RG_AUTO_FREE char *before = err->message;
	err->message = rg_textf("%s: %s", subject, before);
	return err;
}

rg_error *rg_error_drop_subject(rg_error *err, const char *subject)
{
	size_t length = strlen(subject);
	if (!err)
		return err;
	char *text = err->message;
	if (!strncmp(text, subject, length) && !strncmp(text + length, ": ", 2))
		memmove(text, text + length + 2, strlen(text + length + 2) + 1);
	return err;
}

rg_error *rg_error_first(rg_error *first, rg_error *second)
{
	if (!first)
		return second;
	rg_error_free(second);
	return first;
}

rg_error_code rg_error_get_code(const rg_error *err)
{
	return err->code;
}

int rg_error_errno(const rg_error *err)
{
	return err->saved_errno;
}

const char *rg_error_message(const rg_error *err)
{
	return err->message;
}

void rg_error_free(rg_error *err)
{
	if (!err)
		return;
	free(err->message);
	free(err);
}
