/* SPDX-License-Identifier: Apache-2.0 */
/* The fast reader of series: what it takes, and what it leaves to the other. */

#include "unit.h"

#include "base/buf.h"
#include "golden/series.h"

#include <stdlib.h>
#include <string.h>

static bool takes(const char *text)
{
	rg_input in = {.name = "g.json", .data = text, .size = strlen(text)};
	rg_golden golden = {0};
	bool taken;

	rg_arena_init(&golden.arena);
	assert_null(rg_series_read(&golden, &in, &taken));
	if (!taken)
		assert_int_equal(golden.count, 0);
	rg_arena_release(&golden.arena);
	return taken;
}

TEST(takes_series)
{
	assert_true(takes("{\"m\": {\"values\": {}}}"));
	assert_true(takes(" {\n\t\"m\":{\"values\":{\"1\":1,\"2\" : -2.5e-3 }} , \"a\": "
			  "{\"step_interval\": 1, \"values\": {\"0\": \"nan\", \"1\": NaN},"
			  "\"end_step\": 0, \"start_step\": 0}}\r\n"));
}

/* Entries enough that some could be taken the short way, were they not written otherwise. */
TEST(takes_what_is_written_otherwise)
{
	static const char *const between[] = {"\":", "\" :", "\":  ", "\" : ", "\":\n"};
	size_t i, n;

	for (n = 0; n < sizeof(between) / sizeof(between[0]); n++) {
		rg_golden golden = {0};
		rg_input in = {.name = "g.json"};
		rg_buf text;
		bool taken;

		rg_buf_init(&text, RG_BUF_TEXT);
		rg_buf_str(&text, "{\"m\": {\"values\": {");
		for (i = 1; i <= 50; i++)
			rg_buf_printf(&text, "%s\"%zu%s1%zu.5", i > 1 ? ", " : "", i, between[n],
				      i);
		rg_buf_str(&text, "}}}");
		in.data = text.data;
		in.size = text.length;
		rg_arena_init(&golden.arena);
		assert_null(rg_series_read(&golden, &in, &taken));
		assert_true(taken);
		assert_int_equal(golden.metrics[0].count, 50);
		assert_true(golden.metrics[0].values[0] == 11.5);
		assert_true(golden.metrics[0].values[49] == 150.5);
		rg_arena_release(&golden.arena);
		rg_buf_release(&text);
	}
}

/* Each of these is the other reader's, whether it is a golden or not. */
TEST(leaves_the_rest)
{
	static const char *const others[] = {
		"",
		"{}",
		"[]",
		"\xef\xbb\xbf{\"m\": {\"values\": {}}}",
		"{\"m\": {\"values\": {}}} x",
		"{\"m\": {\"values\": {}},}",
		"{\"m\": {\"values\": {\"1\": 1,}}}",
		"{\"m\": {}}",
		"{\"m\": 1}",
		"{\"m\": {\"values\": [1]}}",
		"{\"m\": {\"values\": {\"1\": 1}, \"values\": {}}}",
		"{\"m\": {\"values\": {}, \"start_step\": 1.0}}",
		"{\"m\": {\"values\": {}, \"start_step\": 01}}",
		"{\"m\": {\"values\": {}, \"start_step\": -1}}",
		"{\"m\": {\"values\": {}, \"start_step\": 1234567890123456}}",
		"{\"m\": {\"values\": {}, \"more\": 1}}",
		"{\"m\": {\"values\": {}}, \"m\": {\"values\": {}}}",
		"{\"\\u006d\": {\"values\": {}}}",
		"{\"\xc3\xa9\": {\"values\": {}}}",
		"{\"a\tb\": {\"values\": {}}}",
		"{\"m\": {\"values\": {\"-1\": 1}}}",
		"{\"m\": {\"values\": {\"\": 1}}}",
		"{\"m\": {\"values\": {\"1.0\": 1}}}",
		"{\"m\": {\"values\": {\"1\": null}}}",
		"{\"m\": {\"values\": {\"1\": true}}}",
		"{\"m\": {\"values\": {\"1\": Infinity}}}",
		"{\"m\": {\"values\": {\"1\": \"1.5\"}}}",
		"{\"m\": {\"values\": {\"1\": 01}}}",
		"{\"m\": {\"values\": {\"1\": 1.}}}",
		"{\"m\": {\"values\": {\"1\": .5}}}",
		"{\"m\": {\"values\": {\"1\": +1}}}",
		"{\"m\": {\"values\": {\"1\": 1e}}}",
		"{\"m\": {\"values\": {\"1\": -}}}",
		"{\"m\": {\"values\": {\"1\": 1",
		/* A number of 61 bytes. */
		("{\"m\": {\"values\": {\"1\": "
		 "1.00000000000000000000000000000000000000000000000000000000000}}}"),
	};
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		if (takes(others[i]))
			fail_msg("took %s", others[i]);
}

TEST(steps_out_of_order)
{
	const char *text = "{\"m\": {\"values\": {\"3\": 1, \"1\": 2, \"3\": 4, \"2\": 5}}}";
	rg_input in = {.name = "g.json", .data = text, .size = strlen(text)};
	rg_golden golden = {0};
	bool taken;

	rg_arena_init(&golden.arena);
	assert_null(rg_series_read(&golden, &in, &taken));
	assert_true(taken);
	assert_int_equal(golden.metrics[0].count, 3);
	assert_int_equal(golden.metrics[0].steps[2], 3);
	assert_true(golden.metrics[0].values[2] == 4);
	assert_int_equal(golden.metrics[0].duplicate_keys, 1);
	rg_arena_release(&golden.arena);
}

/* Long series are the golden's memory themselves, short ones copies: no difference to be seen. */
TEST(long_series)
{
	enum { STEPS = 5000, METRICS = 3 };
	rg_golden golden = {0};
	rg_input in;
	bool taken;
	int m, i;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	for (m = 0; m < METRICS; m++) {
		rg_buf_printf(&text, "%s\"m%d\": {\"values\": {", m ? ", " : "{", m);
		for (i = 0; i < (m == 1 ? 3 : STEPS); i++)
			rg_buf_printf(&text, "%s\"%d\": %d.5", i ? ", " : "", i + 1, i * (m + 1));
		rg_buf_str(&text, "}}");
	}
	rg_buf_str(&text, "}");
	in = (rg_input){.name = "g.json", .data = text.data, .size = text.length};
	rg_arena_init(&golden.arena);
	assert_null(rg_series_read(&golden, &in, &taken));
	assert_true(taken);
	assert_int_equal(golden.count, METRICS);
	for (m = 0; m < METRICS; m++) {
		assert_int_equal(golden.metrics[m].count, m == 1 ? 3 : STEPS);
		for (i = 0; i < (int)golden.metrics[m].count; i++) {
			assert_int_equal(golden.metrics[m].steps[i], i + 1);
			assert_true(golden.metrics[m].values[i] == i * (m + 1) + 0.5);
		}
	}
	rg_arena_release(&golden.arena);
}

/* Whatever step follows on whatever. */
TEST(steps_of_all_lengths)
{
	static const int64_t steps[] = {0,       1,        2,        3,        4,
					9,       10,       11,       20,       21,
					22,      25,       28,       29,       38,
					999,     1000,     1001,     1002,     9999998,
					9999999, 10000000, 10000001, 10000002, 123456789012345};
	enum { STEPS = sizeof(steps) / sizeof(*steps) };
	rg_golden golden = {0};
	rg_input in = {.name = "g.json"};
	bool taken;
	int i;

	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	rg_buf_str(&text, "{\"m\": {\"values\": {");
	for (i = 0; i < STEPS; i++)
		rg_buf_printf(&text, "%s\"%lld\": %d.25", i ? ", " : "", (long long)steps[i], i);
	rg_buf_printf(&text, "}}}%100s", "");
	in.data = text.data;
	in.size = text.length;
	rg_arena_init(&golden.arena);
	assert_null(rg_series_read(&golden, &in, &taken));
	assert_true(taken);
	assert_int_equal(golden.metrics[0].count, STEPS);
	for (i = 0; i < STEPS; i++) {
		assert_true(golden.metrics[0].steps[i] == steps[i]);
		assert_true(golden.metrics[0].values[i] == i + 0.25);
	}
	rg_arena_release(&golden.arena);
}

/* A text that ends too early is not taken, and nothing after its end is looked at
 * (AddressSanitizer sees that). */
TEST(cut_short)
{
	static const char text[] =
		"{\"m\": {\"values\": {\"1\": 10.5, \"2\": -3.25, \"3\": 17448304640.0, "
		"\"4\": \"nan\", \"5\": 10.5, \"6\": 12345678901.5, \"7\": 1.0}}}";
	size_t length;

	for (length = 0; length < sizeof(text); length++) {
		char *cut = malloc(length ? length : 1);
		rg_input in = {.name = "g.json", .data = cut, .size = length};
		rg_golden golden = {0};
		bool taken;

		memcpy(cut, text, length);
		rg_arena_init(&golden.arena);
		assert_null(rg_series_read(&golden, &in, &taken));
		assert_int_equal(taken, length == sizeof(text) - 1);
		rg_arena_release(&golden.arena);
		free(cut);
	}
}
