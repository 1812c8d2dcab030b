/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/table_round.h"

#include "base/number.h"
#include "golden/text_token.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "-1.23457e+06" and its like. */
enum { SCIENTIFIC_SIZE = 40 };

/* A number by its digits: 0.DIGITS × 10^exponent; zero has none. Neither end is '0'. */
typedef struct {
	const char *first, *last; /* its digits, with a point among them */
	long exponent;
	bool negative;
} decimal;

static bool is_integer(const char *text, size_t length)
{
	size_t i = length && (*text == '-' || *text == '+');
	if (i == length)
		return false;
	for (; i < length; i++)
		if (!rg_text_is_digit(text[i]))
			return false;
	return true;
}

/* Takes a text apart that rg_double_parse takes for a finite number. False for one that is written
 * otherwise, or has an absurd exponent. */
static bool take_apart(const char *text, size_t length, decimal *out)
{
	const char *p = text, *end = text + length;
	bool point = false;
	int64_t exponent = 0;

	*out = (decimal){0};
	if (p < end && (*p == '-' || *p == '+'))
		out->negative = *p++ == '-';
	for (; p < end && (rg_text_is_digit(*p) || *p == '.'); p++) {
		if (*p == '.') {
			point = true;
			continue;
		}
		if (*p != '0') {
			out->first = out->first ? out->first : p;
			out->last = p + 1;
		}
		out->exponent += out->first ? !point : -(long)point;
	}
	if (p < end) {
		if (*p++ != 'e' && p[-1] != 'E')
			return false;
		p += p < end && *p == '+';
		if (!rg_int64_parse(p, (size_t)(end - p), &exponent) || exponent > 100000 ||
		    exponent < -100000)
			return false;
	}
	out->exponent = out->first ? out->exponent + (long)exponent : 0;
	return true;
}

/* Are they exactly the same, beyond what a double holds? */
static bool decimals_agree(const decimal *a, const decimal *b)
{
	const char *p = a->first, *q = b->first;
	if (a->negative != b->negative || a->exponent != b->exponent)
		return false;
	while (p < a->last && q < b->last) {
		p += *p == '.';
		q += *q == '.';
		if (*p++ != *q++)
			return false;
	}
	return p == a->last && q == b->last;
}

static bool is_finite_number(const rg_table_cell *cell, double *out)
{
	return rg_double_parse(cell->text, cell->length, out) && isfinite(*out);
}

static double round_to(double value, unsigned digits, char text[static SCIENTIFIC_SIZE])
{
	snprintf(text, SCIENTIFIC_SIZE, "%.*e", (int)digits - 1, value);
	return strtod(text, NULL);
}

void rg_table_round(const rg_table_cell *cell, unsigned digits, rg_arena *arena, const char **text,
		    size_t *length)
{
	char scientific[SCIENTIFIC_SIZE], repr[RG_DOUBLE_REPR_SIZE];
	double value;

	*text = cell->text;
	*length = cell->length;
	if (!digits || !is_finite_number(cell, &value))
		return;
	value = round_to(value, digits, scientific);
	if (!isfinite(value)) /* the largest double, rounded up */
		return;
	rg_buf out = rg_buf_of(RG_BUF_ANY);
	if (is_integer(cell->text, cell->length)) {
		/* "1.23457e+06" as "1234570". */
		const char *e = strchr(scientific, 'e');
		long exponent = strtol(e + 1, NULL, 10), written = 0;

		for (const char *p = scientific; p < e && written <= exponent; p++) {
			if (*p == '.')
				continue;
			rg_buf_char(&out, *p);
			written += rg_text_is_digit(*p);
		}
		for (; written <= exponent; written++)
			rg_buf_char(&out, '0');
	} else
		rg_buf_add(&out, repr, rg_double_repr(value, repr));
	*length = out.length;
	*text = rg_buf_keep(&out, arena);
}

bool rg_table_cells_agree(const rg_table_cell *a, const rg_table_cell *b, unsigned digits)
{
	char text[2][SCIENTIFIC_SIZE];
	decimal x, y;
	double left, right;

	if (a->length == b->length && (!a->length || !memcmp(a->text, b->text, a->length)))
		return true;
	if (!is_finite_number(a, &left) || !is_finite_number(b, &right))
		return false;
	if (digits) {
		left = round_to(left, digits, text[0]);
		right = round_to(right, digits, text[1]);
		return !strcmp(text[0], text[1]);
	}
	return take_apart(a->text, a->length, &x) && take_apart(b->text, b->length, &y) &&
	       decimals_agree(&x, &y);
}
