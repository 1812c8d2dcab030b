/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "by_step.h"

#include "base/buf.h"
#include "golden/format.h"

#include <stdlib.h>
#include <zlib.h>

/* Appends a gzip file of that text. */
static void pack(rg_buf *out, const void *text, size_t size)
{
	z_stream z = {.next_in = (Bytef *)(uintptr_t)text, .avail_in = (uInt)size};

	assert_int_equal(deflateInit2(&z, 9, Z_DEFLATED, 15 + 16, 9, Z_DEFAULT_STRATEGY), Z_OK);
	const size_t room = deflateBound(&z, size) + 64;
	assert_true(rg_buf_reserve(out, room));
	z.next_out = (Bytef *)out->data + out->length;
	z.avail_out = (uInt)room;
	assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
	out->length += room - z.avail_out;
	deflateEnd(&z);
}

static rg_golden *golden_of_gz(const char *name, const rg_buf *file)
{
	rg_golden *golden;

	assert_success(read_as(&golden, name, file->data, file->length, NULL));
	return golden;
}

TEST(reads_what_is_packed)
{
	RG_AUTO(rg_buf) file = rg_buf_of(RG_BUF_TEXT);
	pack(&file, "{\"lm loss\": {\"values\": ", 23);
	pack(&file, "{\"1\": 2.5}}}", 12); /* two files in a row are one */
	rg_golden *g = golden_of_gz("golden.json.gz", &file);
	assert_string_equal(g->format, "json");
	assert_true(value_at(g, "lm loss", 1) == 2.5);
	rg_golden_free(g);
	rg_buf_clear(&file);
	pack(&file, "name,v\na,1\n", 11);
	g = golden_of_gz("x.csv.gz", &file);
	assert_string_equal(g->format, "table");
	rg_golden_free(g);
	rg_buf_clear(&file);
	pack(&file, "energy = 3", 10);
	g = golden_of_gz("x.out.gz", &file);
	assert_true(value_at(g, "energy", 0) == 3);
	rg_golden_free(g);
}

/* Its one metric is the file as it is. */
static void assert_opaque(const char *name, const rg_buf *file)
{
	rg_golden *g = golden_of_gz(name, file);

	assert_true(rg_golden_is_opaque(g));
	assert_ptr_equal(g->metrics[0].text, file->data);
	assert_int_equal(g->metrics[0].count, file->length);
	rg_golden_free(g);
}

TEST(leaves_others)
{
	RG_AUTO(rg_buf) file = rg_buf_of(RG_BUF_TEXT);
	pack(&file, "a tar\0\0", 7);
	assert_opaque("x.tar.gz", &file);
	rg_buf_clear(&file);
	pack(&file, "no number", 9);
	assert_opaque("x.txt.gz", &file);
	assert_opaque("x.txt", &file);
}

TEST(refuses)
{
	rg_golden *g;

	RG_AUTO(rg_buf) file = rg_buf_of(RG_BUF_TEXT);
	pack(&file, "name,v\na,1\nb,2\n", 15);
	for (size_t size = 3; size < file.length; size++) {
		rg_error *err = read_as(&g, "x.csv.gz", file.data, size, NULL);
		assert_error(err, RG_E_PARSE, "gzip: it is cut off");
	}
	file.data[file.length - 8] ^= 1;
	assert_error(read_as(&g, "x.csv.gz", file.data, file.length, NULL), RG_E_PARSE,
		     "gzip: incorrect data check");
}

/* A file that unpacks to more than memory may take: a gigabyte and a byte in a megabyte. */
TEST(bounds)
{
	static char blanks[1 << 20];
	rg_golden *g;

	if (!getenv("TEST_LONG"))
		return;
	memset(blanks, ' ', sizeof(blanks));
	RG_AUTO(rg_buf) part = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) file = rg_buf_of(RG_BUF_TEXT);
	pack(&part, blanks, sizeof(blanks));
	for (size_t i = 0; i < 1025; i++)
		rg_buf_add(&file, part.data, part.length);
	rg_error *err = read_as(&g, "x.csv.gz", file.data, file.length, NULL);
	assert_error(err, RG_E_LIMIT, "what it unpacks to: more than 1073741824 bytes");
}
