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

/* The member's entry in the directory (APPNOTE.TXT 4.3.12), at offset 0. */
static unsigned char *put_entry(unsigned char *p, const rg_zip_member *member, size_t name_length)
{
	p = put(p, RG_ZIP_ENTRY_SIGNATURE, 4);
	p = put(p, 20 | 20 << 16, 4); /* versions */
	p = put(p, member->flags, 2);
	p = put(p, member->method, 2);
	p = put(p, 0, 4); /* time and date */
	p = put(p, member->crc, 4);
	p = put(p, member->packed, 4);
	p = put(p, member->size, 4);
	p = put(p, name_length, 2);
	p = put(p, 0, 2 + 2 + 2); /* extra field, comment, part */
	p = put(p, 0, 2 + 4);     /* attributes */
	p = put(p, 0, 4);
	memcpy(p, member->name, name_length);
	return p + name_length;
}

/* A zip64 end record, its locator, and the old end record, which points at the zip64 one. */
static unsigned char *put_ends(unsigned char *p, uint64_t offset, uint64_t size)
{
	p = put(p, RG_ZIP_END64_SIGNATURE, 4);
	p = put(p, 44, 8);            /* bytes that follow */
	p = put(p, 45 | 45 << 16, 4); /* versions */
	p = put(p, 0, 4 + 4);         /* parts */
	p = put(p, 1, 8);
	p = put(p, 1, 8);
	p = put(p, size, 8);
	p = put(p, offset, 8);
	p = put(p, RG_ZIP_LOCATOR_SIGNATURE, 4);
	p = put(p, 0, 4);
	p = put(p, offset + size, 8);
	p = put(p, 1, 4);
	p = put(p, RG_ZIP_END_SIGNATURE, 4);
	p = put(p, 0, 2 + 2);
	p = put(p, UINT32_MAX, 2 + 2);
	p = put(p, UINT64_MAX, 4 + 4);
	return put(p, 0, 2);
}

rg_error *rg_zip_view_init(rg_zip_view *view, const rg_reader *reader, const rg_zip_member *member,
			   rg_range data)
{
	size_t name_length = strlen(member->name);
	unsigned char *p;

	if (name_length > RG_ZIP_VIEW_NAME_MAX || member->packed >= UINT32_MAX ||
	    member->size >= UINT32_MAX)
		return rg_error_new(RG_E_LIMIT, "it is too large for minizip");
	view->reader = reader;
	view->start = member->offset;
	view->real = data.offset + data.length - member->offset;
	view->at = 0;
	view->err = NULL;
	p = put_entry(view->tail, member, name_length);
	p = put_ends(p, view->real, (uint64_t)(p - view->tail));
	view->tail_size = (size_t)(p - view->tail);
	return NULL;
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
	uint64_t all = view->real + view->tail_size;
	uLong done = 0;

	(void)opaque;
	if (view->err || view->at >= all)
		return 0;
	if (size > all - view->at)
		size = (uLong)(all - view->at);
	if (view->at < view->real) {
		uint64_t left = view->real - view->at;

		done = size < left ? size : (uLong)left;
		view->err = rg_reader_read(view->reader, view->start + view->at, into, done);
		if (view->err)
			return 0;
	}
	if (done < size)
		memcpy(into + done, view->tail + (view->at + done - view->real), size - done);
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
	uint64_t all = view->real + view->tail_size, from = 0;

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
