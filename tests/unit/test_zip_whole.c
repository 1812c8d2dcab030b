/* SPDX-License-Identifier: Apache-2.0 */
/* A zip as a whole: where its directory is, how it is read, damage. */
#include "unit.h"

#include "zip_fixture.h"

#include "archive/zip.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOLDEN "{\"lm loss\": {\"values\": {\"1\": 10.5}}}\n"

static void open_fails(zipmaker *maker, rg_error_code code, const char *message)
{
	opened o = {0};

	assert_error(open_maker(&o, maker, NULL), code, message);
	close_opened(&o, maker);
}

TEST(end_records_that_lie)
{
	zipmaker maker;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.entries = 2;
	open_fails(&maker, RG_E_PARSE,
		   "not a readable zip: its directory of 47 bytes cannot hold 2 members");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.entries = 0;
	open_fails(&maker, RG_E_PARSE,
		   "not a readable zip: its directory of 47 bytes cannot hold 0 members");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	zipmaker_add(&maker, "b", "{}", 2);
	maker.entries = 1;
	open_fails(&maker, RG_E_PARSE,
		   "not a readable zip: its directory holds 47 bytes after its last member");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.directory_offset = 3;
	open_fails(&maker, RG_E_PARSE,
		   "not a readable zip: its directory (47 bytes at 3) does not end where the end "
		   "record begins (80)");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.zip64 = true;
	maker.directory_size = UINT64_MAX - 5;
	open_fails(
		&maker, RG_E_PARSE,
		"not a readable zip: its directory (18446744073709551610 bytes at 33) does not end "
		"where the end record begins (80)");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.zip64 = true;
	maker.entries = UINT64_MAX - 1;
	open_fails(&maker, RG_E_PARSE,
		   "not a readable zip: its directory of 47 bytes cannot hold 18446744073709551614 "
		   "members");
}

/* What end records say beside the directory's place, each field changed alone. */
TEST(end_records_of_parts)
{
	static const char parts[] = "not a readable zip: a zip of several parts is not supported";
	static const char contradiction[] =
		"not a readable zip: its two end records contradict each other";
	/* From the file's end: the end record's 22 bytes, in zip64 with 20 and 56 before them. */
	static const struct {
		bool zip64;
		size_t before_end;
		char value;
		const char *message; /* NULL: it can be read */
	} cases[] = {
		{false, 22 - 4, 1, parts},
		{false, 22 - 6, 1, parts},
		{false, 22 - 8, 2, parts},
		{true, 42 - 4, 1, parts},
		{true, 42 - 16, 2, parts},
		{true, 42 - 16, 0, NULL},
		{true, 98 - 16, 1, parts},
		{true, 98 - 20, 1, parts},
		{true, 98 - 24, 2, parts},
		{true, 98, 'p', "not a readable zip: its zip64 end record is broken"},
		{true, 98 - 4, 1, "not a readable zip: its zip64 end record is broken"},
		{true, 22 - 10, 1, contradiction},
		{true, 22 - 12, 1, contradiction},
		{true, 22 - 16, 1, contradiction},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		zipmaker maker;
		rg_reader reader;
		rg_buf bytes;
		rg_zip *zip;

		zipmaker_init(&maker);
		zipmaker_add(&maker, "a", "{}", 2);
		maker.zip64 = cases[i].zip64;
		rg_buf_init(&bytes, 1000);
		zipmaker_write(&maker, &bytes);
		bytes.data[bytes.length - cases[i].before_end] = cases[i].value;
		reader = memory_reader("a.zip", bytes.data, bytes.length);
		if (cases[i].message)
			assert_error(rg_zip_open(&zip, &reader, NULL, NULL), RG_E_PARSE,
				     cases[i].message);
		else
			assert_success(rg_zip_open(&zip, &reader, NULL, NULL));
		rg_zip_free(zip);
		rg_buf_release(&bytes);
		zipmaker_release(&maker);
	}
}

/* Reads until `left` is used up. */
typedef struct {
	const rg_buf *bytes;
	size_t left;
} failing;

static rg_error *read_failing(void *context, uint64_t offset, void *buffer, size_t length)
{
	failing *f = context;

	if (!f->left)
		return rg_error_new(RG_E_NET, "the line is dead");
	f->left--;
	memcpy(buffer, f->bytes->data + offset, length);
	return NULL;
}

/* Whichever read fails, it is what comes back. */
TEST(each_read_fails)
{
	static char large[300000];
	zipmaker maker;
	rg_buf bytes, out;
	size_t i, reads;

	for (i = 0; i < sizeof(large); i++)
		large[i] = (char)(i * i >> 5);
	zipmaker_init(&maker);
	zipmaker_add(&maker, "stored", large, sizeof(large));
	zipmaker_add(&maker, "deflated", large, sizeof(large))->method = 8;
	rg_buf_init(&bytes, 1 << 20);
	zipmaker_write(&maker, &bytes);
	rg_buf_init(&out, 1 << 20);
	for (i = 0; i < 2; i++) {
		rg_error *err = NULL;

		for (reads = 0; !reads || err; reads++) {
			failing f = {&bytes, SIZE_MAX};
			rg_reader reader = {.name = "a.zip",
					    .size = bytes.length,
					    .read_at = read_failing,
					    .context = &f};
			rg_zip *zip;

			rg_error_free(err);
			assert_success(rg_zip_open(&zip, &reader, NULL, NULL));
			f.left = reads;
			rg_buf_clear(&out);
			err = rg_zip_extract(zip, i, rg_zip_append, &out);
			if (err)
				assert_int_equal(rg_error_get_code(err), RG_E_NET);
			rg_zip_free(zip);
		}
		assert_int_equal(out.length, sizeof(large));
		assert_true(reads > 2);
	}
	rg_buf_release(&out);
	rg_buf_release(&bytes);
	zipmaker_release(&maker);
}

/* A comment that is itself the end of another zip: readers would differ, so none is believed. */
TEST(comment_with_an_end_record)
{
	static const char lone[22] = "PK\5\6"; /* an end record without a directory before it */
	zipmaker maker, inner;
	opened o;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.comment = lone;
	maker.comment_size = sizeof(lone);
	assert_success(open_maker(&o, &maker, NULL));
	extracts(o.zip, 0, "{}", 2);
	close_opened(&o, &maker);

	RG_AUTO(rg_buf) fake = rg_buf_of(1000);
	zipmaker_init(&inner);
	inner.prefix_size = 80 + 22;
	inner.prefix = fake.data;
	rg_buf_reserve(&fake, 200);
	memset(fake.data, 'x', 200);
	inner.prefix = fake.data;
	zipmaker_add(&inner, "evil", "{}", 2);
	{
		rg_buf whole;

		rg_buf_init(&whole, 1000);
		zipmaker_write(&inner, &whole);
		zipmaker_init(&maker);
		zipmaker_add(&maker, "a", "{}", 2);
		maker.comment = whole.data + 102;
		maker.comment_size = whole.length - 102;
		open_fails(&maker, RG_E_PARSE,
			   "not a readable zip: it has two end records, each with a directory");
		rg_buf_release(&whole);
	}
	zipmaker_release(&inner);
}

TEST(long_comment)
{
	static char comment[65535];
	zipmaker maker;
	opened o;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.zip64 = true;
	maker.comment = comment;
	maker.comment_size = sizeof(comment);
	assert_success(open_maker(&o, &maker, NULL));
	extracts(o.zip, 0, "{}", 2);
	close_opened(&o, &maker);
}

typedef struct {
	rg_buf bytes;
	size_t requests;
} counted;

static rg_error *read_counted(void *context, uint64_t offset, void *buffer, size_t length)
{
	counted *c = context;

	c->requests++;
	memcpy(buffer, c->bytes.data + offset, length);
	return NULL;
}

/* Opens the zip as a download does, behind a cache that has the tail, and extracts member 0. */
static size_t requests_for_a_member(zipmaker *maker)
{
	const rg_reader_cache_options options = {.stretch_max = 1 << 20, .memory_max = 4 << 20};
	const size_t wanted = 0;
	rg_reader_cache *cache;
	rg_reader reader;
	counted c = {.requests = 0};
	uint64_t tail;
	rg_zip *zip;

	rg_buf_init(&c.bytes, 1 << 26);
	zipmaker_write(maker, &c.bytes);
	reader = (rg_reader){.name = "counted.zip",
			     .size = c.bytes.length,
			     .read_at = read_counted,
			     .context = &c};
	tail = c.bytes.length - RG_ZIP_TAIL;
	cache = rg_reader_cache_new(&reader, &options);
	rg_reader_cache_put(cache, tail, c.bytes.data + tail, RG_ZIP_TAIL);
	assert_success(rg_zip_open(&zip, rg_reader_cache_reader(cache), NULL, NULL));
	assert_success(rg_zip_prefetch(zip, &wanted, 1));
	extracts(zip, 0, GOLDEN, strlen(GOLDEN));
	rg_zip_free(zip);
	rg_reader_cache_free(cache);
	rg_buf_release(&c.bytes);
	zipmaker_release(maker);
	return c.requests;
}

/* With the address and the tail that makes four, whatever the comment and the directory are. */
TEST(two_requests_behind_the_tail)
{
	enum { LOGS = 4000 };
	static char comment[65535], log[1 << 20], names[LOGS][640];
	zipmaker maker;
	size_t i;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", GOLDEN, strlen(GOLDEN));
	zipmaker_add(&maker, "log", log, sizeof(log));
	maker.comment = comment;
	maker.comment_size = sizeof(comment);
	assert_int_equal(requests_for_a_member(&maker), 2);
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", GOLDEN, strlen(GOLDEN));
	zipmaker_add(&maker, "log", log, sizeof(log));
	for (i = 0; i < LOGS; i++) {
		snprintf(names[i], sizeof(names[i]), "%0200zu/%0200zu/%0200zu", i, i, i);
		zipmaker_add(&maker, names[i], "", 0);
	}
	assert_int_equal(requests_for_a_member(&maker), 2);
}

enum { BASE_GIB = 5 };

static rg_error *read_behind_base(void *context, uint64_t offset, void *buffer, size_t length)
{
	const rg_buf *bytes = context;
	const uint64_t base = (uint64_t)BASE_GIB << 30;

	assert_true(offset >= base);
	memcpy(buffer, bytes->data + (offset - base), length);
	return NULL;
}

/* Members after the first 4 GiB: offsets that only zip64 can hold. */
TEST(gigabytes_before_it)
{
	static char filler[RG_ZIP_TAIL];
	zipmaker maker;
	rg_reader reader;
	rg_buf bytes;
	rg_zip *zip;

	zipmaker_init(&maker);
	maker.base = (uint64_t)BASE_GIB << 30;
	maker.zip64 = true;
	zipmaker_add(&maker, "a.json", GOLDEN, strlen(GOLDEN))->zip64 = true;
	zipmaker_add(&maker, "b.json", GOLDEN, strlen(GOLDEN))->zip64 = true;
	maker.members[1].method = 8;
	rg_buf_init(&bytes, 1 << 20);
	/* A tail's worth of bytes, so that nothing before it is asked for. */
	maker.prefix = filler;
	maker.prefix_size = sizeof(filler);
	zipmaker_write(&maker, &bytes);
	reader = (rg_reader){.name = "large.zip",
			     .size = maker.base + bytes.length,
			     .read_at = read_behind_base,
			     .context = &bytes};
	assert_success(rg_zip_open(&zip, &reader, NULL, NULL));
	assert_true(rg_zip_at(zip, 1)->offset > maker.base);
	extracts(zip, 0, GOLDEN, strlen(GOLDEN));
	extracts(zip, 1, GOLDEN, strlen(GOLDEN));
	rg_zip_free(zip);
	rg_buf_release(&bytes);
	zipmaker_release(&maker);
}

/* Every prefix of a zip is refused as a whole: the end record ends with the file. */
TEST(cut_anywhere)
{
	zipmaker maker;
	size_t length;
	opened o;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.json", GOLDEN, strlen(GOLDEN))->method = 8;
	zipmaker_add(&maker, "b.json", GOLDEN, strlen(GOLDEN));
	assert_success(open_maker(&o, &maker, NULL));
	for (length = 0; length < o.bytes.length; length++) {
		rg_reader cut;
		rg_error *err;
		rg_zip *zip;

		cut = memory_reader("cut.zip", o.bytes.data, length);
		err = rg_zip_open(&zip, &cut, NULL, NULL);
		assert_non_null(err);
		assert_int_equal(rg_error_get_code(err), RG_E_PARSE);
		assert_null(zip);
		rg_error_free(err);
	}
	close_opened(&o, &maker);
}

/* Any one byte flipped: the golden comes out as it was, or not at all. */
TEST(flipped_anywhere)
{
	zipmaker maker;
	opened o;
	size_t at;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.json", GOLDEN, strlen(GOLDEN))->method = 8;
	zipmaker_add(&maker, "b.json", GOLDEN, strlen(GOLDEN))->descriptor = true;
	assert_success(open_maker(&o, &maker, NULL));
	for (at = 0; at < o.bytes.length * 8; at++) {
		char *byte = o.bytes.data + at / 8;
		rg_zip *zip;
		rg_error *err;
		size_t i;

		*byte = (char)(*byte ^ 1 << at % 8);
		err = rg_zip_open(&zip, &o.reader, NULL, NULL);
		for (i = 0; !err && i < rg_zip_count(zip); i++) {
			rg_error *one;
			rg_buf out;

			rg_buf_init(&out, 1 << 20);
			one = rg_zip_extract(zip, i, rg_zip_append, &out);
			if (!one) {
				assert_int_equal(out.length, strlen(GOLDEN));
				assert_memory_equal(out.data, GOLDEN, out.length);
			}
			rg_error_free(one);
			rg_buf_release(&out);
		}
		rg_error_free(err);
		rg_zip_free(zip);
		*byte = (char)(*byte ^ 1 << at % 8);
	}
	close_opened(&o, &maker);
}

TEST(no_zip_at_all)
{
	static const char html[] = "<!DOCTYPE html><html><body>Sign in to GitHub</body></html>";
	rg_reader reader;
	rg_zip *zip;

	reader = memory_reader("a.zip", html, strlen(html));
	assert_error(rg_zip_open(&zip, &reader, NULL, NULL), RG_E_PARSE,
		     "not a readable zip: there is no end record (cut off, or not a zip)");
	reader = memory_reader("a.zip", "", 0);
	assert_error(rg_zip_open(&zip, &reader, NULL, NULL), RG_E_PARSE,
		     "not a readable zip: 0 bytes are too few for a zip");
	assert_false(rg_zip_recognised(html, strlen(html)));
	assert_false(rg_zip_recognised("PK", 2));
	assert_true(rg_zip_recognised("PK\3\4", 4));
}

TEST(empty_zip)
{
	zipmaker maker;
	opened o;

	zipmaker_init(&maker);
	assert_success(open_maker(&o, &maker, NULL));
	assert_int_equal(rg_zip_count(o.zip), 0);
	assert_true(rg_zip_recognised(o.bytes.data, o.bytes.length));
	close_opened(&o, &maker);
}

static rg_error *broken_read(void *context, uint64_t offset, void *buffer, size_t length)
{
	const rg_buf *bytes = context;

	if (offset < 100)
		return rg_error_new(RG_E_NET, "the line is dead");
	memcpy(buffer, bytes->data + offset, length);
	return NULL;
}

/* A reader's error comes through as it is. */
TEST(reader_that_fails)
{
	static char filler[2000];
	zipmaker maker;
	opened o;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", filler, sizeof(filler));
	zipmaker_add(&maker, "b", filler, sizeof(filler));
	maker.prefix = filler;
	maker.prefix_size = 90;
	assert_success(open_maker(&o, &maker, NULL));
	rg_zip_free(o.zip);
	o.reader.read_at = broken_read;
	o.reader.context = &o.bytes;
	assert_error(rg_zip_open(&o.zip, &o.reader, NULL, NULL), RG_E_NET, "the line is dead");
	o.reader = memory_reader("a.zip", o.bytes.data, o.bytes.length);
	assert_success(rg_zip_open(&o.zip, &o.reader, NULL, NULL));
	o.reader.read_at = broken_read;
	o.reader.context = &o.bytes;
	extract_fails(o.zip, 0, RG_E_NET, "the line is dead");
	extracts(o.zip, 1, filler, sizeof(filler));
	close_opened(&o, &maker);
}
