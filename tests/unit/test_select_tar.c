/* SPDX-License-Identifier: Apache-2.0 */
/* Tars, packed and not, honest and not. */
#include "unit.h"

#include "support/memory_reader.h"
#include "support/selected.h"
#include "support/tarmaker.h"
#include "support/zipmaker.h"

#include "archive/kind.h"
#include "archive/libarchive.h"

static const char *const goldens[] = {"**/golden*.json", "*.zip!*.bin"};

typedef struct {
	rg_selection selection;
	rg_buf lines, refused;
} outcome;

static rg_error *run(outcome *out, const void *bytes, size_t length, const rg_zip_limits *limits)
{
	const rg_reader reader = memory_reader("a.tar", bytes, length);
	rg_error *err;

	rg_selection_init(&out->selection);
	rg_buf_init(&out->lines, 1 << 24);
	rg_buf_init(&out->refused, 1 << 24);
	err = rg_select_tar(&out->selection, &reader, goldens, 2, limits, collect, &out->lines);
	refusals_of(&out->selection, &out->refused);
	return err;
}

static void release(outcome *out)
{
	rg_buf_release(&out->refused);
	rg_buf_release(&out->lines);
	rg_selection_release(&out->selection);
}

/* `tar` is released. */
static void selects(rg_buf *tar, const rg_zip_limits *limits, const char *lines,
		    const char *refusals)
{
	outcome out;

	assert_success(run(&out, tar->data, tar->length, limits));
	assert_string_equal(out.lines.data, lines);
	assert_string_equal(out.refused.data, refusals);
	release(&out);
	rg_buf_release(tar);
}

static void fails(const void *bytes, size_t length, const rg_zip_limits *limits, rg_error_code code,
		  const char *message)
{
	outcome out;

	assert_error(run(&out, bytes, length, limits), code, message);
	assert_int_equal(out.selection.taken, 0);
	release(&out);
}

static void start(rg_buf *tar)
{
	rg_buf_init(tar, 1 << 24);
}

/* As `tar -C FOLDER -c .` writes it. */
static void make_ordinary(rg_buf *tar)
{
	start(tar);
	tarmaker_add(tar, "./", '5', "");
	tarmaker_add(tar, "./b/", '5', "");
	tarmaker_add(tar, "./b/golden_values.json", '0', "{\"b\": 1}");
	tarmaker_add(tar, "./b/log.txt", '0', "long");
	tarmaker_add(tar, "./golden.json", '0', "");
	tarmaker_add(tar, "./a/golden.json", '0', "{}");
	tarmaker_end(tar);
}

#define ORDINARY " b/golden_values.json={\"b\": 1}\n golden.json=\n a/golden.json={}\n"

static const int filters[] = {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_ZSTD, ARCHIVE_FILTER_XZ};
enum { FILTERS = sizeof(filters) / sizeof(filters[0]) };

TEST(tars_as_they_are_and_packed)
{
	rg_buf tar, packed;
	outcome out;
	int i;

	make_ordinary(&tar);
	for (i = 0; i < FILTERS; i++) {
		start(&packed);
		tarmaker_pack(&packed, filters[i], tar.data, tar.length);
		assert_true(packed.length < tar.length);
		selects(&packed, NULL, ORDINARY, "");
	}
	assert_success(run(&out, tar.data, tar.length, NULL));
	assert_string_equal(out.lines.data, ORDINARY);
	assert_int_equal(out.selection.taken, 3);
	assert_int_equal(out.selection.bytes, 10);
	release(&out);
	rg_buf_release(&tar);
}

/* gzip, zstd and xz files may be several streams, one after the other. */
TEST(packed_in_several_streams)
{
	rg_buf tar, packed;
	int i;

	make_ordinary(&tar);
	for (i = 0; i < FILTERS; i++) {
		start(&packed);
		tarmaker_pack(&packed, filters[i], tar.data, 700);
		tarmaker_pack(&packed, filters[i], tar.data + 700, tar.length - 700);
		selects(&packed, NULL, ORDINARY, "");
	}
	rg_buf_release(&tar);
}

/* Before 1988 there was no magic, and a folder was a file whose name ends in '/'. */
TEST(old_tars)
{
	rg_buf tar;
	size_t at;

	start(&tar);
	tarmaker_add(&tar, "golden/", '\0', "");
	tarmaker_add(&tar, "golden/golden.json", '\0', "{}");
	for (at = 0; at <= 512; at += 512) {
		memset(tar.data + at + 257, 0, 8);
		tarmaker_sum(tar.data + at);
	}
	tarmaker_end(&tar);
	assert_int_equal(rg_archive_kind_of(tar.data, tar.length), RG_ARCHIVE_TAR);
	selects(&tar, NULL, " golden/golden.json={}\n", "");
}

TEST(names_that_need_a_pax_header)
{
	rg_buf tar;

	start(&tar);
	tarmaker_add(&tar, "PaxHeaders/x", 'x', "26 path=\xc3\xa9t\xc3\xa9/golden.json\n");
	tarmaker_add(&tar, "short", '0', "{}");
	/* The decomposed form stays what it is. */
	tarmaker_add(&tar, "PaxHeaders/y", 'x',
		     "25 path=e\xcc\x81"
		     "0/golden.json\n");
	tarmaker_add(&tar, "short", '0', "{}");
	tarmaker_add(&tar, "PaxHeaders/z", 'x', "26 path=../../golden.json\n");
	tarmaker_add(&tar, "short", '0', "{}");
	tarmaker_end(&tar);
	selects(&tar, NULL,
		" \xc3\xa9t\xc3\xa9/golden.json={}\n e\xcc\x81"
		"0/golden.json={}\n",
		"! ../../golden.json: its name has a '..' part\n");
}

/* What libarchive cannot read of a header, it would leave out. */
TEST(headers_that_are_damaged)
{
	rg_buf tar;

	start(&tar);
	tarmaker_add(&tar, "golden_1.json", '0', "{}");
	tarmaker_add(&tar, "PaxHeaders/x", 'x', "99 path=golden_3.json\n");
	tarmaker_add(&tar, "golden_2.json", '0', "{}");
	tarmaker_end(&tar);
	selects(&tar, NULL, " golden_1.json={}\n",
		"! golden_2.json: its header is damaged, and with it its name\n");
	make_ordinary(&tar);
	tar.data[1024] ^= 1;
	fails(tar.data, tar.length, NULL, RG_E_PARSE,
	      "not a readable tar: it is damaged (Damaged tar archive)");
	rg_buf_release(&tar);
}

TEST(names_are_refused_and_not_repaired)
{
	rg_buf tar;

	start(&tar);
	tarmaker_add(&tar, "../golden.json", '0', "{}");
	tarmaker_add(&tar, "/etc/golden.json", '0', "{}");
	tarmaker_add(&tar, "./../golden.json", '0', "{}");
	tarmaker_add(&tar, ".//golden.json", '0', "{}");
	tarmaker_add(&tar, "a/./golden.json", '0', "{}");
	tarmaker_add(&tar, "a\\golden.json", '0', "{}");
	tarmaker_add(&tar, "golden\x1b.json", '0', "{}");
	tarmaker_add(&tar, "golden\xff.json", '0', "{}");
	tarmaker_add(&tar, "log\xff", '0', "{}");
	tarmaker_add(&tar, "../", '5', "");
	tarmaker_add(&tar, "golden.json", '0', "{}");
	tarmaker_end(&tar);
	selects(&tar, NULL, " golden.json={}\n",
		"! ../golden.json: its name has a '..' part\n"
		"! /etc/golden.json: its name is absolute\n"
		"! ../golden.json: its name has a '..' part\n"
		"! /golden.json: its name is absolute\n"
		"! a/./golden.json: its name has a '.' part\n"
		"! a\\golden.json: its name has a backslash\n"
		"! golden\x1b.json: its name has a control character\n"
		"! golden\xff.json: its name is not UTF-8\n"
		"- log\xff: its name is not UTF-8\n"
		"- ../: its name has a '..' part\n");
}

TEST(links_and_devices)
{
	rg_buf tar;

	start(&tar);
	tarmaker_add(&tar, "golden_1.json", '1', "");
	tarmaker_add(&tar, "golden_2.json", '2', "");
	tarmaker_add(&tar, "golden_3.json", '3', "");
	tarmaker_add(&tar, "golden_4.json", '6', "");
	tarmaker_add(&tar, "log", '2', "");
	tarmaker_add(&tar, "golden.json", '0', "{}");
	tarmaker_end(&tar);
	selects(&tar, NULL, " golden.json={}\n",
		"! golden_1.json: it is a hard link\n"
		"! golden_2.json: it is a symbolic link\n"
		"! golden_3.json: it is a device, pipe or socket\n"
		"! golden_4.json: it is a device, pipe or socket\n"
		"- log: it is a symbolic link\n");
}

/* `tar -r` appends a second version: which of the two is meant, none can tell. */
TEST(a_name_that_appears_twice)
{
	rg_buf tar;

	start(&tar);
	tarmaker_add(&tar, "a/", '5', "");
	tarmaker_add(&tar, "golden.json", '0', "{}");
	tarmaker_add(&tar, "a/golden.json", '0', "{}");
	tarmaker_add(&tar, "a/", '5', "");
	tarmaker_add(&tar, "./golden.json", '0', "[]");
	tarmaker_end(&tar);
	selects(&tar, NULL, " a/golden.json={}\n", "! golden.json: its name appears twice\n");
}

/* A cut is found wherever it is, also between two members. */
TEST(cut_off_anywhere)
{
	rg_buf tar, packed;
	outcome out;
	size_t at;
	int i;

	make_ordinary(&tar);
	fails(tar.data, tar.length - 1024, NULL, RG_E_PARSE,
	      "not a readable tar: it is cut off: its end is missing after 4608 bytes");
	for (at = 0; at < tar.length - 1023; at++) {
		rg_error *err = run(&out, tar.data, at, NULL);

		assert_non_null(err);
		assert_int_equal(rg_error_get_code(err), RG_E_PARSE);
		assert_int_equal(out.selection.taken, 0);
		rg_error_free(err);
		release(&out);
	}
	for (i = 0; i < FILTERS; i++) {
		start(&packed);
		tarmaker_pack(&packed, filters[i], tar.data, tar.length);
		for (at = 0; at < packed.length; at++) {
			rg_error *err = run(&out, packed.data, at, NULL);

			assert_non_null(err);
			assert_int_equal(rg_error_get_code(err), RG_E_PARSE);
			assert_int_equal(out.selection.taken, 0);
			rg_error_free(err);
			release(&out);
		}
		rg_buf_release(&packed);
	}
	rg_buf_release(&tar);
}

/* A byte that is changed in a packed tar never changes a golden: gzip's and xz's sums are checked,
 * which libarchive does not do for gzip. */
TEST(damaged_anywhere)
{
	static const int summed[] = {ARCHIVE_FILTER_GZIP, ARCHIVE_FILTER_XZ};
	rg_buf tar, packed;
	outcome out;
	size_t at;
	int i;

	make_ordinary(&tar);
	for (i = 0; i < 2; i++) {
		start(&packed);
		tarmaker_pack(&packed, summed[i], tar.data, tar.length);
		for (at = 0; at < packed.length; at++) {
			rg_error *err;

			packed.data[at] ^= 0x10;
			err = run(&out, packed.data, packed.length, NULL);
			if (!err) /* a flag or a time in the header */
				assert_string_equal(out.lines.data, ORDINARY);
			rg_error_free(err);
			release(&out);
			packed.data[at] ^= 0x10;
		}
		packed.data[packed.length - 6] ^= 1;
		if (!i)
			fails(packed.data, packed.length, NULL, RG_E_PARSE,
			      "not a readable tar: its gzip is damaged after 5632 unpacked bytes "
			      "(incorrect data check)");
		rg_buf_release(&packed);
	}
	rg_buf_release(&tar);
}

TEST(bombs)
{
	static char zeros[8 << 20];
	rg_zip_limits limits = rg_zip_limits_default();
	rg_buf tar, packed;
	int i;

	limits.ratio = 250;
	rg_buf_init(&tar, 16 << 20);
	tarmaker_add(&tar, "golden.json", '0', "{}");
	tarmaker_header(&tar, "log", '0', sizeof(zeros));
	rg_buf_add(&tar, zeros, sizeof(zeros));
	tarmaker_end(&tar);
	for (i = 0; i < FILTERS; i++) {
		rg_error *err;
		outcome out;

		start(&packed);
		tarmaker_pack(&packed, filters[i], tar.data, tar.length);
		err = run(&out, packed.data, packed.length, &limits);
		assert_non_null(err);
		assert_int_equal(rg_error_get_code(err), RG_E_LIMIT);
		assert_non_null(strstr(rg_error_message(err),
				       " are more than the limit of 250 to 1 (regild.maxRatio)"));
		rg_error_free(err);
		release(&out);
		limits.ratio = 0;
		limits.total_size = 1 << 20;
		fails(packed.data, packed.length, &limits, RG_E_LIMIT,
		      "it unpacks to more than 1048576 bytes (regild.maxTotal)");
		limits.total_size = 16 << 20;
		selects(&packed, &limits, " golden.json={}\n", "");
		limits.ratio = 250;
	}
	/* What is not packed is only passed over. */
	limits.total_size = 2;
	selects(&tar, &limits, " golden.json={}\n", "");
}

/* By default as well, and without waiting for the end. */
TEST(bombs_are_not_waited_for)
{
	enum { LENGTH = 80 << 20 };
	char *zeros = calloc(LENGTH, 1);
	size_t padding;
	rg_buf tar, packed;
	rg_error *err;
	outcome out;

	assert_non_null(zeros);
	start(&tar);
	tarmaker_add(&tar, "golden.json", '0', "{}");
	start(&packed);
	tarmaker_header(&tar, "log", '0', LENGTH);
	tarmaker_pack(&packed, ARCHIVE_FILTER_GZIP, tar.data, tar.length);
	tarmaker_pack(&packed, ARCHIVE_FILTER_GZIP, zeros, LENGTH);
	err = run(&out, packed.data, packed.length, NULL);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_LIMIT);
	assert_non_null(strstr(rg_error_message(err), "the limit of 550 to 1 (regild.maxRatio)"));
	rg_error_free(err);
	release(&out);
	/* Zeros follow a tar's end, but not that many. */
	rg_buf_clear(&tar);
	tarmaker_add(&tar, "golden.json", '0', "{}");
	tarmaker_end(&tar);
	for (padding = 10 << 20; padding <= 20 << 20; padding += 10 << 20) {
		rg_buf_clear(&packed);
		tarmaker_pack(&packed, ARCHIVE_FILTER_GZIP, tar.data, tar.length);
		tarmaker_pack(&packed, ARCHIVE_FILTER_GZIP, zeros, padding);
		err = run(&out, packed.data, packed.length, NULL);
		if (padding == 10 << 20)
			assert_success(err);
		else
			assert_error(err, RG_E_LIMIT, "more than 16777216 bytes follow its end");
		release(&out);
	}
	rg_buf_release(&packed);
	rg_buf_release(&tar);
	free(zeros);
}

TEST(limits_hold)
{
	rg_zip_limits limits = rg_zip_limits_default();
	rg_buf tar;

	start(&tar);
	tarmaker_add(&tar, "golden_1.json", '0', "123");
	tarmaker_add(&tar, "golden_2.json", '0', "12345");
	tarmaker_add(&tar, "log", '0', "12345678");
	tarmaker_add(&tar, "golden_3.json", '0', "1234");
	tarmaker_add(&tar, "golden_4.json", '0', "12");
	tarmaker_end(&tar);
	limits.members = 4;
	fails(tar.data, tar.length, &limits, RG_E_LIMIT,
	      "5 members are more than the limit of 4 (regild.maxMembers)");
	limits.members = 5;
	limits.member_size = 4;
	limits.total_size = 6;
	selects(&tar, &limits, " golden_1.json=123\n golden_4.json=12\n",
		"! golden_2.json: 5 bytes are more than the limit of 4 (regild.maxFile)\n"
		"! golden_3.json: with its 4 bytes the archive would unpack to more than 6 "
		"(regild.maxTotal)\n");
}

TEST(zips_in_a_tar)
{
	rg_buf tar;
	zipmaker maker;

	RG_AUTO(rg_buf) zip = rg_buf_of(RG_BUF_TEXT);
	zipmaker_init(&maker);
	zipmaker_add(&maker, "x.bin", "one", 3)->method = 8;
	zipmaker_write(&maker, &zip);
	zipmaker_release(&maker);
	start(&tar);
	tarmaker_header(&tar, "a.zip", '0', zip.length);
	rg_buf_add(&tar, zip.data, zip.length);
	while (tar.length % TARMAKER_BLOCK)
		rg_buf_char(&tar, '\0');
	tarmaker_add(&tar, "b.zip", '0', "<html>");
	tarmaker_add(&tar, "golden.json", '0', "{}");
	tarmaker_end(&tar);
	selects(&tar, NULL, "a.zip x.bin=one\n golden.json={}\n",
		"! b.zip: not a readable zip: 6 bytes are too few for a zip\n");
}

TEST(what_is_no_tar)
{
	static const char html[] = "<html><body>Sign in</body></html>";
	rg_buf packed;
	int i;

	fails("", 0, NULL, RG_E_PARSE, "not a readable tar: there is no tar in it");
	fails(html, sizeof(html), NULL, RG_E_PARSE, "not a readable tar: there is no tar in it");
	for (i = 0; i < FILTERS; i++) {
		start(&packed);
		tarmaker_pack(&packed, filters[i], html, sizeof(html));
		fails(packed.data, packed.length, NULL, RG_E_PARSE,
		      "not a readable tar: there is no tar in it");
		rg_buf_release(&packed);
	}
}

static rg_error *no_read(void *context, uint64_t offset, void *buffer, size_t length)
{
	(void)context;
	(void)offset;
	(void)buffer;
	(void)length;
	return rg_error_io(5, "a.tar");
}

static rg_error *only_look(void *context, const rg_selected *selected)
{
	rg_buf_printf(context, "%s\n", selected->path);
	return NULL;
}

static rg_error *stop(void *context, const rg_selected *selected)
{
	(void)context;
	return rg_error_new(RG_E_CONFLICT, "%s is there already", selected->path);
}

TEST(errors_of_others_are_theirs)
{
	const rg_reader reader = {.name = "a.tar", .size = 2000, .read_at = no_read};
	rg_selection selection;
	rg_reader good;
	rg_buf tar, lines;

	rg_selection_init(&selection);
	assert_error(rg_select_tar(&selection, &reader, goldens, 2, NULL, collect, NULL), RG_E_IO,
		     "a.tar: Input/output error");
	make_ordinary(&tar);
	good = memory_reader("a.tar", tar.data, tar.length);
	assert_error(rg_select_tar(&selection, &good, goldens, 2, NULL, stop, NULL), RG_E_CONFLICT,
		     "b/golden_values.json is there already");
	start(&lines);
	assert_success(rg_select_tar(&selection, &good, goldens, 2, NULL, only_look, &lines));
	assert_string_equal(lines.data, "b/golden_values.json\ngolden.json\na/golden.json\n");
	rg_buf_release(&lines);
	rg_buf_release(&tar);
	rg_selection_release(&selection);
}

static rg_archive_kind kind_of(const char *bytes, size_t length)
{
	const rg_reader reader = memory_reader("a", bytes, length);
	rg_archive_kind kind;

	assert_success(rg_archive_kind_read(&kind, &reader));
	return kind;
}

TEST(kinds_by_their_first_bytes)
{
	rg_buf tar;

	assert_int_equal(kind_of("", 0), RG_ARCHIVE_NONE);
	assert_int_equal(kind_of("PK\3\4", 4), RG_ARCHIVE_ZIP);
	assert_int_equal(kind_of("PK\5\6", 4), RG_ARCHIVE_ZIP);
	assert_int_equal(kind_of("PK\1\2", 4), RG_ARCHIVE_NONE);
	assert_int_equal(kind_of("\x1f\x8b\x08", 3), RG_ARCHIVE_GZIP);
	assert_int_equal(kind_of("\x28\xb5\x2f\xfd", 4), RG_ARCHIVE_ZSTD);
	assert_int_equal(kind_of("\x5a\x2a\x4d\x18", 4), RG_ARCHIVE_ZSTD);
	assert_int_equal(kind_of("\xfd"
				 "7zXZ",
				 6),
			 RG_ARCHIVE_XZ);
	make_ordinary(&tar);
	assert_int_equal(kind_of(tar.data, tar.length), RG_ARCHIVE_TAR);
	assert_int_equal(kind_of(tar.data, 511), RG_ARCHIVE_NONE);
	tar.data[3] ^= 1; /* the magic is there, the sum is another */
	assert_int_equal(kind_of(tar.data, tar.length), RG_ARCHIVE_NONE);
	assert_int_equal(kind_of(tar.data + tar.length - 1024, 1024), RG_ARCHIVE_NONE);
	rg_buf_release(&tar);
}
