/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/zip_writer.h"

#include "base/cancel.h"
#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <minizip/zip.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

enum { MADE_BY_UNIX = 3 << 8 | 30, UTF8_FLAG = 1 << 11, BLOCK = 256 << 10 };
enum { FIRST_DOS_DAY = 1 << 21 | 1 << 16 }; /* 1980-01-01, 00:00 */
/* A member that zlib makes larger must still fit 32 bits. */
#define ZIP64_FROM   ((uint64_t)0xf0000000)
#define REGULAR_0644 ((uLong)0100644 << 16)

struct rg_zip_writer {
	int fd;
	const char *name;
	uint64_t at, size; /* minizip's place in the file; where that ends */
	rg_error *err;     /* the first that writing came to, owned */
	zipFile minizip;
	char *last;  /* the name added last */
	size_t held; /* bytes before `at` that are not written yet */
	unsigned char block[BLOCK], contents[BLOCK];
};

static voidpf ZCALLBACK open_file(voidpf opaque, const void *name, int mode)
{
	(void)name;
	(void)mode;
	return opaque;
}

static void flush(rg_zip_writer *writer)
{
	if (!writer->err)
		writer->err = rg_write_all(writer->fd, writer->block, writer->held, writer->name);
	writer->held = 0;
}

/* A write that fails is not minizip's to know: it would leak what it holds. Its file goes nowhere
 * then, and every call that writes asks for the error afterwards. */
static uLong ZCALLBACK write_file(voidpf opaque, voidpf stream, const void *bytes, uLong size)
{
	rg_zip_writer *writer = stream;
	const unsigned char *from = bytes;
	uLong left = size;

	(void)opaque;
	while (left) {
		size_t room = BLOCK - writer->held, part = left < room ? left : room;
		memcpy(writer->block + writer->held, from, part);
		writer->held += part;
		from += part;
		left -= part;
		if (writer->held == BLOCK)
			flush(writer);
	}
	writer->at += size;
	if (writer->size < writer->at)
		writer->size = writer->at;
	return size;
}

static uLong ZCALLBACK read_nothing(voidpf opaque, voidpf stream, void *bytes, uLong size)
{
	(void)opaque;
	(void)stream;
	(void)bytes;
	(void)size;
	return 0;
}

static ZPOS64_T ZCALLBACK tell_place(voidpf opaque, voidpf stream)
{
	const rg_zip_writer *writer = stream;
	(void)opaque;
	return writer->at;
}

/* minizip goes back to fill a local header in. */
static long ZCALLBACK seek_place(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin)
{
	rg_zip_writer *writer = stream;
	uint64_t from = 0;

	(void)opaque;
	if (origin == ZLIB_FILEFUNC_SEEK_CUR)
		from = writer->at;
	else if (origin == ZLIB_FILEFUNC_SEEK_END)
		from = writer->size;
	if (offset > writer->size - from)
		return -1;
	flush(writer);
	writer->at = from + offset;
	if (!writer->err && lseek(writer->fd, (off_t)writer->at, SEEK_SET) < 0)
		writer->err = rg_error_io(errno, "%s", writer->name);
	return 0;
}

static int ZCALLBACK no_failure(voidpf opaque, voidpf stream)
{
	(void)opaque;
	(void)stream;
	return 0;
}

/* Turns the result of a call to minizip into an error. */
static rg_error *outcome(rg_zip_writer *writer, int result)
{
	rg_error *err = writer->err;
	writer->err = NULL;
	if (err || result == ZIP_OK)
		return err;
	return rg_error_new(RG_E_IO, "%s: minizip cannot write it (%d)", writer->name, result);
}

rg_zip_writer *rg_zip_writer_new(int fd, const char *name)
{
	rg_zip_writer *writer = rg_calloc(1, sizeof(*writer));
	zlib_filefunc64_def functions = {.zopen64_file = open_file,
					 .zread_file = read_nothing,
					 .zwrite_file = write_file,
					 .ztell64_file = tell_place,
					 .zseek64_file = seek_place,
					 .zclose_file = no_failure,
					 .zerror_file = no_failure,
					 .opaque = writer};

	writer->fd = fd;
	writer->name = name;
	writer->minizip = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &functions);
	if (!writer->minizip)
		rg_out_of_memory();
	return writer;
}

static rg_error *write_contents(rg_zip_writer *writer, const rg_reader *contents)
{
	uint64_t at = 0;
	while (at < contents->size) {
		uint64_t left = contents->size - at;
		unsigned part = left < BLOCK ? (unsigned)left : BLOCK;

		RG_TRY(rg_cancel_check());
		RG_TRY(rg_reader_read(contents, at, writer->contents, part));
		RG_TRY(outcome(writer,
			       zipWriteInFileInZip(writer->minizip, writer->contents, part)));
		at += part;
	}
	return NULL;
}

rg_error *rg_zip_writer_add(rg_zip_writer *writer, const char *name, const rg_reader *contents)
{
	const zip_fileinfo info = {.dosDate = FIRST_DOS_DAY, .external_fa = REGULAR_0644};
	if (!writer->minizip)
		return rg_error_new(RG_E_USAGE, "member '%s' comes after the end", name);
	RG_TRY(rg_path_check(name));
	if (writer->last && strcmp(writer->last, name) >= 0)
		return rg_error_new(RG_E_USAGE, "member '%s' does not come after '%s'", name,
				    writer->last);
	free(writer->last);
	writer->last = rg_strdup(name);
	int result = zipOpenNewFileInZip4_64(writer->minizip, name, &info, NULL, 0, NULL, 0, NULL,
					     Z_DEFLATED, Z_BEST_COMPRESSION, 0, -MAX_WBITS,
					     DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0,
					     MADE_BY_UNIX, UTF8_FLAG, contents->size >= ZIP64_FROM);
	if (result != ZIP_OK)
		return outcome(writer, result);
	rg_error *err = write_contents(writer, contents);
	result = zipCloseFileInZip(writer->minizip);
	return rg_error_first(err, outcome(writer, result));
}

rg_error *rg_zip_writer_finish(rg_zip_writer *writer, uint64_t *size)
{
	if (!writer->minizip)
		return rg_error_new(RG_E_USAGE, "the zip is finished already");
	int result = zipClose(writer->minizip, NULL);
	writer->minizip = NULL;
	flush(writer);
	if (size)
		*size = writer->size;
	return outcome(writer, result);
}

void rg_zip_writer_free(rg_zip_writer *writer)
{
	if (!writer)
		return; /* nothing more is written */
	if (writer->minizip)
		zipClose(writer->minizip, NULL);
	rg_error_free(writer->err);
	free(writer->last);
	free(writer);
}
