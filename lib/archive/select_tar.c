/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/libarchive.h"
#include "archive/select.h"
#include "archive/select_listed.h"
#include "archive/tar_bytes.h"
#include "base/cancel.h"
#include "base/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/*
 * A tar, packed or not, from front to back:
 *
 *	tar_open(&tar, …);
 *	tar_next(tar, &member, &end), and where a member is wanted tar_read(tar, …), until end
 *	rg_tar_free(tar);
 */
typedef struct rg_tar rg_tar;

enum { BLOCK = 64 << 10 };
/* A tape's last record is filled up with zeros, and is not that long. */
enum { AFTER_END_MAX = 16 << 20 };

struct rg_tar {
	rg_tar_bytes *bytes;
	struct archive *archive;
	rg_error *failed; /* of the bytes, on its way through libarchive */
	bool input_ended;
	bool damaged; /* libarchive does not read on after an error */
	unsigned char block[BLOCK];
};

static la_ssize_t feed(struct archive *archive, void *context, const void **out)
{
	rg_tar *tar = context;
	size_t length;

	(void)archive;
	tar->failed = rg_error_first(tar->failed, rg_tar_bytes_next(tar->bytes, out, &length));
	tar->input_ended = !length;
	return tar->failed ? ARCHIVE_FATAL : (la_ssize_t)length;
}

static la_int64_t leave_out(struct archive *archive, void *context, la_int64_t length)
{
	rg_tar *tar = context;
	(void)archive;
	return (la_int64_t)rg_tar_bytes_skip(tar->bytes, (uint64_t)length);
}

static rg_error *cut_off(const rg_tar *tar)
{
	return rg_error_new(RG_E_PARSE, "it is cut off: its end is missing after %" PRId64 " bytes",
			    (int64_t)libarchive.archive_filter_bytes(tar->archive, 0));
}

/* The reason for which libarchive failed. */
static rg_error *tar_error(rg_tar *tar)
{
	rg_error *failed = tar->failed;
	tar->failed = NULL;
	tar->damaged = true;
	if (failed)
		return failed;
	if (libarchive.archive_errno(tar->archive) == ENOMEM)
		rg_out_of_memory();
	if (!libarchive.archive_format(tar->archive))
		return rg_error_new(RG_E_PARSE, "there is no tar in it");
	return tar->input_ended ? cut_off(tar) : rg_libarchive_error(tar->archive, "it is damaged");
}

static void rg_tar_free(rg_tar *tar)
{
	if (!tar)
		return;
	libarchive.archive_read_free(tar->archive);
	rg_tar_bytes_free(tar->bytes);
	rg_error_free(tar->failed);
	free(tar);
}
RG_FREE_AT(rg_tar)

/* `reader` and `limits` are borrowed. *out is NULL after an error. */
static rg_error *tar_open(rg_tar **out, const rg_reader *reader, const rg_zip_limits *limits)
{
	*out = NULL;
	RG_TRY(rg_libarchive_load());
	RG_AUTO_PTR(rg_tar) tar = rg_calloc(1, sizeof(*tar));
	RG_TRY(rg_tar_bytes_open(&tar->bytes, reader, limits));
	tar->archive = libarchive.archive_read_new();
	if (!tar->archive || libarchive.archive_read_support_format_tar(tar->archive) != ARCHIVE_OK)
		rg_out_of_memory();
	if (libarchive.archive_read_open2(tar->archive, tar, NULL, feed, leave_out, NULL) !=
	    ARCHIVE_OK)
		return tar_error(tar);
	*out = RG_TAKE(tar);
	return NULL;
}

/* A tar ends with blocks of zeros, which libarchive does not require; a packed one has a checksum
 * after them. */
static rg_error *check_end(rg_tar *tar)
{
	const void *bytes;
	size_t length = 1, after = 0;

	if (libarchive.archive_filter_bytes(tar->archive, 0) <=
	    libarchive.archive_read_header_position(tar->archive))
		return cut_off(tar);
	while (length && rg_tar_bytes_is_packed(tar->bytes)) {
		RG_TRY(rg_tar_bytes_next(tar->bytes, &bytes, &length));
		after += length;
		if (after > AFTER_END_MAX)
			return rg_error_new(RG_E_LIMIT, "more than %d bytes follow its end",
					    AFTER_END_MAX);
	}
	return NULL;
}

static void refuse(rg_listed *member, rg_refused refused, const char *why)
{
	if (member->refused)
		return;
	member->refused = refused;
	member->why = why;
}

static void describe(rg_listed *out, struct archive_entry *entry)
{
	const char *name = libarchive.archive_entry_pathname(entry);
	*out = (rg_listed){.name = name ? name : "",
			   .size = (uint64_t)libarchive.archive_entry_size(entry)};
	while (!strncmp(out->name, "./", 2))
		out->name += 2;
	if (libarchive.archive_entry_hardlink(entry)) {
		refuse(out, RG_REFUSED_LINK, "it is a hard link");
		return;
	}
	switch (libarchive.archive_entry_filetype(entry)) {
	case AE_IFREG:
		break;
	case AE_IFDIR:
		out->folder = true;
		break;
	case AE_IFLNK:
		refuse(out, RG_REFUSED_LINK, "it is a symbolic link");
		break;
	default:
		refuse(out, RG_REFUSED_LINK, "it is a device, pipe or socket");
	}
}

/* libarchive warns of names that are not ASCII, which it has no locale for, and gives their bytes.
 * After another warning it would go on without what it could not read. */
static bool is_of_locale(struct archive *archive)
{
#ifdef EFTYPE
	if (libarchive.archive_errno(archive) == EFTYPE)
		return true;
#endif
	return libarchive.archive_errno(archive) == EILSEQ;
}

/*
 * The next member; its texts are good until the next call. Links and devices are refused; names are
 * not checked, but a leading "./" is left out, as is the folder ".". *end once all of the file was
 * seen to be whole. RG_E_PARSE where it is no tar, damaged or cut off, and the errors of
 * rg_tar_bytes_next.
 */
static rg_error *tar_next(rg_tar *tar, rg_listed *member, bool *end)
{
	struct archive_entry *entry;
	int result;

	*end = false;
	*member = (rg_listed){0};
	if (tar->damaged)
		return rg_error_new(RG_E_PARSE, "the tar is damaged before it");
	do {
		RG_TRY(rg_cancel_check());
		result = libarchive.archive_read_next_header(tar->archive, &entry);
		*end = result == ARCHIVE_EOF;
		if (*end)
			return check_end(tar);
		if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
			return tar_error(tar);
		describe(member, entry);
	} while (member->folder && (!*member->name || !strcmp(member->name, ".")));
	if (result == ARCHIVE_WARN && !is_of_locale(tar->archive))
		refuse(member, RG_REFUSED_NAME, "its header is damaged, and with it its name");
	return NULL;
}

/* Hands the bytes of the last member to `sink`. */
static rg_error *tar_read(rg_tar *tar, rg_zip_sink *sink, void *context)
{
	la_ssize_t length;
	do {
		RG_TRY(rg_cancel_check());
		length = libarchive.archive_read_data(tar->archive, tar->block, sizeof(tar->block));
		if (length < 0)
			return tar_error(tar);
		if (length)
			RG_TRY(sink(context, tar->block, (size_t)length));
	} while (length);
	return NULL;
}

/* No list of names is larger: 100,000 members with names of 600 bytes. */
#define NAMES_MAX ((uint64_t)64 << 20)

typedef struct {
	const rg_reader *reader;
	const rg_zip_limits *limits;
	rg_listed *members;
	size_t count, capacity;
	uint64_t names; /* bytes of them */
	rg_arena arena; /* has them */
	/* The second time: */
	rg_tar *tar;
	size_t next; /* the member that tar_next will come to */
} tar_source;

static void tar_source_release(tar_source *source)
{
	rg_tar_free(source->tar);
	free(source->members);
	rg_arena_release(&source->arena);
}

/* Lists the names from a first reading, which also shows that the tar is whole. */
static rg_error *list_members(tar_source *source)
{
	RG_AUTO_PTR(rg_tar) tar = NULL;
	rg_listed member;
	bool end;

	RG_TRY(tar_open(&tar, source->reader, source->limits));
	for (;;) {
		RG_TRY(tar_next(tar, &member, &end));
		if (end)
			return NULL;
		source->names += strlen(member.name) + 1;
		if (source->names > NAMES_MAX)
			return rg_error_new(RG_E_LIMIT,
					    "the names of its members have more than the limit of "
					    "%" PRIu64 " bytes",
					    NAMES_MAX);
		RG_TRY(rg_member_check_count(source->count + 1, source->limits));
		member.name = rg_arena_text(&source->arena, member.name);
		*RG_PUSH(source->members, source->count, source->capacity) = member;
	}
}

static rg_error *read_member(void *context, size_t index, rg_zip_sink *sink, void *sink_context)
{
	tar_source *source = context;
	rg_listed member;
	bool end;

	if (!source->tar)
		RG_TRY(tar_open(&source->tar, source->reader, source->limits));
	while (source->next <= index) {
		RG_TRY(tar_next(source->tar, &member, &end));
		if (end || strcmp(member.name, source->members[source->next].name) != 0)
			return rg_error_new(RG_E_CONFLICT, "the tar was changed while it was read");
		source->next++;
	}
	return tar_read(source->tar, sink, sink_context);
}

rg_error *rg_select_tar(rg_selection *out, const rg_reader *reader, const char *const *patterns,
			size_t count, const rg_zip_limits *limits, rg_selected_fn *take,
			void *context)
{
	rg_selecting run = rg_selecting_of(out, limits, take, context);
	RG_AUTO(tar_source) source = {.reader = reader, .limits = &run.limits};
	const rg_listed_source from = {.read = read_member, .source = &source};

	rg_error *err = list_members(&source);
	if (err && rg_error_get_code(err) == RG_E_PARSE)
		err = rg_error_wrap(err, "not a readable tar");
	RG_TRY(err);
	return rg_select_listed(&run, source.members, source.count, &from, patterns, count);
}
