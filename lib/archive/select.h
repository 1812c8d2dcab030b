/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_ARCHIVE_SELECT_H
#define REGILD_ARCHIVE_SELECT_H

#include "archive/zip.h"
#include "base/error.h"
#include "base/memory.h"

/*
 * Takes what `regild.files` asks for out of an archive: a zip, a tar, files that somebody lists.
 * All keep the same rules: nothing in them is trusted, and no name is repaired. A pattern is
 * a glob on a member's whole name (so that one without '/' means the zip's top level, and `**`
 * crosses folders); `!` opens the zips that match what comes before it: "golden_artifacts_*.zip!**"
 * "/" "*.bin" (without the quotes) are all .bin files of zips of that name.
 */

typedef struct {
	const char *path; /* the member's name in the innermost archive: "FLOW/MODEL_input.bin" */
	const char *via;  /* the zips it came through, "a.zip" or "a.zip!b.zip"; "" at the top */
	uint64_t size;
	/* Hands its bytes to `sink` and checks them, as rg_zip_extract. An error is to be
	 * returned from the function that takes it: what is wrong with the member becomes a
	 * refusal. Not to be called twice, nor after the function returned. */
	rg_error *(*read)(void *source, rg_zip_sink *sink, void *context);
	void *source;
	/* Says instead where its packed bytes are (rg_zip_locate); NULL where it is of no zip. */
	rg_error *(*locate)(void *source, rg_zip_packed *out);
} rg_selected;

/* Takes a golden, in the order of the archive. Borrowed for the length of the call. Another error
 * than that of `read` stops the selection and is returned from it. */
typedef rg_error *rg_selected_fn(void *context, const rg_selected *selected);

typedef struct {
	const char *name; /* the member's, after "a.zip!" where it is inside; escape when shown */
	/* Why, without a subject. The selection's, or taken over (RG_TAKE). */
	rg_error *err;
	/* A pattern asks for it, or its name is such that none can tell: something is missing.
	 * False for a refused folder, and for a member that nobody wanted (a link beside the
	 * goldens). */
	bool wanted;
	bool twice; /* it is there more than once, and named once here */
} rg_refusal;

typedef struct {
	size_t taken;           /* members handed to the function */
	uint64_t bytes;         /* of them */
	uint64_t unpacked;      /* bytes unpacked, zips inside zips and what failed included */
	rg_refusal *refusals;   /* in the order in which they were met */
	size_t count, capacity; /* of refusals */
	size_t wanted;          /* refusals with `wanted` */
	rg_arena arena;
} rg_selection;

void rg_selection_init(rg_selection *selection);
void rg_selection_release(rg_selection *selection);

/* The most that rg_zip_limits.depth may be set to: each zip in a zip takes a file of its own. */
#define RG_SELECT_DEPTH_MAX 8

/* RG_E_USAGE, naming the pattern, for an empty one, an empty part around '!', or more '!' than
 * `most`, the limit's depth. A '!' after '[' or a backslash is the glob's own. */
RG_CHECKED rg_error *rg_select_check(const char *const *patterns, size_t count, unsigned most);

/* Does any of them ask for a member of that name, or for what is in it? */
void rg_select_wants(bool *out, const char *name, const char *const *patterns, size_t count);
/* *take where one asks for the member itself; what follows the '!' of those that ask for what is in
 * it goes into `inner`, which has room for `count`: *inner_count of them. */
void rg_select_match(bool *take, const char **inner, size_t *inner_count, const char *name,
		     const char *const *patterns, size_t count);

/*
 * Opens the zip over `reader` and hands out what matches any of the patterns, each member once.
 * A member that cannot be had (refused, broken, a CRC that does not fit, beyond a limit, the total
 * one included) becomes a refusal, and its neighbours still come out. Errors are for the zip as a
 * whole: not a zip, a broken directory, the reader failed (RG_E_IO, RG_E_NET, RG_E_AUTH, RG_E_GONE,
 * RG_E_CANCELLED), memory ran out. `out`, which was initialised, is filled as far as it went even
 * then. `limits` NULL: the defaults. Patterns were checked with rg_select_check.
 */
RG_CHECKED rg_error *rg_select_zip(rg_selection *out, const rg_reader *reader,
				   const char *const *patterns, size_t count,
				   const rg_zip_limits *limits, rg_selected_fn *take,
				   void *context);

/*
 * The same for a tar as it is, or packed with gzip, zstd or xz. It is read from front to back,
 * twice: once for the names and to see that it is whole, and once for the bytes. Memory grows with
 * the number of members only. A leading "./", which tar writes itself, is not part of a name.
 * RG_E_PARSE "not a readable tar: …" where it is none, damaged or cut off; RG_E_LIMIT where it has
 * too many members, or unpacks to more than total_size or ratio allow: nothing is taken then.
 */
RG_CHECKED rg_error *rg_select_tar(rg_selection *out, const rg_reader *reader,
				   const char *const *patterns, size_t count,
				   const rg_zip_limits *limits, rg_selected_fn *take,
				   void *context);

/* A member that somebody lists. What the source itself refuses has `refused` and `why`. */
typedef struct {
	const char *name;
	uint64_t size;
	bool folder; /* nothing to take */
	rg_refused refused;
	bool again;      /* as in rg_zip_member */
	const char *why; /* NULL, or a sentence on `refused`, as in rg_zip_member */
} rg_listed;

/* Hands the bytes of the listed member to `sink`. RG_E_PARSE, RG_E_LIMIT, RG_E_UNSAFE,
 * RG_E_MISMATCH and RG_E_NOTFOUND are about this member alone; another error ends the selection. */
typedef rg_error *rg_listed_read(void *source, size_t index, rg_zip_sink *sink, void *context);

/*
 * The same for members that the caller lists and reads: the files of a job, each with a request of
 * its own. `read` is called in the list's order, for what is asked for; it must bring as many bytes
 * as the list says. What is wrong with names and sizes is written into `members`, with texts of
 * `out`.
 */
RG_CHECKED rg_error *rg_select_list(rg_selection *out, rg_listed *members, size_t member_count,
				    rg_listed_read *read, void *source, const char *const *patterns,
				    size_t count, const rg_zip_limits *limits, rg_selected_fn *take,
				    void *context);

/*
 * The same for an artifact that is not a zip but one file as it is (`archive: false`): its name is
 * `name`, and where a pattern with '!' matches it, the file is such a zip. Where nothing matches,
 * nothing is taken.
 */
RG_CHECKED rg_error *rg_select_file(rg_selection *out, const rg_reader *reader, const char *name,
				    const char *const *patterns, size_t count,
				    const rg_zip_limits *limits, rg_selected_fn *take,
				    void *context);

#endif
