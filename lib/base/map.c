/* SPDX-License-Identifier: Apache-2.0 */
#include "base/map.h"

#include "base/file.h"
#include "base/temporary.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static rg_error *check_file(int fd, const char *path, uint64_t *size)
{
	struct stat st;
	if (fstat(fd, &st))
		return rg_error_io(errno, "%s", path);
	if (!S_ISREG(st.st_mode))
		return S_ISDIR(st.st_mode)
			       ? rg_error_io(EISDIR, "%s", path)
			       : rg_error_new(RG_E_IO, "%s: is not a regular file", path);
	*size = (uint64_t)st.st_size;
	return NULL;
}

/* How far into its page an address or an offset is. */
static size_t in_page(uint64_t at)
{
	return (size_t)(at % (uint64_t)sysconf(_SC_PAGESIZE));
}

static rg_error *map_bytes(rg_map *out, int fd, uint64_t offset, uint64_t size, const char *path)
{
	size_t before = in_page(offset);
	if (!size)
		return NULL;
	if (size > SIZE_MAX - before)
		return rg_error_io(EFBIG, "%s", path);
	char *data = mmap(NULL, (size_t)size + before, PROT_READ, MAP_PRIVATE, fd,
			  (off_t)(offset - before));
	if (data == MAP_FAILED)
		return rg_error_io(errno, "%s", path);
	/* This is a hint, which may fail. */
	madvise(data, (size_t)size + before, MADV_SEQUENTIAL);
	*out = (rg_map){.data = data + before, .size = (size_t)size};
	return NULL;
}

rg_error *rg_map_range(rg_map *out, int fd, uint64_t offset, uint64_t size, const char *path)
{
	uint64_t end;
	*out = (rg_map){.data = ""};
	RG_TRY(check_file(fd, path, &end));
	if (offset > end || size > end - offset)
		return rg_error_new(RG_E_PARSE, "%s: ends too early", path);
	return map_bytes(out, fd, offset, size, path);
}

rg_error *rg_map_descriptor(rg_map *out, int fd, const char *path)
{
	uint64_t size;
	*out = (rg_map){.data = ""};
	RG_TRY(check_file(fd, path, &size));
	RG_TRY(map_bytes(out, fd, 0, size, path));
	const int file = out->size ? fcntl(fd, F_DUPFD_CLOEXEC, 3) : 0;
	out->file = file > 0 ? file : 0;
	return NULL;
}

rg_error *rg_map_open(rg_map *out, const char *path)
{
	int fd;
	*out = (rg_map){.data = ""};
	RG_TRY(rg_file_open(&fd, path, 0));
	rg_error *err = rg_map_descriptor(out, fd, path);
	close(fd); /* read-only: nothing can be lost */
	return err;
}

void rg_map_release(rg_map *map)
{
	size_t before = in_page((uintptr_t)map->data);
	if (map->size)
		munmap((char *)(uintptr_t)map->data - before, map->size + before);
	if (map->file)
		close(map->file); /* read-only: nothing can be lost */
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

/* Spills of hundreds of columns leave others files to open. */
enum { FILES_MAX = 256 };

void *rg_spill_new(size_t size, int *file)
{
	void *memory = MAP_FAILED;
	struct rlimit limit;
	int fd;
	if (getrlimit(RLIMIT_FSIZE, &limit) || limit.rlim_cur < size)
		return NULL; /* a signal would end the program */
	RG_AUTO_PTR(rg_error) err = rg_file_unnamed(&fd, rg_temporary_folder());
	if (err)
		return NULL;
#ifndef __APPLE__ /* which has no posix_fallocate */
	/* A page that has no block on the disk would end the program when it is written. */
	if (!posix_fallocate(fd, 0, (off_t)size))
		memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
#endif
	const bool keeps = file && memory != MAP_FAILED && fd < FILES_MAX;
	if (file)
		*file = keeps ? fd : -1;
	if (!keeps)
		close(fd);
	return memory == MAP_FAILED ? NULL : memory;
}

void rg_spill_write(void *spill, int file, size_t at, const void *bytes, size_t size)
{
	char *to = (char *)spill + at;
	if (file >= 0 && pwrite(file, bytes, size, (off_t)at) == (ssize_t)size)
		return;
	memcpy(to, bytes, size);
	rg_map_forget(to, size);
}

void rg_spill_free(void *memory, size_t size)
{
	munmap(memory, size);
}
