/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include "base/file.h"

#include <errno.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

rg_error *rg_map_descriptor(rg_map *out, int fd, const char *path)
{
	struct stat st;
	void *data;

	*out = (rg_map){.data = ""};
	if (fstat(fd, &st))
		return rg_error_io(errno, "%s", path);
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode)
			       ? rg_error_io(EISDIR, "%s", path)
			       : rg_error_new(RG_E_IO, "%s: is not a regular file", path);
	if ((uintmax_t)st.st_size > SIZE_MAX)
		return rg_error_io(EFBIG, "%s", path);
	out->size = (size_t)st.st_size;
	if (!out->size)
		return NULL;
	data = mmap(NULL, out->size, PROT_READ, MAP_PRIVATE, fd, 0);
	if (data == MAP_FAILED)
		return rg_error_io(errno, "%s", path);
	madvise(data, out->size, MADV_SEQUENTIAL); /* a hint: what comes of it does not matter */
	out->data = data;
	return NULL;
}

rg_error *rg_map_open(rg_map *out, const char *path)
{
	rg_error *err;
	int fd;

	*out = (rg_map){.data = ""};
	RG_TRY(rg_file_open(&fd, path, 0));
	err = rg_map_descriptor(out, fd, path);
	close(fd); /* read-only: nothing can be lost */
	return err;
}

void rg_map_release(rg_map *map)
{
	if (map->size)
		munmap((void *)(uintptr_t)map->data, map->size);
	*map = (rg_map){.data = ""};
}

void rg_map_forget(const void *from, size_t size)
{
	uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
	uintptr_t start = (uintptr_t)from / page * page;
	uintptr_t end = ((uintptr_t)from + size) / page * page;

	/* The first page may be shared with what is read still; it comes back when it is needed. */
	if (end > start)
		madvise((void *)start, end - start, MADV_DONTNEED);
}
