/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_MEMORY_H
#define REGILD_BASE_MEMORY_H

#include "base/error.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Growing arrays: an array is a pointer, a count and a capacity in the caller's struct.
 *
 *	RG_TRY(rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items)));
 *	list->items[list->count++] = item;
 *
 * `array` is the address of the array's pointer. Capacity at least doubles. On failure
 * (RG_E_NOMEM) the array is as it was. New elements are zeroed.
 */
RG_CHECKED rg_error *rg_grow(void *array, size_t *capacity, size_t need, size_t element_size);

/*
 * An arena: allocations that live and die together, aligned for any type and zeroed. NULL when
 * memory ran out or `size` is absurd. Not safe for use by several threads at once.
 */
typedef struct rg_arena_block rg_arena_block;
typedef struct {
	rg_arena_block *newest;
} rg_arena;

void rg_arena_init(rg_arena *arena);
void rg_arena_release(rg_arena *arena);
void *rg_arena_alloc(rg_arena *arena, size_t size);
/* Takes over what malloc gave: it is freed with the arena. False, and nothing taken, when memory
 * runs out. */
bool rg_arena_adopt(rg_arena *arena, void *memory);
/* A NUL-terminated copy of `length` bytes. */
char *rg_arena_copy(rg_arena *arena, const char *text, size_t length);
/* Of a whole text, for error-returning code. */
RG_CHECKED rg_error *rg_arena_text(rg_arena *arena, const char *text, const char **out);

/* For qsort: texts (const char *) by strcmp, and doubles, of which none may be NaN. */
int rg_compare_texts(const void *a, const void *b);
int rg_compare_doubles(const void *a, const void *b);

/*
 * Sorts `items`, of `size` bytes each, and of those that compare as equal keeps the last. The first
 * that is dropped is copied to `dropped`, which may be NULL.
 */
RG_CHECKED rg_error *rg_sort_keep_last(void *items, size_t *count, size_t size,
				       int (*compare)(const void *, const void *), void *dropped);

/* strdup and friends for error-returning code: *out is the caller's to free. */
RG_CHECKED rg_error *rg_strdup(char **out, const char *text);
RG_CHECKED rg_error *rg_strndup(char **out, const char *text, size_t length);
/* A formatted string; *out is the caller's to free. */
RG_CHECKED rg_error *rg_textf(char **out, const char *format, ...) RG_PRINTF(2, 3);
RG_CHECKED rg_error *rg_vtextf(char **out, const char *format, va_list args) RG_PRINTF(2, 0);

#endif
