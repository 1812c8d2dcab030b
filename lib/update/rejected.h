/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_UPDATE_REJECTED_H
#define REGILD_UPDATE_REJECTED_H

#include "base/buf.h"
#include "base/memory.h"

/*
 * Goldens that were looked at and found to be wrong: a file at the repository's root, reviewed like
 * any other, with a line "SHA256  PATH  TEXT" for each. It may have come with a clone: all that it
 * can do is hold a golden back. Blank lines and those that begin with '#' do not count.
 */
#define RG_REJECTED_FILE ".regild-rejected"
/* Bytes of the file, and of the text of a line. */
#define RG_REJECTED_MAX      ((size_t)4 << 20)
#define RG_REJECTED_TEXT_MAX 500

typedef struct {
	const char *sha256; /* of the golden's bytes */
	const char *path;   /* from the repository's root */
	const char *why;
} rg_rejection;

typedef struct {
	rg_rejection *items; /* in the file's order */
	size_t count, capacity;
	rg_arena arena;
} rg_rejections;

/* `code`, where a line cannot hold the path, which rg_path_check lets through, or the text. */
RG_CHECKED rg_error *rg_rejection_check(rg_error_code code, const char *path, const char *why);

/* RG_E_PARSE "line 3: …" for what is not made so. `out` is released whatever comes back. */
RG_CHECKED rg_error *rg_rejections_parse(rg_rejections *out, const char *text, size_t length);
/* The file of the folder `tree`; none where there is no such file. `text` may be NULL; else it gets
 * the file's bytes. */
RG_CHECKED rg_error *rg_rejections_read(rg_rejections *out, int tree, rg_buf *text);
void rg_rejections_release(rg_rejections *rejections);

/* NULL: nobody has rejected these bytes of that golden. */
const rg_rejection *rg_rejections_find(const rg_rejections *rejections, const char *path,
				       const char *sha256);

#endif
