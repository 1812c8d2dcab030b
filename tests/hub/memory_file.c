/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/memory_file.h"

#include "base/memory.h"

#include <string.h>

static voidpf memory_open(voidpf opaque, const void *name, int mode)
{
	(void)name;
	(void)mode;
	return opaque;
}

static uLong memory_read(voidpf opaque, voidpf stream, void *out, uLong size)
{
	memory_file *file = stream;
	size_t left = file->length - file->position;

	(void)opaque;
	if (size > left)
		size = (uLong)left;
	memcpy(out, file->bytes + file->position, size);
	file->position += size;
	return size;
}

static uLong memory_write(voidpf opaque, voidpf stream, const void *bytes, uLong size)
{
	memory_file *file = stream;

	(void)opaque;
	rg_grow(&file->bytes, &file->capacity, file->position + size, 1);
	memcpy(file->bytes + file->position, bytes, size);
	file->position += size;
	if (file->length < file->position)
		file->length = file->position;
	return size;
}

static ZPOS64_T memory_tell(voidpf opaque, voidpf stream)
{
	const memory_file *file = stream;

	(void)opaque;
	return file->position;
}

static long memory_seek(voidpf opaque, voidpf stream, ZPOS64_T offset, int origin)
{
	memory_file *file = stream;
	size_t base = origin == ZLIB_FILEFUNC_SEEK_END   ? file->length
		      : origin == ZLIB_FILEFUNC_SEEK_CUR ? file->position
							 : 0;

	(void)opaque;
	if (offset > file->length - base)
		return -1;
	file->position = base + (size_t)offset;
	return 0;
}

static int memory_close(voidpf opaque, voidpf stream)
{
	(void)opaque;
	(void)stream;
	return 0;
}

static int memory_error(voidpf opaque, voidpf stream)
{
	(void)opaque;
	(void)stream;
	return 0;
}

zlib_filefunc64_def memory_file_functions(memory_file *file)
{
	return (zlib_filefunc64_def){
		.zopen64_file = memory_open,
		.zread_file = memory_read,
		.zwrite_file = memory_write,
		.ztell64_file = memory_tell,
		.zseek64_file = memory_seek,
		.zclose_file = memory_close,
		.zerror_file = memory_error,
		.opaque = file,
	};
}
