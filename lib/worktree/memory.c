/* SPDX-License-Identifier: Apache-2.0 */
#include "worktree/internal.h"

#include <git2/sys/alloc.h>
#include <stdlib.h>
#include <string.h>

/*
 * libgit2 gives many failures a meaning of its own on the way up: what could not be allocated "was
 * not found" in the end. So its allocator notes what failed, by thread. Its later versions have
 * other tables of allocators: of those, only the last error tells.
 */
static _Thread_local bool failed;

#if LIBGIT2_VER_MAJOR == 1 && LIBGIT2_VER_MINOR <= 5
static void *note(void *memory)
{
	if (memory)
		return memory;
	failed = true;
	git_error_set_oom();
	return NULL;
}

static void *allocate(size_t size, const char *file, int line)
{
	(void)file;
	(void)line;
	return note(malloc(size));
}

static void *allocate_zeroed(size_t count, size_t size, const char *file, int line)
{
	(void)file;
	(void)line;
	return note(calloc(count, size));
}

static void *reallocate(void *memory, size_t size, const char *file, int line)
{
	(void)file;
	(void)line;
	return note(realloc(memory, size));
}

static void *reallocate_array(void *memory, size_t count, size_t size, const char *file, int line)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes))
		return note(NULL);
	return reallocate(memory, bytes, file, line);
}

static void *allocate_array(size_t count, size_t size, const char *file, int line)
{
	return reallocate_array(NULL, count, size, file, line);
}

static char *copy_part(const char *text, size_t length, const char *file, int line)
{
	char *copy = length < SIZE_MAX ? allocate(length + 1, file, line) : note(NULL);
	if (!copy)
		return NULL;
	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

static char *copy_most(const char *text, size_t most, const char *file, int line)
{
	return copy_part(text, strnlen(text, most), file, line);
}

static char *copy(const char *text, const char *file, int line)
{
	return copy_part(text, strlen(text), file, line);
}

int rg_git_note_memory(void)
{
	git_allocator noting = {.gmalloc = allocate,
				.gcalloc = allocate_zeroed,
				.gstrdup = copy,
				.gstrndup = copy_most,
				.gsubstrdup = copy_part,
				.grealloc = reallocate,
				.greallocarray = reallocate_array,
				.gmallocarray = allocate_array,
				.gfree = free};

	return git_libgit2_opts(GIT_OPT_SET_ALLOCATOR, &noting);
}
#else
int rg_git_note_memory(void)
{
	return 0;
}
#endif

bool rg_git_memory_failed(void)
{
	const git_error *last = git_error_last();
	bool was = failed || (last && last->klass == GIT_ERROR_NOMEMORY);

	failed = false;
	return was;
}
