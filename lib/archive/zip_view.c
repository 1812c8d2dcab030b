#include "archive/zip_view.h"

#include "archive/directory.h"

#include <string.h>

static unsigned char *put(unsigned char *p, uint64_t value, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		p[i] = (unsigned char)(value >> (8 * i));
	return p + size;
}

void rg_zip_view_init(rg_zip_view *view, const rg_reader *reader, uint64_t directory_offset,
		      uint64_t directory_size, uint64_t entries)
{
	unsigned char *p = view->end;

	view->reader = reader;
	view->directory_end = directory_offset + directory_size;
	view->at = 0;
	view->err = NULL;
	/* The zip64 end record: its size behind this field, versions, parts, counts. */
	p = put(p, 0x06064b50, 4);
	p = put(p, 44, 8);
	p = put(p, 45, 2);
	p = put(p, 45, 2);
	p = put(p, 0, 8);
	p = put(p, entries, 8);
	p = put(p, entries, 8);
	p = put(p, directory_size, 8);
	p = put(p, directory_offset, 8);
	/* Its locator: part 0 of 1. */
	p = put(p, 0x07064b50, 4);
	p = put(p, 0, 4);
	p = put(p, view->directory_end, 8);
	p = put(p, 1, 4);
	/* The old end record, saturated: look at the one above. */
	p = put(p, RG_ZIP_END_SIGNATURE, 4);
	p = put(p, 0, 4);
	p = put(p, UINT64_MAX, 8);
	p = put(p, UINT32_MAX, 4);
	put(p, 0, 2);
}

static voidpf ZCALLBACK view_open(voidpf opaque, const void *name, int mode)
{
	rg_zip_view *view = opaque;

	(void)name;
	if (mode & (ZLIB_FILEFUNC_MODE_WRITE | ZLIB_FILEFUNC_MODE_CREATE))
		return NULL;
	view->at = 0;
	return view;
}

static uLong ZCALLBACK view_read(voidpf opaque, voidpf stream, void *buffer, uLong size)
{
	rg_zip_view *view = stream;
	unsigned char *into = buffer;
	uint64_t all = view->directory_end + RG_ZIP_VIEW_END;
	uLong done = 0;

	(void)opaque;
	if (view->err || view->at >= all)
		return 0;
	if (size > all - view->at)
		size = (uLong)(all - view->at);
	if (view->at < view->directory_end) {
		uint64_t real = view->directory_end - view->at;

		done = size < real ? size : (uLong)real;
		view->err = rg_reader_read(view->reader, view->at, into, done);
		if (view->err)
			return 0;
	}
	if (done < size)
		memcpy(into + done, view->end + (view->at + done - view->directory_end),
		       size - done);
	view->at += size;
	return size;
}

static ZPOS64_T ZCALLBACK view_tell(voidpf opaque, voidpf stream)
{
	const rg_zip_view *view = stream;

	(void)opaque;
	return view->at;
}

static long ZCALLBACK view_seek(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin)
{
	rg_zip_view *view = stream;
	uint64_t all = view->directory_end + RG_ZIP_VIEW_END, from = 0;

	(void)opaque;
	if (origin == ZLIB_FILEFUNC_SEEK_CUR)
		from = view->at;
	else if (origin == ZLIB_FILEFUNC_SEEK_END)
		from = all;
	if (offset > all - from)
		return -1;
	view->at = from + offset;
	return 0;
}

static int ZCALLBACK view_close(voidpf opaque, voidpf stream)
{
	(void)opaque;
	(void)stream;
	return 0;
}

static int ZCALLBACK view_error(voidpf opaque, voidpf stream)
{
	const rg_zip_view *view = stream;

	(void)opaque;
	return view->err != NULL;
}

zlib_filefunc64_def rg_zip_view_functions(rg_zip_view *view)
{
	return (zlib_filefunc64_def){.zopen64_file = view_open,
				     .zread_file = view_read,
				     .ztell64_file = view_tell,
				     .zseek64_file = view_seek,
				     .zclose_file = view_close,
				     .zerror_file = view_error,
				     .opaque = view};
}

rg_error *rg_zip_view_take_error(rg_zip_view *view)
{
	rg_error *err = view->err;

	view->err = NULL;
	return err;
}
