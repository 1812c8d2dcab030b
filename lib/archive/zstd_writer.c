/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/zstd_writer.h"

#include "base/memory.h"
#include "archive/libarchive.h"
#include "base/file.h"

#include <stdlib.h>

struct rg_zstd_writer {
	struct archive *archive;
	int fd;
	const char *path;
	rg_error *failed; /* to write, on its way through libarchive */
	bool given_up;    /* nothing more is written */
};

static la_ssize_t write_packed(struct archive *archive, void *context, const void *bytes,
			       size_t length)
{
	rg_zstd_writer *writer = context;
	(void)archive;
	if (!writer->failed && !writer->given_up)
		writer->failed = rg_write_all(writer->fd, bytes, length, writer->path);
	return writer->failed ? -1 : (la_ssize_t)length;
}

static rg_error *explain(rg_zstd_writer *writer)
{
	rg_error *failed = writer->failed;
	writer->failed = NULL;
	return failed ? failed
		      : rg_error_wrap(rg_libarchive_error(writer->archive,
							  "libarchive cannot pack with zstd"),
				      "%s", writer->path);
}

rg_error *rg_zstd_writer_open(rg_zstd_writer **out, int fd, const char *path)
{
	*out = NULL;
	RG_TRY(rg_libarchive_load());
	rg_zstd_writer *writer = rg_calloc(1, sizeof(*writer));
	writer->fd = fd;
	writer->path = path;
	writer->archive = libarchive.archive_write_new();
	int status = libarchive.archive_write_add_filter_zstd(writer->archive);
	/* A warning: it would run a program of that name. */
	if (status == ARCHIVE_OK)
		status = libarchive.archive_write_set_format_raw(writer->archive);
	/* No zeros that fill a block. */
	if (status == ARCHIVE_OK)
		status = libarchive.archive_write_set_bytes_in_last_block(writer->archive, 1);
	if (status == ARCHIVE_OK)
		status = libarchive.archive_write_open(writer->archive, writer, NULL, write_packed,
						       NULL);
	if (status == ARCHIVE_OK) {
		struct archive_entry *entry = libarchive.archive_entry_new();
		libarchive.archive_entry_set_filetype(entry, AE_IFREG);
		libarchive.archive_entry_set_pathname(entry, "data");
		status = libarchive.archive_write_header(writer->archive, entry);
		libarchive.archive_entry_free(entry);
	}
	if (status != ARCHIVE_OK)
		return rg_zstd_writer_close(writer, explain(writer));
	*out = writer;
	return NULL;
}

rg_error *rg_zstd_writer_add(rg_zstd_writer *writer, const void *bytes, size_t length)
{
	if (length &&
	    libarchive.archive_write_data(writer->archive, bytes, length) != (la_ssize_t)length)
		return explain(writer);
	return NULL;
}

rg_error *rg_zstd_writer_close(rg_zstd_writer *writer, rg_error *err)
{
	if (!writer)
		return err;
	/* A file that is not to be whole need not be written any further; libarchive frees all that
	 * it has when it closes, and not after archive_write_fail. */
	writer->given_up = err != NULL;
	if (writer->archive && libarchive.archive_write_close(writer->archive) != ARCHIVE_OK &&
	    !err)
		err = explain(writer);
	libarchive.archive_write_free(writer->archive);
	rg_error_free(writer->failed);
	free(writer);
	return err;
}
