/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/buf.h"

#include <stdlib.h>
#include <string.h>

TEST(append)
{
	rg_buf buf;

	rg_buf_init(&buf, 100);
	assert_string_equal(buf.data, "");
	rg_buf_str(&buf, "ab");
	rg_buf_char(&buf, 'c');
	rg_buf_printf(&buf, "-%d-", 42);
	rg_buf_add(&buf, "\0x", 2);
	assert_int_equal(buf.length, 9);
	assert_memory_equal(buf.data, "abc-42-\0x", 10);
	assert_success(rg_buf_check(&buf, "text"));
	rg_buf_truncate(&buf, 2);
	assert_string_equal(buf.data, "ab");
	rg_buf_truncate(&buf, 50);
	assert_int_equal(buf.length, 2);
	rg_buf_release(&buf);
	assert_string_equal(buf.data, "");
}

TEST(maximum_is_exact_and_failure_sticks)
{
	RG_AUTO(rg_buf) buf = rg_buf_of(5);
	rg_buf_str(&buf, "12345");
	assert_success(rg_buf_check(&buf, "five"));
	rg_buf_str(&buf, "");
	assert_success(rg_buf_check(&buf, "five"));
	rg_buf_char(&buf, '6');
	rg_buf_str(&buf, "x");
	assert_int_equal(buf.length, 0);
	assert_error(rg_buf_check(&buf, "five"), RG_E_LIMIT, "five: more than 5 bytes");
	rg_buf_clear(&buf);
	rg_buf_str(&buf, "x");
	assert_success(rg_buf_check(&buf, "five"));
	assert_string_equal(buf.data, "x");
}

/* What does not fit into the memory of a machine of 32 bits is no smaller limit there. */
TEST(most)
{
	assert_int_equal(rg_buf_most(0), 0);
	assert_int_equal(rg_buf_most(4096), 4096);
	assert_int_equal(rg_buf_most((uint64_t)4 << 30),
			 SIZE_MAX > UINT32_MAX ? (uint64_t)4 << 30 : RG_BUF_ANY);
	assert_int_equal(rg_buf_most(UINT64_MAX), RG_BUF_ANY);
}

TEST(detach)
{
	char *text;

	RG_AUTO(rg_buf) buf = rg_buf_of(10);
	text = rg_buf_detach(&buf);
	assert_string_equal(text, "");
	free(text);
	rg_buf_str(&buf, "mine");
	text = rg_buf_detach(&buf);
	assert_string_equal(text, "mine");
	assert_int_equal(buf.length, 0);
	free(text);
}

TEST(growth)
{
	size_t i, capacity = 0, grown = 0;

	RG_AUTO(rg_buf) buf = rg_buf_of(1 << 20);
	for (i = 0; i < 1 << 20; i++) {
		rg_buf_char(&buf, (char)('a' + i % 26));
		grown += buf.capacity != capacity;
		capacity = buf.capacity;
	}
	assert_true(grown < 20); /* it doubles: no copy for each byte */
	assert_success(rg_buf_check(&buf, "letters"));
	for (i = 0; i < 1 << 20; i++)
		assert_int_equal(buf.data[i], 'a' + i % 26);
}
