/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/tar.h"

#include "base/memory.h"
#include "archive/libarchive.h"
#include "archive/tar_bytes.h"
#include "base/cancel.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

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
			    (int64_t)archive_filter_bytes(tar->archive, 0));
}

/* What libarchive could not do. */
static rg_error *tar_error(rg_tar *tar)
{
	rg_error *failed = tar->failed;
	tar->failed = NULL;
	tar->damaged = true;
	if (failed)
		return failed;
	if (archive_errno(tar->archive) == ENOMEM)
		rg_out_of_memory();
	if (!archive_format(tar->archive))
		return rg_error_new(RG_E_PARSE, "there is no tar in it");
	return tar->input_ended ? cut_off(tar) : rg_libarchive_error(tar->archive, "it is damaged");
}

static rg_error *open_archive(rg_tar *tar)
{
	tar->archive = archive_read_new();
	if (!tar->archive)
		rg_out_of_memory();
	if (archive_read_support_format_tar(tar->archive) != ARCHIVE_OK)
		rg_out_of_memory();
	if (archive_read_open2(tar->archive, tar, NULL, feed, leave_out, NULL) != ARCHIVE_OK)
		return tar_error(tar);
	return NULL;
}

rg_error *rg_tar_open(rg_tar **out, const rg_reader *reader, const rg_zip_limits *limits)
{
	*out = NULL;
	RG_TRY(rg_libarchive_load());
	rg_tar *tar = rg_calloc(1, sizeof(*tar));
	rg_error *err = rg_tar_bytes_open(&tar->bytes, reader, limits);
	if (!err)
		err = open_archive(tar);
	if (err)
		rg_tar_free(tar);
	else
		*out = tar;
	return err;
}

void rg_tar_free(rg_tar *tar)
{
	if (!tar)
		return;
	archive_read_free(tar->archive);
	rg_tar_bytes_free(tar->bytes);
	rg_error_free(tar->failed);
	free(tar);
}

/* A tar ends with blocks of zeros, which libarchive would do without; and what packs it has a
 * checksum after that. */
static rg_error *check_end(rg_tar *tar)
{
	const void *bytes;
	size_t length = 1, after = 0;

	if (archive_filter_bytes(tar->archive, 0) <= archive_read_header_position(tar->archive))
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
	const char *name = archive_entry_pathname(entry);
	*out = (rg_listed){.name = name ? name : "", .size = (uint64_t)archive_entry_size(entry)};
	while (!strncmp(out->name, "./", 2))
		out->name += 2;
	if (archive_entry_hardlink(entry)) {
		refuse(out, RG_REFUSED_LINK, "it is a hard link");
		return;
	}
	switch (archive_entry_filetype(entry)) {
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

static bool is_top(const rg_listed *member)
{
	return member->folder && (!*member->name || !strcmp(member->name, "."));
}

/* libarchive warns of names that are not ASCII, which it has no locale for, and gives their bytes.
 * After another warning it would go on without what it could not read. */
static bool is_of_locale(struct archive *archive)
{
#ifdef EFTYPE
	if (archive_errno(archive) == EFTYPE)
		return true;
#endif
	return archive_errno(archive) == EILSEQ;
}

rg_error *rg_tar_next(rg_tar *tar, rg_listed *member, bool *end)
{
	struct archive_entry *entry;
	int result;

	*end = false;
	*member = (rg_listed){0};
	if (tar->damaged)
		return rg_error_new(RG_E_PARSE, "the tar is damaged before it");
	do {
		RG_TRY(rg_cancel_check());
		result = archive_read_next_header(tar->archive, &entry);
		*end = result == ARCHIVE_EOF;
		if (*end)
			return check_end(tar);
		if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
			return tar_error(tar);
		describe(member, entry);
	} while (is_top(member));
	if (result == ARCHIVE_WARN && !is_of_locale(tar->archive))
		refuse(member, RG_REFUSED_NAME, "its header is damaged, and with it its name");
	return NULL;
}

rg_error *rg_tar_read(rg_tar *tar, rg_zip_sink *sink, void *context)
{
	la_ssize_t length;
	do {
		RG_TRY(rg_cancel_check());
		length = archive_read_data(tar->archive, tar->block, sizeof(tar->block));
		if (length < 0)
			return tar_error(tar);
		if (length)
			RG_TRY(sink(context, tar->block, (size_t)length));
	} while (length);
	return NULL;
}
