/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "archive/zip_writer.h"

#include "archive/zip.h"
#include "base/digest.h"
#include "base/file.h"
#include "base/map.h"
#include "support/memory_reader.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static rg_error *add(rg_zip_writer *writer, const char *name, const void *bytes, size_t length)
{
	rg_reader contents;

	contents = memory_reader(name, bytes, length);
	return rg_zip_writer_add(writer, name, &contents);
}

static int new_file(void)
{
	int fd;

	assert_success(rg_file_unnamed(&fd, "/tmp"));
	return fd;
}

static uint64_t write_two(int fd)
{
	static char zeros[3 << 20];
	rg_zip_writer *writer;
	uint64_t size;

	writer = rg_zip_writer_new(fd, "zip");
	assert_success(add(writer, "add/model.pte", zeros, sizeof(zeros)));
	assert_success(add(writer, "add/model_input.bin", "12345678", 8));
	assert_success(add(writer, "empty", "", 0));
	assert_success(rg_zip_writer_finish(writer, &size));
	rg_zip_writer_free(writer);
	return size;
}

TEST(same_bytes_every_time)
{
	int one = new_file(), two = new_file();
	rg_map first, second;

	assert_true(write_two(one) == write_two(two));
	assert_success(rg_map_descriptor(&first, one, "one"));
	assert_success(rg_map_descriptor(&second, two, "two"));
	assert_int_equal(first.size, second.size);
	assert_memory_equal(first.data, second.data, first.size);
	rg_map_release(&second);
	rg_map_release(&first);
	close(two);
	close(one);
}

TEST(reads_back)
{
	rg_zip_limits limits = rg_zip_limits_default();
	int fd = new_file();
	rg_reader_file file;
	rg_zip *opened;

	limits.ratio = 0;
	RG_AUTO(rg_buf) bytes = rg_buf_of(4 << 20);
	rg_reader_file_init(&file, fd, "a.zip", write_two(fd));
	assert_success(rg_zip_open(&opened, &file.reader, &limits, NULL));
	assert_int_equal(rg_zip_count(opened), 3);
	assert_string_equal(rg_zip_at(opened, 1)->name, "add/model_input.bin");
	assert_success(rg_zip_extract(opened, 1, rg_zip_append, &bytes));
	assert_string_equal(bytes.data, "12345678");
	rg_buf_clear(&bytes);
	assert_success(rg_zip_extract(opened, 0, rg_zip_append, &bytes));
	assert_int_equal(bytes.length, 3 << 20);
	assert_success(rg_zip_extract(opened, 2, rg_zip_append, &bytes));
	rg_zip_free(opened);
	rg_reader_file_release(&file);
}

TEST(order_and_names)
{
	rg_zip_writer *writer;
	int fd = new_file();

	writer = rg_zip_writer_new(fd, "zip");
	assert_success(add(writer, "b", "1", 1));
	assert_error(add(writer, "a", "1", 1), RG_E_USAGE, "member 'a' does not come after 'b'");
	assert_error(add(writer, "b", "1", 1), RG_E_USAGE, "member 'b' does not come after 'b'");
	assert_error(add(writer, "c/../d", "1", 1), RG_E_UNSAFE,
		     "unsafe name 'c/../d': it has a '..' part");
	assert_success(add(writer, "c", "1", 1));
	assert_success(rg_zip_writer_finish(writer, NULL));
	assert_error(add(writer, "d", "1", 1), RG_E_USAGE, "member 'd' comes after the end");
	assert_error(rg_zip_writer_finish(writer, NULL), RG_E_USAGE, "the zip is finished already");
	rg_zip_writer_free(writer);
	close(fd);
}

/* Some call says that the disk is full, and one that is given up writes no more. */
TEST(a_full_disk)
{
	int fd = open("/dev/full", O_WRONLY);
	rg_zip_writer *writer;
	rg_error *err;

	writer = rg_zip_writer_new(fd, "zip");
	err = add(writer, "a", "12345678", 8);
	err = rg_error_first(err, rg_zip_writer_finish(writer, NULL));
	assert_error(err, RG_E_IO, "zip: No space left on device");
	rg_zip_writer_free(writer);
	writer = rg_zip_writer_new(fd, "zip");
	rg_zip_writer_free(writer);
	close(fd);
}

TEST(promised_digests)
{
	static const char hex[] =
		"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
	char got[RG_SHA256_HEX];

	assert_success(rg_sha256_hex("abc", 3, got));
	assert_success(rg_digest_check(
		"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad", got, 3));
	assert_success(rg_digest_check(
		"sha256:BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD", got, 3));
	assert_string_equal(got, hex);
	assert_error(
		rg_digest_check("sha256:00000000000000000000000000000000000000000000000000000000000"
				"00000",
				got, 3),
		RG_E_MISMATCH,
		"its digest is "
		"sha256:0000000000000000000000000000000000000000000000000000000000000000, but the "
		"3 "
		"bytes that came have "
		"sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
	assert_error(rg_digest_check("md5:00", got, 3), RG_E_PARSE,
		     "'md5:00' is not a SHA-256 digest");
	assert_error(rg_digest_check("sha256:xyz", got, 3), RG_E_PARSE,
		     "'sha256:xyz' is not a SHA-256 digest");
}
