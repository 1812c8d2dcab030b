/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_BUF_H
#define REGILD_BASE_BUF_H

#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A growing byte buffer with a maximum, always NUL-terminated after its length. Failure is
 * sticky: append freely, then ask rg_buf_check once. After a failure the contents are empty and
 * appends do nothing.
 */

/* A text that is too large to hold is handed over to it piece by piece. */
typedef struct {
	rg_error *(*write)(void *to, const void *bytes, size_t length);
	void *to;
	rg_error *err; /* the first failure, the caller's; nothing is written after it */
} rg_buf_drain;

typedef struct {
	char *data;      /* never NULL after rg_buf_init; points at "" while empty */
	size_t length;   /* bytes, without the terminating NUL */
	size_t capacity; /* bytes allocated, 0 while nothing is */
	size_t max;      /* no more bytes than this */
	bool is_full;
	rg_buf_drain *drain; /* borrowed, for the caller to set; as a rule NULL */
} rg_buf;

/* A maximum for texts that come from ourselves: messages, paths, small documents. */
#define RG_BUF_TEXT ((size_t)1 << 24)
/* None: a text of ours, as long as what it is made of, which had its limit when it was read. It
 * needs no check. */
#define RG_BUF_ANY (SIZE_MAX / 4)
/* The maximum for so many bytes: RG_BUF_ANY, if that is more than a buffer ever holds. */
size_t rg_buf_most(uint64_t bytes);

void rg_buf_init(rg_buf *buf, size_t max);
/* An empty one: RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY). */
rg_buf rg_buf_of(size_t max);
void rg_buf_release(rg_buf *buf);
/* Empties it, keeps the memory, forgives an earlier failure. */
void rg_buf_clear(rg_buf *buf);

void rg_buf_add(rg_buf *buf, const void *bytes, size_t length);
void rg_buf_str(rg_buf *buf, const char *text);
static inline void rg_buf_char(rg_buf *buf, char byte)
{
	if (buf->capacity - buf->length < 2) {
		rg_buf_add(buf, &byte, 1);
		return;
	}
	buf->data[buf->length++] = byte;
	buf->data[buf->length] = '\0';
}
/* In quotes, with each quote in it doubled: as CSV has it. */
void rg_buf_quoted(rg_buf *buf, const char *text, size_t length);
void rg_buf_printf(rg_buf *buf, const char *format, ...) RG_PRINTF(2, 3);
/* Makes room for `extra` bytes more, so that a caller can write into data + length itself. */
bool rg_buf_reserve(rg_buf *buf, size_t extra);
void rg_buf_truncate(rg_buf *buf, size_t length);

/* Hands over what the buffer has to its drain, if there is one and the buffer has `at_least` bytes;
 * to be called where nobody looks at those bytes again. */
void rg_buf_pour(rg_buf *buf, size_t at_least);

/* Fails as another one, whose text is a part of this one's, has failed. */
void rg_buf_inherit(rg_buf *buf, const rg_buf *part);

/* NULL while every append went in; else RG_E_LIMIT ("WHAT: more than N bytes"). */
RG_CHECKED rg_error *rg_buf_check(const rg_buf *buf, const char *what);
/* Keeps the text of one that has no maximum in the arena, and releases the buffer. */
RG_NEVER_NULL char *rg_buf_keep(rg_buf *buf, rg_arena *arena);
/* Hands the bytes over to the caller (who frees them) and empties the buffer; check first. */
char *rg_buf_detach(rg_buf *buf);

/* "%zu run%s": the ending of a noun that is counted. */
static inline const char *rg_plural(size_t count)
{
	return count == 1 ? "" : "s";
}

#endif
