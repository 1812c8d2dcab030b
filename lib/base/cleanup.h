/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_CLEANUP_H
#define REGILD_BASE_CLEANUP_H

#include <stdlib.h>
#include <string.h>

/*
 * Cleanup bound to scope: what a variable owns is released on every way out of its block, the
 * newest first.
 *
 *	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);     rg_buf_release(&text)
 *	RG_AUTO_PTR(rg_golden) golden = NULL;              rg_golden_free(golden)
 *	RG_AUTO_FREE char *name = rg_strdup(path);         free(name)
 *	...
 *	*out = RG_TAKE(golden);                            handed over: golden is NULL now
 *
 * Each such variable has a value from its declaration on, {0} or NULL if no other. A close that can
 * fail stays a call whose error is returned. A variable that is only released counts as used: an
 * error that nobody needs is RG_AUTO_PTR(rg_error) err = f().
 */
/* A type is no expression. NOLINTBEGIN(bugprone-macro-parentheses) */
#define RG_AUTO(type)     __attribute__((cleanup(type##_release), unused)) type
#define RG_AUTO_PTR(type) __attribute__((cleanup(type##_free_at), unused)) type *
#define RG_AUTO_FREE      __attribute__((cleanup(rg_free_at), unused))

/* Beside the declaration of `void type_free(type *)`: RG_AUTO_PTR(type) can be used. */
#define RG_FREE_AT(type)                            \
	static inline void type##_free_at(type **p) \
	{                                           \
		type##_free(*p);                    \
	}
/* NOLINTEND(bugprone-macro-parentheses) */

static inline void rg_free_at(void *at)
{
	void *memory;

	memcpy(&memory, at, sizeof(memory));
	free(memory);
}

static inline void *rg_take(void *at)
{
	void *memory, *none = NULL;

	memcpy(&memory, at, sizeof(memory));
	memcpy(at, &none, sizeof(none));
	return memory;
}

/* The value of a pointer, which is NULL afterwards. */
#define RG_TAKE(pointer) ((__typeof__(pointer))rg_take(&(pointer)))

#endif
