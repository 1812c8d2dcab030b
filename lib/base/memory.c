/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* An arena's blocks double up to ARENA_BLOCK: most arenas stay small. */
enum { FIRST_CAPACITY = 8, ARENA_FIRST_BLOCK = 4 * 1024, ARENA_BLOCK = 64 * 1024 };

rg_error *rg_grow(void *array, size_t *capacity, size_t need, size_t element_size)
{
	size_t wanted = *capacity ? *capacity : FIRST_CAPACITY;
	void *items;

	if (need <= *capacity)
		return NULL;
	while (wanted < need)
		wanted = wanted > SIZE_MAX / 2 ? need : wanted * 2;
	if (wanted > SIZE_MAX / element_size)
		return rg_error_nomem();
	/* The pointer is read and written as bytes: its type is the caller's own. */
	memcpy(&items, array, sizeof(items));
	void *grown = realloc(items, wanted * element_size);
	if (!grown)
		return rg_error_nomem();
	memset((char *)grown + *capacity * element_size, 0, (wanted - *capacity) * element_size);
	memcpy(array, &grown, sizeof(grown));
	*capacity = wanted;
	return NULL;
}

struct rg_arena_block {
	rg_arena_block *older;
	void *adopted;
	size_t used, size;
	alignas(max_align_t) char bytes[];
};

void rg_arena_init(rg_arena *arena)
{
	arena->newest = NULL;
}

void rg_arena_release(rg_arena *arena)
{
	while (arena->newest) {
		rg_arena_block *older = arena->newest->older;
		free(arena->newest->adopted);
		free(arena->newest);
		arena->newest = older;
	}
}

/* As rg_arena_alloc, but not zeroed. */
static void *take(rg_arena *arena, size_t size)
{
	rg_arena_block *block = arena->newest;
	size_t block_size;

	if (size > SIZE_MAX / 2)
		return NULL;
	size_t rounded = (size + alignof(max_align_t) - 1) / alignof(max_align_t) *
			 alignof(max_align_t);
	if (!block || block->size - block->used < rounded) {
		block_size = block && block->size ? 2 * block->size : ARENA_FIRST_BLOCK;
		block_size = block_size < ARENA_BLOCK ? block_size : ARENA_BLOCK;
		block_size = block_size > rounded ? block_size : rounded;
		block = malloc(sizeof(*block) + block_size);
		if (!block)
			return NULL;
		*block = (rg_arena_block){.older = arena->newest, .size = block_size};
		arena->newest = block;
	}
	void *memory = block->bytes + block->used;
	block->used += rounded;
	return memory;
}

void *rg_arena_alloc(rg_arena *arena, size_t size)
{
	void *memory = take(arena, size);
	return memory ? memset(memory, 0, size) : NULL;
}

bool rg_arena_adopt(rg_arena *arena, void *memory)
{
	rg_arena_block *block = calloc(1, sizeof(*block));
	if (!block)
		return false;
	block->adopted = memory;
	/* Behind the newest, which may have room. */
	if (arena->newest) {
		block->older = arena->newest->older;
		arena->newest->older = block;
	} else {
		arena->newest = block;
	}
	return true;
}

char *rg_arena_copy(rg_arena *arena, const char *text, size_t length)
{
	char *copy = take(arena, length + 1);
	if (!copy)
		return NULL;
	if (length)
		memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

rg_error *rg_arena_text(rg_arena *arena, const char *text, const char **out)
{
	*out = rg_arena_copy(arena, text, strlen(text));
	return *out ? NULL : rg_error_nomem();
}

int rg_compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int rg_compare_doubles(const void *a, const void *b)
{
	double left = *(const double *)a, right = *(const double *)b;
	return (left > right) - (left < right);
}

/* An item where it was before the sort. */
typedef struct {
	const char *item;
	int (*compare)(const void *, const void *);
} place;

static int compare_places(const void *a, const void *b)
{
	const place *left = a, *right = b;
	int order = left->compare(left->item, right->item);

	return order ? order : (left->item > right->item) - (left->item < right->item);
}

rg_error *rg_sort_keep_last(void *items, size_t *count, size_t size,
			    int (*compare)(const void *, const void *), void *dropped)
{
	place *places = malloc((*count + 1) * sizeof(*places));
	char *sorted = malloc(*count * size + 1);
	rg_error *err = places && sorted ? NULL : rg_error_nomem();
	size_t kept = 0;

	if (!err && *count) {
		for (size_t i = 0; i < *count; i++)
			places[i] = (place){(char *)items + i * size, compare};
		qsort(places, *count, sizeof(*places), compare_places);
		for (size_t i = 0; i < *count; i++)
			if (i + 1 == *count || compare(places[i].item, places[i + 1].item))
				memcpy(sorted + kept++ * size, places[i].item, size);
			else if (dropped && kept == i)
				memcpy(dropped, places[i].item, size);
		memcpy(items, sorted, kept * size);
		*count = kept;
	}
	free(sorted);
	free(places);
	return err;
}

rg_error *rg_strndup(char **out, const char *text, size_t length)
{
	char *copy = malloc(length + 1);
	*out = copy;
	if (!copy)
		return rg_error_nomem();
	memcpy(copy, text, length);
	copy[length] = '\0';
	return NULL;
}

rg_error *rg_strdup(char **out, const char *text)
{
	return rg_strndup(out, text, strlen(text));
}

rg_error *rg_vtextf(char **out, const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	*out = length >= 0 ? malloc((size_t)length + 1) : NULL;
	if (!*out)
		return rg_error_nomem();
	vsnprintf(*out, (size_t)length + 1, format, args);
	return NULL;
}

rg_error *rg_textf(char **out, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	rg_error *err = rg_vtextf(out, format, args);
	va_end(args);
	return err;
}
