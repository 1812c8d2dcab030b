/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_MEMORY_H
#define REGILD_BASE_MEMORY_H

#include "base/attributes.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/*
 * Memory does not run out here: what cannot be allocated ends the program, as in git. A size that
 * comes from input has a limit of its own (RG_E_LIMIT), which is checked before it is allocated.
 *
 * The hook is the program's, as a library neither prints nor exits. It may be called in any thread,
 * and must not return; without one the process dies. Files stay as whole as after a kill.
 */
void rg_on_out_of_memory(void (*hook)(void));
_Noreturn void rg_out_of_memory(void);

/* As malloc and its like, but never NULL, of 0 bytes either. */
RG_NEVER_NULL void *rg_malloc(size_t size);
RG_NEVER_NULL void *rg_calloc(size_t count, size_t size);
RG_NEVER_NULL void *rg_realloc(void *memory, size_t size);

/*
 * Growing arrays: an array is a pointer, a count and a capacity in the caller's struct.
 *
 *	rg_grow(&list->items, &list->capacity, more, sizeof(*list->items));
 *	*RG_PUSH(list->items, list->count, list->capacity) = item;
 *
 * `array` is the address of the array's pointer. Capacity at least doubles. New elements are
 * zeroed.
 */
void rg_grow(void *array, size_t *capacity, size_t need, size_t element_size);
/* Makes room for one more, counts it, and is its address. */
#define RG_PUSH(array, count, capacity)                                                        \
	((count) < (capacity) ? (void)0                                                        \
			      : rg_grow(&(array), &(capacity), (count) + 1, sizeof(*(array))), \
	 &(array)[(count)++])

/*
 * An arena: allocations that live and die together, aligned for any type and zeroed. Not safe
 * for use by several threads at once.
 */
typedef struct rg_arena_block rg_arena_block;
typedef struct {
	rg_arena_block *newest;
} rg_arena;

void rg_arena_init(rg_arena *arena);
void rg_arena_release(rg_arena *arena);
RG_NEVER_NULL void *rg_arena_alloc(rg_arena *arena, size_t size);
/* Takes over what malloc gave: it is freed with the arena. */
void rg_arena_adopt(rg_arena *arena, void *memory);
/* The same of what mmap gave. */
void rg_arena_adopt_map(rg_arena *arena, void *memory, size_t size);
/* A NUL-terminated copy of `length` bytes. */
RG_NEVER_NULL char *rg_arena_copy(rg_arena *arena, const char *text, size_t length);
/* A copy of a whole text. */
RG_NEVER_NULL char *rg_arena_text(rg_arena *arena, const char *text);
RG_NEVER_NULL char *rg_arena_textf(rg_arena *arena, const char *format, ...) RG_PRINTF(2, 3);
/* As rg_grow, of an array in the arena. What it was before stays there, too: for short lists. */
void rg_arena_grow(rg_arena *arena, void *array, size_t *capacity, size_t need,
		   size_t element_size);
/* As RG_PUSH. */
#define RG_ARENA_PUSH(arena, array, count, capacity)                                   \
	(rg_arena_grow((arena), &(array), &(capacity), (count) + 1, sizeof(*(array))), \
	 &(array)[(count)++])

/* For qsort: texts (const char *) by strcmp, and doubles, of which none may be NaN. */
int rg_compare_texts(const void *a, const void *b);
int rg_compare_doubles(const void *a, const void *b);

/*
 * Sorts `items`, of `size` bytes each, and of those that compare as equal keeps the last. The first
 * that is dropped is copied to `dropped`, which may be NULL.
 */
void rg_sort_keep_last(void *items, size_t *count, size_t size,
		       int (*compare)(const void *, const void *), void *dropped);

/* Texts of one's own, the caller's to free. */
RG_NEVER_NULL char *rg_strdup(const char *text);
/* At most `length` bytes, as strndup. */
RG_NEVER_NULL char *rg_strndup(const char *text, size_t length);
RG_NEVER_NULL char *rg_textf(const char *format, ...) RG_PRINTF(1, 2);
RG_NEVER_NULL char *rg_vtextf(const char *format, va_list args) RG_PRINTF(1, 0);

#endif
