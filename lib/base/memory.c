/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include "base/cleanup.h"
#include "base/order.h"

#include <stdarg.h>
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* An arena's blocks double up to ARENA_BLOCK: most arenas stay small. */
enum {
	FIRST_CAPACITY = 8,
	ARENA_FIRST_BLOCK = 4 * 1024,
	ARENA_BLOCK = 64 * 1024,
	LARGE_LIST = 1 << 19
};

static void (*out_of_memory_hook)(void);

void rg_on_out_of_memory(void (*hook)(void))
{
	out_of_memory_hook = hook;
}

_Noreturn void rg_out_of_memory(void)
{
	if (out_of_memory_hook)
		out_of_memory_hook();
	__builtin_trap();
}

static void *checked(void *memory)
{
	if (!memory)
		rg_out_of_memory();
	return memory;
}

void *rg_malloc(size_t size)
{
	return checked(malloc(size ? size : 1));
}

void *rg_calloc(size_t count, size_t size)
{
	return checked(calloc(count ? count : 1, size ? size : 1));
}

void *rg_realloc(void *memory, size_t size)
{
	return checked(realloc(memory, size ? size : 1));
}

void rg_grow(void *array, size_t *capacity, size_t need, size_t element_size)
{
	size_t wanted = *capacity ? *capacity : FIRST_CAPACITY;
	void *items;

	if (need <= *capacity)
		return;
	/* Zeroed memory is resident, used or not: a large array does not double. */
	while (wanted < need)
		wanted = wanted > SIZE_MAX / 2                ? need
			 : wanted > LARGE_LIST / element_size ? wanted + wanted / 8
							      : wanted * 2;
	if (wanted > SIZE_MAX / element_size)
		rg_out_of_memory();
	/* The pointer is read and written as bytes: its type is the caller's own. */
	memcpy(&items, array, sizeof(items));
	char *grown = rg_realloc(items, wanted * element_size);
	memset(grown + *capacity * element_size, 0, (wanted - *capacity) * element_size);
	memcpy(array, &grown, sizeof(grown));
	*capacity = wanted;
}

struct rg_arena_block {
	rg_arena_block *older;
	void *adopted;
	size_t mapped; /* bytes of what is adopted; 0: malloc gave it */
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
		if (arena->newest->mapped)
			munmap(arena->newest->adopted, arena->newest->mapped);
		else
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
		rg_out_of_memory();
	size_t rounded = (size + alignof(max_align_t) - 1) / alignof(max_align_t) *
			 alignof(max_align_t);
	if (!block || block->size - block->used < rounded) {
		block_size = block && block->size ? 2 * block->size : ARENA_FIRST_BLOCK;
		block_size = block_size < ARENA_BLOCK ? block_size : ARENA_BLOCK;
		block_size = block_size > rounded ? block_size : rounded;
		block = rg_malloc(sizeof(*block) + block_size);
		*block = (rg_arena_block){.older = arena->newest, .size = block_size};
		arena->newest = block;
	}
	void *memory = block->bytes + block->used;
	block->used += rounded;
	return memory;
}

void *rg_arena_alloc(rg_arena *arena, size_t size)
{
	return memset(take(arena, size), 0, size);
}

void rg_arena_adopt(rg_arena *arena, void *memory)
{
	rg_arena_adopt_map(arena, memory, 0);
}

void rg_arena_adopt_map(rg_arena *arena, void *memory, size_t size)
{
	rg_arena_block *block = rg_calloc(1, sizeof(*block));
	block->adopted = memory;
	block->mapped = size;
	/* The newest block may have room: this one comes after it. */
	if (arena->newest) {
		block->older = arena->newest->older;
		arena->newest->older = block;
	} else {
		arena->newest = block;
	}
}

char *rg_arena_copy(rg_arena *arena, const char *text, size_t length)
{
	char *copy = take(arena, length + 1);
	if (length)
		memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

void rg_arena_grow(rg_arena *arena, void *array, size_t *capacity, size_t need, size_t element_size)
{
	size_t wanted = *capacity > FIRST_CAPACITY / 2 ? 2 * *capacity : FIRST_CAPACITY;
	void *items, *grown;

	if (need <= *capacity)
		return;
	wanted = wanted > need ? wanted : need;
	if (wanted > SIZE_MAX / element_size)
		rg_out_of_memory();
	memcpy(&items, array, sizeof(items));
	grown = rg_arena_alloc(arena, wanted * element_size);
	if (*capacity)
		memcpy(grown, items, *capacity * element_size);
	memcpy(array, &grown, sizeof(grown));
	*capacity = wanted;
}

char *rg_arena_text(rg_arena *arena, const char *text)
{
	return rg_arena_copy(arena, text, strlen(text));
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

RG_ORDER(compare_places, place, RG_THEN(x->compare(x->item, y->item)) || RG_RISING(item));

void rg_sort_keep_last(void *items, size_t *count, size_t size,
		       int (*compare)(const void *, const void *), void *dropped)
{
	place *places = rg_malloc(*count * sizeof(*places));
	char *sorted = rg_malloc(*count * size);
	size_t kept = 0;

	for (size_t i = 0; i < *count; i++)
		places[i] = (place){(char *)items + i * size, compare};
	if (*count)
		qsort(places, *count, sizeof(*places), compare_places);
	for (size_t i = 0; i < *count; i++)
		if (i + 1 == *count || compare(places[i].item, places[i + 1].item))
			memcpy(sorted + kept++ * size, places[i].item, size);
		else if (dropped && kept == i)
			memcpy(dropped, places[i].item, size);
	if (kept)
		memcpy(items, sorted, kept * size);
	*count = kept;
	free(sorted);
	free(places);
}

char *rg_strndup(const char *text, size_t length)
{
	size_t there = strnlen(text, length);
	char *copy = rg_malloc(there + 1);
	memcpy(copy, text, there);
	copy[there] = '\0';
	return copy;
}

char *rg_strdup(const char *text)
{
	return rg_strndup(text, strlen(text));
}

/* Without its NUL. */
RG_PRINTF(1, 0) static size_t length_of(const char *format, va_list args)
{
	va_list again;
	va_copy(again, args);
	int length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	/* Less than 0 only for a text of over 2 GiB, or a format that no C library knows. */
	if (length < 0)
		rg_out_of_memory();
	return (size_t)length;
}

char *rg_vtextf(const char *format, va_list args)
{
	size_t size = length_of(format, args) + 1;
	char *text = rg_malloc(size);
	vsnprintf(text, size, format, args);
	return text;
}

char *rg_textf(const char *format, ...)
{
	va_list args;
	va_start(args, format);
	char *text = rg_vtextf(format, args);
	va_end(args);
	return text;
}

char *rg_arena_textf(rg_arena *arena, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	size_t size = length_of(format, args) + 1;
	char *text = take(arena, size);
	vsnprintf(text, size, format, args);
	va_end(args);
	return text;
}
