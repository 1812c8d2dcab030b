/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/unpack.h"

#include "base/memory.h"
#include "hub/memory_file.h"

#include <minizip/unzip.h>
#include <stdlib.h>
#include <string.h>

#define NAME_MAX_BYTES 4096
#define FILE_MAX       ((size_t)256 << 20)

static unzFile open_zip(memory_file *file, const unsigned char *bytes, size_t length)
{
	zlib_filefunc64_def functions;

	/* Only read: nothing writes through these functions. */
	memcpy(&file->bytes, &bytes, sizeof(file->bytes));
	file->length = length;
	file->position = 0;
	functions = memory_file_functions(file);
	return unzOpen2_64("", &functions);
}

/* "/a", "./a", "a//b", "a/../b". */
static bool leads_astray(const char *name)
{
	const char *part = name;

	while (*part) {
		size_t length = strcspn(part, "/");

		if (length == 0 || (length <= 2 && strncmp(part, "..", length) == 0))
			return true;
		part += length + (part[length] == '/');
	}
	return false;
}

static void add_entry(unpack_list *list, const char *name, size_t length, uint64_t size,
		      bool implied)
{
	unpack_entry *entry;

	rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	entry = &list->items[list->count];
	entry->path = strndup(name, length);
	entry->size = size;
	entry->directory = name[length - 1] == '/';
	entry->implied = implied;
	list->count++;
}

static void add_member(unpack_list *list, const char *name, uint64_t size)
{
	if (!*name || leads_astray(name))
		return;
	for (const char *slash = strchr(name, '/'); slash && slash[1];
	     slash = strchr(slash + 1, '/'))
		add_entry(list, name, (size_t)(slash - name) + 1, 0, true);
	add_entry(list, name, strlen(name), size, false);
}

static int by_path(const void *a, const void *b)
{
	const unpack_entry *x = a, *y = b;
	int order = strcmp(x->path, y->path);

	return order ? order : (int)x->implied - (int)y->implied;
}

static void drop_twins(unpack_list *list)
{
	size_t kept = 0;

	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), by_path);
	for (size_t i = 0; i < list->count; i++) {
		if (kept && strcmp(list->items[kept - 1].path, list->items[i].path) == 0)
			free(list->items[i].path);
		else
			list->items[kept++] = list->items[i];
	}
	list->count = kept;
}

rg_error *unpack_list_make(unpack_list *out, const unsigned char *bytes, size_t length)
{
	memory_file file = {0};
	unzFile zip = open_zip(&file, bytes, length);

	memset(out, 0, sizeof(*out));
	if (!zip)
		return rg_error_new(RG_E_PARSE, "no zip");
	for (int status = unzGoToFirstFile(zip); status == UNZ_OK; status = unzGoToNextFile(zip)) {
		char name[NAME_MAX_BYTES];
		unz_file_info64 info;

		if (unzGetCurrentFileInfo64(zip, &info, name, sizeof(name), NULL, 0, NULL, 0) !=
		    UNZ_OK)
			break;
		if (info.size_filename < sizeof(name))
			add_member(out, name, info.uncompressed_size);
	}
	(void)unzClose(zip);
	drop_twins(out);
	return NULL;
}

void unpack_list_release(unpack_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].path);
	free(list->items);
	memset(list, 0, sizeof(*list));
}

static rg_error *read_member(char **out, size_t *size, size_t *got, unzFile zip)
{
	unz_file_info64 info;

	if (unzGetCurrentFileInfo64(zip, &info, NULL, 0, NULL, 0, NULL, 0) != UNZ_OK ||
	    unzOpenCurrentFile(zip) != UNZ_OK)
		return rg_error_new(RG_E_NOTFOUND, "the member cannot be read");
	*size = (size_t)info.uncompressed_size;
	*got = 0;
	if (info.uncompressed_size > FILE_MAX)
		return rg_error_new(RG_E_LIMIT, "a member of %llu bytes",
				    (unsigned long long)info.uncompressed_size);
	*out = malloc(*size + 1);
	while (*got < *size) {
		int part = unzReadCurrentFile(zip, *out + *got, (unsigned)(*size - *got));

		if (part <= 0)
			break;
		*got += (size_t)part;
	}
	(void)unzCloseCurrentFile(zip);
	return NULL;
}

rg_error *unpack_file(char **out, size_t *size, size_t *got, const unsigned char *bytes,
		      size_t length, const char *name)
{
	memory_file file = {0};
	unzFile zip = open_zip(&file, bytes, length);
	rg_error *err;

	*out = NULL;
	*size = *got = 0;
	/* 1: names are told apart by case. */
	if (!zip || unzLocateFile(zip, name, 1) != UNZ_OK)
		err = rg_error_new(RG_E_NOTFOUND, "no such member");
	else
		err = read_member(out, size, got, zip);
	if (zip)
		(void)unzClose(zip);
	return err;
}
