#include "archive/zip_writer.h"

#include "base/cancel.h"
#include "base/file.h"
#include "base/memory.h"

#include <minizip/zip.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MADE_BY_UNIX = 3 << 8 | 30, UTF8_FLAG = 1 << 11, WRITE_BLOCK = 1 << 20 };
enum { FIRST_DOS_DAY = 1 << 21 | 1 << 16 }; /* 1980-01-01, 00:00 */
/* A member that zlib makes larger must still fit 32 bits. */
#define ZIP64_FROM   ((size_t)0xf0000000)
#define REGULAR_0644 ((uLong)0100644 << 16)

struct rg_zip_writer {
	rg_buf *into;
	size_t start; /* the zip begins here in `into` */
	size_t at;    /* minizip's file position, from `start` */
	size_t size;  /* minizip's file size */
	zipFile minizip;
	char *last; /* the name added last */
};

static voidpf ZCALLBACK open_buffer(voidpf opaque, const void *name, int mode)
{
	(void)name;
	(void)mode;
	return opaque;
}

/* A full buffer is not minizip's to know: where a write fails, it leaks what it holds. Its file
 * goes on in the dark, and every call that writes asks the buffer afterwards. */
static uLong ZCALLBACK write_buffer(voidpf opaque, voidpf stream, const void *bytes, uLong size)
{
	rg_zip_writer *writer = stream;
	rg_buf *into = writer->into;
	/* minizip goes back to fill a local header in. */
	size_t over = writer->size - writer->at;

	(void)opaque;
	if (over > size)
		over = size;
	if (into->state == RG_BUF_FINE) {
		memcpy(into->data + writer->start + writer->at, bytes, over);
		rg_buf_add(into, (const char *)bytes + over, size - over);
	}
	writer->at += size;
	writer->size += size - over;
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

static ZPOS64_T ZCALLBACK tell_buffer(voidpf opaque, voidpf stream)
{
	const rg_zip_writer *writer = stream;

	(void)opaque;
	return writer->at;
}

static long ZCALLBACK seek_buffer(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin)
{
	rg_zip_writer *writer = stream;
	size_t from = 0;

	(void)opaque;
	if (origin == ZLIB_FILEFUNC_SEEK_CUR)
		from = writer->at;
	else if (origin == ZLIB_FILEFUNC_SEEK_END)
		from = writer->size;
	if (offset > writer->size - from)
		return -1;
	writer->at = from + (size_t)offset;
	return 0;
}

static int ZCALLBACK close_buffer(voidpf opaque, voidpf stream)
{
	(void)opaque;
	(void)stream;
	return 0;
}

static int ZCALLBACK no_failure(voidpf opaque, voidpf stream)
{
	(void)opaque;
	(void)stream;
	return 0;
}

/* What a call to minizip came to. */
static rg_error *outcome(const rg_zip_writer *writer, int result)
{
	RG_TRY(rg_buf_check(writer->into, "the zip"));
	if (result == ZIP_OK)
		return NULL;
	if (result == ZIP_INTERNALERROR)
		return rg_error_nomem();
	return rg_error_new(RG_E_IO, "minizip cannot write the zip (%d)", result);
}

rg_error *rg_zip_writer_new(rg_zip_writer **out, rg_buf *into)
{
	rg_zip_writer *writer = calloc(1, sizeof(*writer));
	zlib_filefunc64_def functions = {.zopen64_file = open_buffer,
					 .zread_file = read_nothing,
					 .zwrite_file = write_buffer,
					 .ztell64_file = tell_buffer,
					 .zseek64_file = seek_buffer,
					 .zclose_file = close_buffer,
					 .zerror_file = no_failure,
					 .opaque = writer};

	*out = NULL;
	if (!writer)
		return rg_error_nomem();
	writer->into = into;
	writer->start = into->length;
	writer->minizip = zipOpen2_64("", APPEND_STATUS_CREATE, NULL, &functions);
	if (!writer->minizip) {
		free(writer);
		return rg_error_nomem();
	}
	*out = writer;
	return NULL;
}

static rg_error *check_order(rg_zip_writer *writer, const char *name)
{
	char *copy;

	RG_TRY(rg_path_check(name));
	if (writer->last && strcmp(writer->last, name) >= 0)
		return rg_error_new(RG_E_USAGE, "member '%s' does not come after '%s'", name,
				    writer->last);
	RG_TRY(rg_strdup(&copy, name));
	free(writer->last);
	writer->last = copy;
	return NULL;
}

static rg_error *write_contents(rg_zip_writer *writer, const char *bytes, size_t length)
{
	while (length) {
		unsigned part = length > WRITE_BLOCK ? WRITE_BLOCK : (unsigned)length;

		RG_TRY(rg_cancel_check());
		RG_TRY(outcome(writer, zipWriteInFileInZip(writer->minizip, bytes, part)));
		bytes += part;
		length -= part;
	}
	return NULL;
}

rg_error *rg_zip_writer_add(rg_zip_writer *writer, const char *name, const void *bytes,
			    size_t length)
{
	const zip_fileinfo info = {.dosDate = FIRST_DOS_DAY, .external_fa = REGULAR_0644};
	rg_error *err;
	int result;

	if (!writer->minizip)
		return rg_error_new(RG_E_USAGE, "member '%s' comes after the end", name);
	RG_TRY(check_order(writer, name));
	result = zipOpenNewFileInZip4_64(writer->minizip, name, &info, NULL, 0, NULL, 0, NULL,
					 Z_DEFLATED, Z_BEST_COMPRESSION, 0, -MAX_WBITS,
					 DEF_MEM_LEVEL, Z_DEFAULT_STRATEGY, NULL, 0, MADE_BY_UNIX,
					 UTF8_FLAG, length >= ZIP64_FROM);
	if (result != ZIP_OK)
		return outcome(writer, result);
	err = write_contents(writer, bytes, length);
	result = zipCloseFileInZip(writer->minizip);
	return err ? err : outcome(writer, result);
}

rg_error *rg_zip_writer_finish(rg_zip_writer *writer)
{
	int result;

	if (!writer->minizip)
		return rg_error_new(RG_E_USAGE, "the zip is finished already");
	result = zipClose(writer->minizip, NULL);
	writer->minizip = NULL;
	return outcome(writer, result);
}

void rg_zip_writer_free(rg_zip_writer *writer)
{
	if (!writer)
		return;
	if (writer->minizip)
		zipClose(writer->minizip, NULL);
	free(writer->last);
	free(writer);
}
