/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

TEST(grow_keeps_and_zeroes)
{
	int *items = NULL;
	size_t capacity = 0, i;

	for (i = 0; i < 1000; i++) {
		rg_grow(&items, &capacity, i + 1, sizeof(*items));
		assert_int_equal(items[capacity - 1], 0);
		items[i] = (int)i;
	}
	for (i = 0; i < 1000; i++)
		assert_int_equal(items[i], i);
	free(items);
}

/* The hook must not return to where memory is missing. */
static jmp_buf without_memory;

static void jump(void)
{
	longjmp(without_memory, 1);
}

/* Never NULL: the hook is called instead. */
TEST(what_cannot_be_allocated_is_the_hooks)
{
	/* As far away as a compiler cannot see. */
	volatile size_t absurd = SIZE_MAX - 5;
	int *items = NULL;
	size_t capacity = 0;
	rg_arena arena;

	rg_arena_init(&arena);
	rg_on_out_of_memory(jump);
	for (volatile int i = 0; i < 5; i++)
		if (!setjmp(without_memory)) {
			switch (i) {
			case 0:
				free(rg_malloc(absurd));
				break;
			case 1:
				free(rg_calloc(absurd, 2));
				break;
			case 2:
				free(rg_realloc(NULL, absurd));
				break;
			case 3:
				rg_arena_alloc(&arena, absurd);
				break;
			default:
				rg_grow(&items, &capacity, absurd / 2, sizeof(*items));
			}
			fail_msg("allocation %d returned", i);
		}
	rg_on_out_of_memory(NULL);
	rg_arena_release(&arena);
}

TEST(arena)
{
	rg_arena arena;
	char *small, *large, *copy;
	size_t i;

	rg_arena_init(&arena);
	for (i = 1; i < 200; i++) {
		small = rg_arena_alloc(&arena, i);
		assert_non_null(small);
		assert_int_equal((uintptr_t)small % sizeof(void *), 0);
		assert_int_equal(small[i - 1], 0);
		memset(small, 0xff, i);
	}
	large = rg_arena_alloc(&arena, 1 << 20);
	assert_non_null(large);
	memset(large, 1, 1 << 20);
	copy = rg_arena_copy(&arena, "abcdef", 3);
	assert_string_equal(copy, "abc");
	assert_string_equal(rg_arena_copy(&arena, NULL, 0), "");
	rg_arena_release(&arena);
	assert_null(arena.newest);
}

/* What is taken over is freed with the rest (AddressSanitizer sees that), before and after others.
 */
TEST(adopted)
{
	rg_arena arena;
	char *text;

	rg_arena_init(&arena);
	rg_arena_adopt(&arena, malloc(10));
	text = rg_arena_copy(&arena, "kept", 4);
	rg_arena_adopt(&arena, malloc(1 << 20));
	assert_string_equal(rg_arena_copy(&arena, "too", 3), "too");
	assert_string_equal(text, "kept");
	rg_arena_release(&arena);
	assert_null(arena.newest);
}

TEST(strings)
{
	char *text;

	text = rg_strdup("whole");
	assert_string_equal(text, "whole");
	free(text);
	text = rg_strndup("part of", 4);
	assert_string_equal(text, "part");
	free(text);
	/* No byte after the end is read: AddressSanitizer sees that. */
	char *whole = rg_strdup("whole");
	text = rg_strndup(whole, 200);
	assert_string_equal(text, "whole");
	free(text);
	free(whole);
	text = rg_textf("%s-%d", "n", 5);
	assert_string_equal(text, "n-5");
	free(text);
}
