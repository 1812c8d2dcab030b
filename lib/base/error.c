/* SPDX-License-Identifier: Apache-2.0 */
#define RG_ERROR_IMPLEMENTATION
#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rg_error {
	rg_error_code code;
	int saved_errno;
	char *message; /* NULL only in the static out-of-memory error */
};

static rg_error out_of_memory = {RG_E_NOMEM, 0, NULL};

rg_error *rg_error_nomem(void)
{
	return &out_of_memory;
}

/* Formats into a fresh string; NULL when memory ran out. */
static char *format_text(const char *format, va_list args) RG_PRINTF(1, 0);
static char *format_text(const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	if (length < 0)
		return NULL;
	char *text = malloc((size_t)length + 1);
	if (text)
		vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

static char *join(const char *head, const char *tail)
{
	size_t head_length = strlen(head), tail_length = strlen(tail);
	char *text = malloc(head_length + tail_length + 3);

	if (text) {
		memcpy(text, head, head_length);
		memcpy(text + head_length, ": ", 2);
		memcpy(text + head_length + 2, tail, tail_length + 1);
	}
	return text;
}

static rg_error *error_with_text(rg_error_code code, int saved_errno, char *text)
{
	rg_error *err;
	if (!text)
		return rg_error_nomem();
	err = malloc(sizeof(*err));
	if (!err) {
		free(text);
		return rg_error_nomem();
	}
	err->code = code;
	err->saved_errno = saved_errno;
	err->message = text;
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
	char *text = format_text(format, args);
	va_end(args);
	return error_with_text(code, 0, text);
}

rg_error *rg_error_io(int saved_errno, const char *format, ...)
{
	char reason[RG_ERRNO_TEXT];
	va_list args;

	va_start(args, format);
	char *subject = format_text(format, args);
	va_end(args);
	char *text = subject ? join(subject, rg_errno_text(saved_errno, reason)) : NULL;
	free(subject);
	return error_with_text(RG_E_IO, saved_errno, text);
}

rg_error *rg_error_wrap(rg_error *err, const char *format, ...)
{
	va_list args;
	if (!err || err == &out_of_memory)
		return err;
	va_start(args, format);
	char *subject = format_text(format, args);
	va_end(args);
	char *text = subject ? join(subject, err->message) : NULL;
	free(subject);
	if (!text)
		return err; /* the lower message alone is better than none */
	free(err->message);
	err->message = text;
	return err;
}

rg_error *rg_error_drop_subject(rg_error *err, const char *subject)
{
	size_t length = strlen(subject);
	if (!err || err == &out_of_memory)
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
	return err->message ? err->message : "out of memory";
}

void rg_error_free(rg_error *err)
{
	if (!err || err == &out_of_memory)
		return;
	free(err->message);
	free(err);
}
