/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_ORDER_H
#define REGILD_BASE_ORDER_H

#include <string.h>

/*
 * Orders for qsort and bsearch: what comes first, by which members of two items x and y; the first
 * that tells them apart decides.
 *
 *	RG_ORDER(by_size, rg_box, RG_FALLING(size) || RG_BY_TEXT(name) || RG_BY(rank(x), rank(y)));
 */
#define RG_ORDER(name, type, terms)                   \
	static int name(const void *a, const void *b) \
	{                                             \
		const type *x = a, *y = b;            \
		int order = 0;                        \
                                                      \
		(void)(terms);                        \
		return order;                         \
	}                                             \
	struct rg_order_of_items
/* … of pointers to items. */
#define RG_ORDER_OF_POINTERS(name, type, terms)                                        \
	static int name(const void *a, const void *b)                                  \
	{                                                                              \
		const type *x = *(const type *const *)a, *y = *(const type *const *)b; \
		int order = 0;                                                         \
                                                                                       \
		(void)(terms);                                                         \
		return order;                                                          \
	}                                                                              \
	struct rg_order_of_items

#define RG_BY(one, other)  (order = ((one) > (other)) - ((one) < (other)))
#define RG_RISING(member)  RG_BY(x->member, y->member)
#define RG_FALLING(member) RG_BY(y->member, x->member)
#define RG_BY_TEXT(member) RG_THEN(strcmp(x->member, y->member))
/* base/path.h */
#define RG_BY_PATH(member) RG_THEN(rg_path_compare(x->member, y->member))
/* Under 0, 0 or over it, as a comparator's. */
#define RG_THEN(comparison) (order = (comparison))

#endif
