#include "archive/zip_writer.h"

#include "archive/zip.h"
#include "base/digest.h"
#include "support/check.h"

#include <string.h>

static void write_two(rg_buf *out)
{
	static char zeros[3 << 20];
	rg_zip_writer *writer;

	no_error(rg_zip_writer_new(&writer, out));
	no_error(rg_zip_writer_add(writer, "add/model.pte", zeros, sizeof(zeros)));
	no_error(rg_zip_writer_add(writer, "add/model_input.bin", "12345678", 8));
	no_error(rg_zip_writer_add(writer, "empty", "", 0));
	no_error(rg_zip_writer_finish(writer));
	rg_zip_writer_free(writer);
}

static void same_bytes_every_time(void **state)
{
	rg_buf first, second;

	(void)state;
	rg_buf_init(&first, 1 << 20);
	rg_buf_init(&second, 1 << 20);
	write_two(&first);
	write_two(&second);
	assert_int_equal(first.length, second.length);
	assert_memory_equal(first.data, second.data, first.length);
	rg_buf_release(&second);
	rg_buf_release(&first);
}

static void reads_back(void **state)
{
	rg_zip_limits limits = rg_zip_limits_default();
	rg_buf zip, bytes;
	rg_reader reader;
	rg_zip *opened;

	(void)state;
	limits.ratio = 0;
	rg_buf_init(&zip, 1 << 20);
	rg_buf_init(&bytes, 4 << 20);
	rg_buf_str(&zip, "before");
	write_two(&zip);
	assert_memory_equal(zip.data, "beforePK", 8);
	rg_reader_memory(&reader, "a.zip", zip.data + 6, zip.length - 6);
	no_error(rg_zip_open(&opened, &reader, &limits, NULL));
	assert_int_equal(rg_zip_count(opened), 3);
	assert_string_equal(rg_zip_at(opened, 1)->name, "add/model_input.bin");
	no_error(rg_zip_extract(opened, 1, &bytes));
	assert_string_equal(bytes.data, "12345678");
	rg_buf_clear(&bytes);
	no_error(rg_zip_extract(opened, 0, &bytes));
	assert_int_equal(bytes.length, 3 << 20);
	no_error(rg_zip_extract(opened, 2, &bytes));
	rg_zip_free(opened);
	rg_buf_release(&bytes);
	rg_buf_release(&zip);
}

static void order_and_names(void **state)
{
	rg_zip_writer *writer;
	rg_buf zip;

	(void)state;
	rg_buf_init(&zip, 1 << 20);
	no_error(rg_zip_writer_new(&writer, &zip));
	no_error(rg_zip_writer_add(writer, "b", "1", 1));
	is_error(rg_zip_writer_add(writer, "a", "1", 1), RG_E_USAGE,
		 "member 'a' does not come after 'b'");
	is_error(rg_zip_writer_add(writer, "b", "1", 1), RG_E_USAGE,
		 "member 'b' does not come after 'b'");
	is_error(rg_zip_writer_add(writer, "c/../d", "1", 1), RG_E_UNSAFE,
		 "unsafe name 'c/../d': it has a '..' part");
	no_error(rg_zip_writer_add(writer, "c", "1", 1));
	no_error(rg_zip_writer_finish(writer));
	is_error(rg_zip_writer_add(writer, "d", "1", 1), RG_E_USAGE,
		 "member 'd' comes after the end");
	is_error(rg_zip_writer_finish(writer), RG_E_USAGE, "the zip is finished already");
	rg_zip_writer_free(writer);
	rg_buf_release(&zip);
}

/* At every size that is too small, some call says so. */
static void buffers_that_are_too_small(void **state)
{
	size_t max;

	(void)state;
	for (max = 0; max < 300; max++) {
		rg_zip_writer *writer;
		rg_error *err;
		rg_buf zip;

		rg_buf_init(&zip, max);
		err = rg_zip_writer_new(&writer, &zip);
		if (!err) {
			err = rg_zip_writer_add(writer, "a", "12345678", 8);
			err = rg_error_first(err, rg_zip_writer_add(writer, "b", "12345678", 8));
			err = rg_error_first(err, rg_zip_writer_finish(writer));
			rg_zip_writer_free(writer);
		}
		if (err)
			assert_int_equal(rg_error_get_code(err), RG_E_LIMIT);
		else
			assert_true(zip.length > 100 && zip.length <= max);
		assert_true(err || max > 100);
		rg_error_free(err);
		rg_buf_release(&zip);
	}
}

static void promised_digests(void **state)
{
	static const char hex[] =
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	char got[RG_SHA256_HEX];

	(void)state;
	no_error(rg_sha256_hex("abc", 3, got));
	no_error(rg_digest_check(
		"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", got, 3));
	no_error(rg_digest_check(
		"sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD", got, 3));
	assert_string_equal(got, hex);
	is_error(
		rg_digest_check("sha256:00000000000000000000000000000000000000000000000000000000000"
				"00000",
				got, 3),
		RG_E_MISMATCH,
		"its digest is "
		"sha256:0000000000000000000000000000000000000000000000000000000000000000, but the "
		"3 "
		"bytes that came have "
		"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	is_error(rg_digest_check("md5:00", got, 3), RG_E_PARSE, "'md5:00' is no SHA-256 digest");
	is_error(rg_digest_check("sha256:xyz", got, 3), RG_E_PARSE,
		 "'sha256:xyz' is no SHA-256 digest");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_bytes_every_time),
		cmocka_unit_test(reads_back),
		cmocka_unit_test(order_and_names),
		cmocka_unit_test(buffers_that_are_too_small),
		cmocka_unit_test(promised_digests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
