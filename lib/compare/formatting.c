/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/formatting.h"

#include "base/number.h"
#include "golden/cursor.h"
#include "golden/format.h"

#include <ctype.h>
#include <math.h>

/* A word or a number, or else one sign: it reaches from *start to c->at, and is empty at the end.
 */
static size_t next_token(rg_cursor *c, const char **start)
{
	while (c->at < c->end && (isspace((unsigned char)*c->at) || *c->at == '"'))
		c->at++;
	*start = c->at;
	while (c->at < c->end &&
	       (isalnum((unsigned char)*c->at) || (*c->at && strchr("_.+-", *c->at))))
		c->at++;
	if (c->at == *start && c->at < c->end)
		c->at++;
	return (size_t)(c->at - *start);
}

/* Whole numbers from 2^53 on may share a double, so they have to be written alike. */
static bool is_same_number(const char *a, size_t a_length, const char *b, size_t b_length)
{
	double x, y;
	if (!rg_double_parse(a, a_length, &x) || !rg_double_parse(b, b_length, &y))
		return false;
	return isnan(x) ? isnan(y) : x == y && (isinf(x) || fabs(x) < 0x1p53);
}

rg_file_layout rg_layout_compare(const rg_span *old, const rg_span *fresh, const char *format)
{
	const rg_format *known = rg_format_named(format);
	rg_cursor a = {old->data, (const char *)old->data + old->size};
	rg_cursor b = {fresh->data, (const char *)fresh->data + fresh->size};
	const char *x, *y;
	size_t length, other;

	if (rg_span_equal(old, fresh))
		return RG_LAYOUT_SAME;
	if (known && known->shows_all)
		return RG_LAYOUT_FORMATTING;
	do {
		length = next_token(&a, &x);
		other = next_token(&b, &y);
		if ((length != other || memcmp(x, y, length) != 0) &&
		    !is_same_number(x, length, y, other))
			return RG_LAYOUT_UNSHOWN;
	} while (length);
	return RG_LAYOUT_FORMATTING;
}
