/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/span.h"

#include <stdlib.h>
#include <string.h>

enum { SIZE = (9 << 20) + 5, MOST = 6 << 20 };

static const char *first, *last; /* of what is remembered */
static size_t furthest;

/* Pieces come in order, and what is not forgotten yet is never much. */
static void note(const void *from, size_t size)
{
	const char *start = from;

	assert_true(start >= first && start <= last);
	assert_true(size <= MOST);
	last = start + size;
	furthest = (size_t)(last - first);
}

static char *zeros(void)
{
	char *bytes = calloc(1, SIZE);

	assert_non_null(bytes);
	return bytes;
}

TEST(digest)
{
	char *bytes = zeros(), once[RG_SHA256_HEX], pieces[RG_SHA256_HEX];
	const rg_span span = {bytes, SIZE, note}, none = {"", 0, note};

	bytes[SIZE - 1] = 1;
	first = last = bytes;
	assert_success(rg_sha256_hex(bytes, SIZE, once));
	assert_success(rg_span_sha256_hex(&span, pieces));
	assert_string_equal(once, pieces);
	assert_int_equal(furthest, SIZE);
	assert_success(rg_sha256_hex("", 0, once));
	assert_success(rg_span_sha256_hex(&none, pieces));
	assert_string_equal(once, pieces);
	free(bytes);
}

TEST(difference)
{
	static const size_t places[] = {0, 1, (4 << 20) - 1, 4 << 20, SIZE - 1};
	char *a = zeros(), *b = zeros();
	rg_span left = {a, SIZE, NULL}, right = {b, SIZE, NULL};
	size_t i;

	assert_true(rg_span_equal(&left, &right));
	assert_int_equal(rg_span_first_difference(&left, &right), SIZE);
	for (i = 0; i < sizeof(places) / sizeof(*places); i++) {
		b[places[i]] = 1;
		assert_false(rg_span_equal(&left, &right));
		assert_int_equal(rg_span_first_difference(&left, &right), places[i]);
		b[places[i]] = 0;
	}
	right.size--;
	assert_false(rg_span_equal(&left, &right));
	assert_int_equal(rg_span_first_difference(&left, &right), SIZE - 1);
	free(b);
	free(a);
}
