/* SPDX-License-Identifier: Apache-2.0 */

#include "unit.h"

#include "update/splice.h"

#include <string.h>

static void set(rg_buf *buf, const char *text)
{
	rg_buf_init(buf, RG_BUF_TEXT);
	rg_buf_str(buf, text);
	assert_null(rg_buf_check(buf, "test"));
}

/* `wanted` NULL: the metric is not found. */
static void check(const char *old, const char *fresh, const char *metric, const char *wanted)
{
	rg_buf a, b;
	bool found;

	set(&a, old);
	set(&b, fresh);
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_null(rg_splice(&out, &a, &b, metric, &found));
	assert_int_equal(found, wanted != NULL);
	assert_string_equal(out.data, wanted ? wanted : "");
	rg_buf_release(&a);
	rg_buf_release(&b);
}

TEST(replaces_the_value_alone)
{
	check("{ \"a\" :  {\"1\": 2.50} ,\n\t\"b\":[1, 2]}\n", "{\"b\": [3], \"a\":{\"1\":7}}", "a",
	      "{ \"a\" :  {\"1\":7} ,\n\t\"b\":[1, 2]}\n");
	check("{\"a\": 1, \"b\": NaN}", "{\"a\": -Infinity, \"b\": 2}", "b",
	      "{\"a\": 1, \"b\": 2}");
	check("{\"a\": \"}\\\"{\", \"b\": 1}", "{\"b\": \"],\\\\\"}", "b",
	      "{\"a\": \"}\\\"{\", \"b\": \"],\\\\\"}");
}

TEST(adds_what_is_new)
{
	check("{\n  \"a\": 1,\n  \"b\": 2\n}\n", "{\"c\": {\"x\": 3}}", "c",
	      "{\n  \"a\": 1,\n  \"b\": 2,\n  \"c\": {\"x\": 3}\n}\n");
	check("{\"a\": 1}", "{\"c\":3}", "c", "{\"a\": 1, \"c\":3}");
	check("{}", "{\"c\":3}", "c", "{\"c\":3}");
	check(" { } ", "{\"c\":3}", "c", " {\"c\":3 } ");
}

TEST(follows_paths)
{
	check("{\"0\": {\"x\": [1], \"y\": 2}, \"1\": {\"x\": [5]}}", "{\"0\": {\"x\": [9, 9]}}",
	      "0/x", "{\"0\": {\"x\": [9, 9], \"y\": 2}, \"1\": {\"x\": [5]}}");
	check("{\"0/x\": 1}", "{\"0/x\": 2}", "0/x", "{\"0/x\": 2}");
	check("{\"0\": {\"x\": 1}}", "{\"0\": {\"y\": 2}}", "0/y", "{\"0\": {\"x\": 1, \"y\": 2}}");
}

TEST(the_last_of_a_key_counts)
{
	check("{\"a\": 1, \"a\": 2}", "{\"a\": 3, \"a\": 4}", "a", "{\"a\": 1, \"a\": 4}");
	check("{\"l\\u006d loss\": 1}", "{\"lm loss\": 2}", "lm loss", "{\"l\\u006d loss\": 2}");
}

TEST(not_found)
{
	check("{\"a\": 1}", "{\"b\": 2}", "a", NULL);
	check("{\"a\": 1}", "{\"ab\": 2}", "a", NULL);
	check("{\"a\": 1}", "{\"0\": {\"a\": 2}}", "0/a", NULL);
	check("{\"0\": 1}", "{\"0\": {\"a\": 2}}", "0/a", NULL);
	check("{\"0\": {\"a\": 1}}", "{\"0\": {\"b\": {\"c\": 2}}}", "0/b/c", NULL);
}

TEST(broken)
{
	static const char *const texts[] = {"",        "[1]",       "{",          "{\"a\"",
					    "{\"a\":", "{\"a\": 1", "{\"a\": [1", "{\"a\": \"x}",
					    "{a: 1}",  "{\"a\": ]}"};
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		rg_buf old, fresh, out;
		bool found;
		rg_error *err;

		set(&old, texts[i]);
		set(&fresh, "{\"a\": 1}");
		rg_buf_init(&out, RG_BUF_TEXT);
		err = rg_splice(&out, &old, &fresh, "a", &found);
		if (!err || rg_error_get_code(err) != RG_E_PARSE)
			fail_msg("taken: %s", texts[i]);
		rg_error_free(err);
		rg_buf_release(&old);
		rg_buf_release(&fresh);
		rg_buf_release(&out);
	}
}

TEST(a_nul_is_broken)
{
	rg_buf fresh;
	bool found;
	rg_error *err;

	RG_AUTO(rg_buf) old = rg_buf_of(RG_BUF_TEXT);
	rg_buf_add(&old, "{\"a\": [1\0]}", 11);
	set(&fresh, "{\"a\": 1}");
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	err = rg_splice(&out, &old, &fresh, "a", &found);
	assert_non_null(err);
	rg_error_free(err);
	rg_buf_release(&fresh);
}
