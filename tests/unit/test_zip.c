#include "archive/zip.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

#include "support/check.h"
#include "support/zipmaker.h"

#define GOLDEN "{\"lm loss\": {\"values\": {\"1\": 10.5}}}\n"

/* A zip in memory, opened. */
typedef struct {
	rg_buf bytes;
	rg_reader reader;
	rg_zip *zip;
} opened;

static rg_error *open_maker(opened *o, zipmaker *maker, const rg_zip_limits *limits)
{
	rg_buf_init(&o->bytes, SIZE_MAX / 4);
	zipmaker_write(maker, &o->bytes);
	rg_reader_memory(&o->reader, "a.zip", o->bytes.data, o->bytes.length);
	return rg_zip_open(&o->zip, &o->reader, limits, NULL);
}

static void close_opened(opened *o, zipmaker *maker)
{
	rg_zip_free(o->zip);
	rg_buf_release(&o->bytes);
	zipmaker_release(maker);
}

static void extracts(rg_zip *zip, size_t index, const void *bytes, size_t size)
{
	rg_buf out;

	rg_buf_init(&out, SIZE_MAX / 4);
	no_error(rg_zip_extract(zip, index, &out));
	assert_int_equal(out.length, size);
	assert_memory_equal(out.data, bytes, size);
	rg_buf_release(&out);
}

static void extract_fails(rg_zip *zip, size_t index, rg_error_code code, const char *message)
{
	rg_buf out;

	rg_buf_init(&out, SIZE_MAX / 4);
	rg_buf_str(&out, "before");
	is_error(rg_zip_extract(zip, index, &out), code, message);
	assert_string_equal(out.data, "before");
	rg_buf_release(&out);
}

/* Writes the maker's zip, opens it and holds one member's failure against the message. */
static void member_fails(zipmaker *maker, size_t index, rg_error_code code, const char *message)
{
	opened o;

	no_error(open_maker(&o, maker, NULL));
	extract_fails(o.zip, index, code, message);
	close_opened(&o, maker);
}

static void open_fails(zipmaker *maker, rg_error_code code, const char *message)
{
	opened o = {0};

	is_error(open_maker(&o, maker, NULL), code, message);
	close_opened(&o, maker);
}

static void stored_deflated_and_empty(void **state)
{
	static char large[300000];
	zipmaker maker;
	opened o;

	(void)state;
	memset(large, 'x', sizeof(large));
	memcpy(large + 1000, GOLDEN, strlen(GOLDEN));
	zipmaker_init(&maker);
	zipmaker_add(&maker, "stored.json", GOLDEN, strlen(GOLDEN));
	zipmaker_add(&maker, "deflated.json", large, sizeof(large))->method = 8;
	zipmaker_add(&maker, "empty", "", 0);
	zipmaker_add(&maker, "empty deflated", "", 0)->method = 8;
	zipmaker_add(&maker, "folder/", "", 0)->attributes = (uint32_t)040755 << 16;
	no_error(open_maker(&o, &maker, NULL));
	assert_int_equal(rg_zip_count(o.zip), 5);
	assert_string_equal(rg_zip_at(o.zip, 1)->name, "deflated.json");
	assert_int_equal(rg_zip_at(o.zip, 1)->size, sizeof(large));
	assert_true(rg_zip_at(o.zip, 4)->folder);
	extracts(o.zip, 0, GOLDEN, strlen(GOLDEN));
	extracts(o.zip, 1, large, sizeof(large));
	extracts(o.zip, 2, "", 0);
	extracts(o.zip, 3, "", 0);
	extracts(o.zip, 1, large, sizeof(large));
	extract_fails(o.zip, 4, RG_E_USAGE, "it is a folder");
	close_opened(&o, &maker);
}

static void variants_that_writers_use(void **state)
{
	static const char prefix[] = "#!/bin/sh\n", comment[] = "made by a build";
	unsigned variant;

	(void)state;
	for (variant = 0; variant < 64; variant++) {
		zipmaker_member *member;
		zipmaker maker;
		opened o;

		zipmaker_init(&maker);
		maker.zip64 = variant & 1;
		maker.prefix = prefix;
		maker.prefix_size = variant & 2 ? strlen(prefix) : 0;
		maker.comment = comment;
		maker.comment_size = variant & 4 ? strlen(comment) : 0;
		member = zipmaker_add(&maker, "a.json", GOLDEN, strlen(GOLDEN));
		member->method = variant & 8 ? 8 : 0;
		member->descriptor = variant & 16;
		member->zip64 = variant & 32;
		member->local_extra = variant;
		zipmaker_add(&maker, "b.json", "{}", 2);
		no_error(open_maker(&o, &maker, NULL));
		extracts(o.zip, 0, GOLDEN, strlen(GOLDEN));
		extracts(o.zip, 1, "{}", 2);
		close_opened(&o, &maker);
	}
}

static void names_that_are_refused(void **state)
{
	static const struct {
		const char *name;
		size_t length;
		const char *why;
	} hostile[] = {
		{"../x.json", 9, "its name has a '..' part"},
		{"a/../../x.json", 14, "its name has a '..' part"},
		{"..", 2, "its name has a '..' part"},
		{"../", 3, "its name has a '..' part"},
		{"/etc/passwd", 11, "its name is absolute"},
		{"/", 1, "its name is empty"},
		{"", 0, "its name is empty"},
		{"a//b", 4, "its name has an empty part"},
		{"./a", 3, "its name has a '.' part"},
		{"..\\x.json", 9, "its name has a backslash"},
		{"C:\\x", 4, "its name has a backslash"},
		{"a\nb", 3, "its name has a control character"},
		{"a\033[2Jb", 6, "its name has a control character"},
		{"a\177", 2, "its name has a control character"},
		{"a\302\205b", 4, "its name has a control character"},
		{"a.json\0.exe", 11, "its name holds a NUL"},
	};
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		zipmaker maker;
		opened o;

		zipmaker_init(&maker);
		zipmaker_add(&maker, hostile[i].name, "x", 1)->name_length = hostile[i].length;
		zipmaker_add(&maker, "good.json", GOLDEN, strlen(GOLDEN));
		if (hostile[i].length && hostile[i].name[hostile[i].length - 1] == '/')
			maker.members[0].attributes = 0;
		no_error(open_maker(&o, &maker, NULL));
		assert_int_equal(rg_zip_at(o.zip, 0)->refused, RG_REFUSED_NAME);
		extract_fails(o.zip, 0, RG_E_UNSAFE, hostile[i].why);
		extracts(o.zip, 1, GOLDEN, strlen(GOLDEN));
		close_opened(&o, &maker);
	}
}

static void links_and_devices(void **state)
{
	zipmaker maker;
	opened o;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "link.json", "/etc/passwd", 11)->attributes = (uint32_t)0120777 << 16;
	zipmaker_add(&maker, "device", "", 0)->attributes = (uint32_t)020666 << 16;
	zipmaker_add(&maker, "pipe", "", 0)->attributes = (uint32_t)010666 << 16;
	zipmaker_add(&maker, "windows.json", "{}", 2)->attributes = 0x20;
	zipmaker_add(&maker, "no-slash", "", 0)->attributes = (uint32_t)040755 << 16;
	zipmaker_add(&maker, "slash/", "", 0);
	no_error(open_maker(&o, &maker, NULL));
	extract_fails(o.zip, 0, RG_E_UNSAFE, "it is a symbolic link");
	extract_fails(o.zip, 1, RG_E_UNSAFE, "it is a device, pipe or socket");
	extract_fails(o.zip, 2, RG_E_UNSAFE, "it is a device, pipe or socket");
	extracts(o.zip, 3, "{}", 2);
	extract_fails(o.zip, 4, RG_E_PARSE,
		      "its name and its mode differ on whether it is a folder");
	extract_fails(o.zip, 5, RG_E_PARSE,
		      "its name and its mode differ on whether it is a folder");
	close_opened(&o, &maker);
}

static void duplicates(void **state)
{
	zipmaker maker;
	opened o;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.json", "1", 1);
	zipmaker_add(&maker, "b.json", "2", 1);
	zipmaker_add(&maker, "a.json", "3", 1);
	zipmaker_add(&maker, "a.json", "4", 1);
	no_error(open_maker(&o, &maker, NULL));
	extract_fails(o.zip, 0, RG_E_UNSAFE, "its name stands twice");
	extracts(o.zip, 1, "2", 1);
	extract_fails(o.zip, 2, RG_E_UNSAFE, "its name stands twice");
	extract_fails(o.zip, 3, RG_E_UNSAFE, "its name stands twice");
	close_opened(&o, &maker);
}

/* Two entries for one local header, and a third whose header lies inside another's bytes. */
static void overlaps(void **state)
{
	zipmaker_member *second;
	zipmaker maker;
	opened o;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "kernel", GOLDEN, strlen(GOLDEN));
	second = zipmaker_add(&maker, "second", GOLDEN, strlen(GOLDEN));
	second->no_local = true;
	second->offset = 0;
	zipmaker_add(&maker, "good", "{}", 2);
	no_error(open_maker(&o, &maker, NULL));
	extract_fails(o.zip, 0, RG_E_UNSAFE, "its bytes are also another member's");
	extract_fails(o.zip, 1, RG_E_UNSAFE, "its bytes are also another member's");
	extracts(o.zip, 2, "{}", 2);
	close_opened(&o, &maker);

	zipmaker_init(&maker);
	zipmaker_add(&maker, "long", GOLDEN, strlen(GOLDEN))->entry.packed = 100;
	maker.members[0].entry.size = 100;
	zipmaker_add(&maker, "swallowed", GOLDEN, strlen(GOLDEN));
	zipmaker_add(&maker, "good", "{}", 2);
	no_error(open_maker(&o, &maker, NULL));
	extract_fails(o.zip, 0, RG_E_UNSAFE, "its bytes are also another member's");
	extract_fails(o.zip, 1, RG_E_UNSAFE, "its bytes are also another member's");
	extracts(o.zip, 2, "{}", 2);
	close_opened(&o, &maker);
}

/* The local extra field alone reaches into the next member: seen when the header is read. */
static void overlap_by_extra_field(void **state)
{
	zipmaker maker;
	opened o;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	zipmaker_add(&maker, "b", "{}", 2);
	no_error(open_maker(&o, &maker, NULL));
	o.bytes.data[28] = 1;
	extract_fails(o.zip, 0, RG_E_UNSAFE, "its bytes are also another member's");
	extracts(o.zip, 1, "{}", 2);
	close_opened(&o, &maker);
}

static void outside_the_file(void **state)
{
	zipmaker maker;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2)->offset = 0x7fffffff;
	member_fails(&maker, 0, RG_E_UNSAFE, "its bytes reach into the directory or past the end");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2)->entry.packed = 3;
	maker.members[0].entry.size = 3;
	member_fails(&maker, 0, RG_E_UNSAFE, "its bytes reach into the directory or past the end");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2)->zip64 = true;
	maker.members[0].offset = UINT64_MAX - 1;
	member_fails(&maker, 0, RG_E_UNSAFE, "its bytes reach into the directory or past the end");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2)->zip64 = true;
	maker.members[0].entry.packed = UINT64_MAX - 1;
	maker.members[0].method = 8;
	member_fails(&maker, 0, RG_E_UNSAFE, "its bytes reach into the directory or past the end");
}

static void encrypted_and_unknown(void **state)
{
	static const unsigned encrypted[] = {1, 1 | 64, 1 << 13};
	size_t i;
	zipmaker maker;

	(void)state;
	for (i = 0; i < sizeof(encrypted) / sizeof(encrypted[0]); i++) {
		zipmaker_init(&maker);
		zipmaker_add(&maker, "a", "{}", 2)->flags = encrypted[i];
		member_fails(&maker, 0, RG_E_PARSE, "it is encrypted");
	}
	for (i = 1; i < 100; i++) {
		if (i == 8)
			continue;
		zipmaker_init(&maker);
		zipmaker_add(&maker, "a", "{}", 2)->method = (unsigned)i;
		member_fails(&maker, 0, RG_E_PARSE,
			     "its compression method is neither stored nor deflated");
	}
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2)->local.flags = 1;
	member_fails(&maker, 0, RG_E_PARSE,
		     "its header and the directory give it different flags; the zip is damaged or "
		     "forged");
}

static void headers_that_differ(void **state)
{
	zipmaker maker;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.json", "{}", 2)->local_name = "b.json";
	member_fails(&maker, 0, RG_E_PARSE,
		     "its header and the directory give it different names; the zip is damaged or "
		     "forged");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.json", "{}", 2)->local_name = "longer.json";
	zipmaker_add(&maker, "b.json", "{}", 2);
	member_fails(&maker, 0, RG_E_PARSE,
		     "its header and the directory give it different names; the zip is damaged or "
		     "forged");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.json", "{}", 2)->local.method = 8;
	member_fails(&maker, 0, RG_E_PARSE,
		     "its header and the directory give it different methods; the zip is damaged "
		     "or forged");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.json", "{}", 2)->local.crc = 1;
	member_fails(&maker, 0, RG_E_PARSE,
		     "its header and the directory give it different sizes or CRCs; the zip is "
		     "damaged or forged");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.json", "{}", 2)->offset = 1;
	member_fails(&maker, 0, RG_E_UNSAFE, "its bytes reach into the directory or past the end");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.json", "{}", 2)->offset = 1;
	maker.members[0].local_extra = 10;
	member_fails(&maker, 0, RG_E_PARSE, "there is no header at its place");
}

static void crc_lies(void **state)
{
	zipmaker_member *member;
	zipmaker maker;

	(void)state;
	zipmaker_init(&maker);
	member = zipmaker_add(&maker, "a.json", "{}", 2);
	member->entry.crc = member->local.crc = 0xdeadbeef;
	member_fails(&maker, 0, RG_E_MISMATCH,
		     "its CRC-32 is a3a6bf43 and should be deadbeef (2 bytes)");
}

/* A deflated member whose headers agree on a size that is not the true one. */
static void size_lies(void **state)
{
	static const struct {
		uint64_t size;
		const char *message;
	} lies[] = {
		{0, "it unpacks to more than the 0 bytes that it claims"},
		{1, "it unpacks to more than the 1 bytes that it claims"},
		{99999, "it unpacks to more than the 99999 bytes that it claims"},
		{100001, "it unpacks to 100000 bytes and claims 100001"},
		{200000, "it unpacks to 100000 bytes and claims 200000"},
	};
	static char bytes[100000];
	size_t i;

	(void)state;
	for (i = 0; i < sizeof(lies) / sizeof(lies[0]); i++) {
		zipmaker_member *member;
		zipmaker maker;

		zipmaker_init(&maker);
		member = zipmaker_add(&maker, "a.bin", bytes, sizeof(bytes));
		member->method = 8;
		member->entry.size = member->local.size = lies[i].size;
		member_fails(&maker, 0, RG_E_MISMATCH, lies[i].message);
	}
}

/* A bomb that claims to be small is not inflated past its claim. */
static void ratio_lies(void **state)
{
	static char zeros[50 << 20];
	zipmaker_member *member;
	uint64_t unpacked = 0;
	zipmaker maker;
	opened o;

	(void)state;
	zipmaker_init(&maker);
	member = zipmaker_add(&maker, "bomb.json", zeros, sizeof(zeros));
	member->method = 8;
	member->entry.size = member->local.size = 10;
	zipmaker_add(&maker, "good.json", GOLDEN, strlen(GOLDEN));
	no_error(open_maker(&o, &maker, NULL));
	rg_zip_free(o.zip);
	no_error(rg_zip_open(&o.zip, &o.reader, NULL, &unpacked));
	extract_fails(o.zip, 0, RG_E_MISMATCH,
		      "it unpacks to more than the 10 bytes that it claims");
	assert_int_equal(unpacked, 10);
	extracts(o.zip, 1, GOLDEN, strlen(GOLDEN));
	close_opened(&o, &maker);
}

static void packed_bytes_that_do_not_end(void **state)
{
	zipmaker_member *member;
	char longer[64];
	rg_buf packed;
	zipmaker maker;

	(void)state;
	rg_buf_init(&packed, 1000);
	zipmaker_deflate(&packed, GOLDEN, strlen(GOLDEN));
	zipmaker_init(&maker);
	member = zipmaker_add(&maker, "a.json", GOLDEN, strlen(GOLDEN));
	member->method = 8;
	member->packed = packed.data;
	member->packed_size = packed.length - 3;
	member_fails(&maker, 0, RG_E_PARSE, "its packed bytes end before its contents do");

	memset(longer, 0, sizeof(longer));
	memcpy(longer, packed.data, packed.length);
	zipmaker_init(&maker);
	member = zipmaker_add(&maker, "a.json", GOLDEN, strlen(GOLDEN));
	member->method = 8;
	member->packed = longer;
	member->packed_size = packed.length + 1;
	member_fails(&maker, 0, RG_E_PARSE, "something stands behind its packed bytes");

	zipmaker_init(&maker);
	member = zipmaker_add(&maker, "a.json", GOLDEN, strlen(GOLDEN));
	member->method = 8;
	member->packed = "\xff\xff\xff\xff";
	member->packed_size = 4;
	member_fails(&maker, 0, RG_E_PARSE,
		     "its packed bytes are damaged after 0 bytes (invalid block type)");
	rg_buf_release(&packed);
}

static void limits_by_header(void **state)
{
	rg_zip_limits limits = rg_zip_limits_default();
	static char zeros[2 << 20];
	zipmaker maker;
	opened o;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "large", zeros, 1001);
	zipmaker_add(&maker, "fine", zeros, 1000);
	zipmaker_add(&maker, "dense", zeros, 500)->method = 8;
	limits.member_size = 1000;
	limits.ratio_floor = 400;
	limits.ratio = 10;
	no_error(open_maker(&o, &maker, &limits));
	extract_fails(o.zip, 0, RG_E_LIMIT, "1001 bytes are more than the limit of 1000");
	extracts(o.zip, 1, zeros, 1000);
	extract_fails(o.zip, 2, RG_E_LIMIT,
		      "500 bytes packed into 8 are more than the limit of 10 to 1");
	close_opened(&o, &maker);

	/* The defaults: a floor of 1 MiB, and 250 to 1. */
	zipmaker_init(&maker);
	zipmaker_add(&maker, "zeros", zeros, 1 << 20)->method = 8;
	zipmaker_add(&maker, "bomb", zeros, sizeof(zeros))->method = 8;
	no_error(open_maker(&o, &maker, NULL));
	extracts(o.zip, 0, zeros, 1 << 20);
	assert_int_equal(rg_zip_at(o.zip, 1)->refused, RG_REFUSED_LIMIT);
	close_opened(&o, &maker);
}

static void limit_on_members_and_total(void **state)
{
	rg_zip_limits limits = rg_zip_limits_default();
	uint64_t unpacked = 0;
	zipmaker maker;
	opened o;
	size_t i;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "12345", 5);
	zipmaker_add(&maker, "b", "12345", 5);
	zipmaker_add(&maker, "c", "1", 1);
	limits.members = 2;
	is_error(open_maker(&o, &maker, &limits), RG_E_LIMIT,
		 "3 members are more than the limit of 2");
	limits.members = 3;
	limits.total_size = 6;
	no_error(rg_zip_open(&o.zip, &o.reader, &limits, &unpacked));
	extracts(o.zip, 0, "12345", 5);
	extract_fails(o.zip, 1, RG_E_LIMIT,
		      "with its 5 bytes the archive would unpack to more than 6");
	extracts(o.zip, 2, "1", 1);
	assert_int_equal(unpacked, 6);
	for (i = 0; i < 3; i++)
		extract_fails(o.zip, 2, RG_E_LIMIT,
			      "with its 1 bytes the archive would unpack to more than 6");
	close_opened(&o, &maker);
}

static void buffer_that_is_too_small(void **state)
{
	zipmaker maker;
	rg_buf out;
	opened o;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "12345", 5);
	no_error(open_maker(&o, &maker, NULL));
	rg_buf_init(&out, 7);
	rg_buf_str(&out, "abc");
	is_error(rg_zip_extract(o.zip, 0, &out), RG_E_LIMIT, "5 bytes are more than fit in 7");
	assert_string_equal(out.data, "abc");
	rg_buf_release(&out);
	close_opened(&o, &maker);
}

static void end_records_that_lie(void **state)
{
	zipmaker maker;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.entries = 2;
	open_fails(&maker, RG_E_PARSE,
		   "no readable zip: its directory of 47 bytes cannot hold 2 members");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.entries = 0;
	open_fails(&maker, RG_E_PARSE,
		   "no readable zip: its directory of 47 bytes cannot hold 0 members");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	zipmaker_add(&maker, "b", "{}", 2);
	maker.entries = 1;
	open_fails(&maker, RG_E_PARSE,
		   "no readable zip: its directory holds 47 bytes behind its last member");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.directory_offset = 3;
	open_fails(&maker, RG_E_PARSE,
		   "no readable zip: its directory (47 bytes at 3) does not end where the end "
		   "record begins (80)");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.zip64 = true;
	maker.directory_size = UINT64_MAX - 5;
	open_fails(&maker, RG_E_PARSE,
		   "no readable zip: its directory (18446744073709551610 bytes at 33) does not end "
		   "where the end record begins (80)");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.zip64 = true;
	maker.entries = UINT64_MAX - 1;
	open_fails(&maker, RG_E_PARSE,
		   "no readable zip: its directory of 47 bytes cannot hold 18446744073709551614 "
		   "members");
}

/* A comment that is itself the end of another zip: readers would differ, so none is believed. */
static void comment_with_an_end_record(void **state)
{
	static const char lone[22] = "PK\5\6"; /* an end record without a directory before it */
	zipmaker maker, inner;
	opened o;
	rg_buf fake;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.comment = lone;
	maker.comment_size = sizeof(lone);
	no_error(open_maker(&o, &maker, NULL));
	extracts(o.zip, 0, "{}", 2);
	close_opened(&o, &maker);

	rg_buf_init(&fake, 1000);
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
			   "no readable zip: it has two end records, each with a directory");
		rg_buf_release(&whole);
	}
	zipmaker_release(&inner);
	rg_buf_release(&fake);
}

static void long_comment(void **state)
{
	static char comment[65535];
	zipmaker maker;
	opened o;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	maker.zip64 = true;
	maker.comment = comment;
	maker.comment_size = sizeof(comment);
	no_error(open_maker(&o, &maker, NULL));
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
	no_error(rg_reader_cache_new(&cache, &reader, &options));
	no_error(rg_reader_cache_put(cache, tail, c.bytes.data + tail, RG_ZIP_TAIL));
	no_error(rg_zip_open(&zip, rg_reader_cache_reader(cache), NULL, NULL));
	no_error(rg_zip_prefetch(zip, &wanted, 1));
	extracts(zip, 0, GOLDEN, strlen(GOLDEN));
	rg_zip_free(zip);
	rg_reader_cache_free(cache);
	rg_buf_release(&c.bytes);
	zipmaker_release(maker);
	return c.requests;
}

/* With the address and the tail that makes four, whatever the comment and the directory are. */
static void two_requests_behind_the_tail(void **state)
{
	enum { LOGS = 4000 };
	static char comment[65535], log[1 << 20], names[LOGS][640];
	zipmaker maker;
	size_t i;

	(void)state;
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

/* Members behind the first 4 GiB: offsets that only zip64 can hold. */
static void gigabytes_before_it(void **state)
{
	static char filler[RG_ZIP_TAIL];
	zipmaker maker;
	rg_reader reader;
	rg_buf bytes;
	rg_zip *zip;

	(void)state;
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
	no_error(rg_zip_open(&zip, &reader, NULL, NULL));
	assert_true(rg_zip_at(zip, 1)->offset > maker.base);
	extracts(zip, 0, GOLDEN, strlen(GOLDEN));
	extracts(zip, 1, GOLDEN, strlen(GOLDEN));
	rg_zip_free(zip);
	rg_buf_release(&bytes);
	zipmaker_release(&maker);
}

/* Every prefix of a zip is refused as a whole: the end record ends with the file. */
static void cut_anywhere(void **state)
{
	zipmaker maker;
	size_t length;
	opened o;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.json", GOLDEN, strlen(GOLDEN))->method = 8;
	zipmaker_add(&maker, "b.json", GOLDEN, strlen(GOLDEN));
	no_error(open_maker(&o, &maker, NULL));
	for (length = 0; length < o.bytes.length; length++) {
		rg_reader cut;
		rg_error *err;
		rg_zip *zip;

		rg_reader_memory(&cut, "cut.zip", o.bytes.data, length);
		err = rg_zip_open(&zip, &cut, NULL, NULL);
		assert_non_null(err);
		assert_int_equal(rg_error_get_code(err), RG_E_PARSE);
		assert_null(zip);
		rg_error_free(err);
	}
	close_opened(&o, &maker);
}

/* Any one byte flipped: the golden comes out as it was, or not at all. */
static void flipped_anywhere(void **state)
{
	zipmaker maker;
	opened o;
	size_t at;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.json", GOLDEN, strlen(GOLDEN))->method = 8;
	zipmaker_add(&maker, "b.json", GOLDEN, strlen(GOLDEN))->descriptor = true;
	no_error(open_maker(&o, &maker, NULL));
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
			one = rg_zip_extract(zip, i, &out);
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

static void no_zip_at_all(void **state)
{
	static const char html[] = "<!DOCTYPE html><html><body>Sign in to GitHub</body></html>";
	rg_reader reader;
	rg_zip *zip;

	(void)state;
	rg_reader_memory(&reader, "a.zip", html, strlen(html));
	is_error(rg_zip_open(&zip, &reader, NULL, NULL), RG_E_PARSE,
		 "no readable zip: there is no end record (cut off, or no zip)");
	rg_reader_memory(&reader, "a.zip", "", 0);
	is_error(rg_zip_open(&zip, &reader, NULL, NULL), RG_E_PARSE,
		 "no readable zip: 0 bytes are too few for a zip");
	assert_false(rg_zip_recognised(html, strlen(html)));
	assert_false(rg_zip_recognised("PK", 2));
	assert_true(rg_zip_recognised("PK\3\4", 4));
}

static void empty_zip(void **state)
{
	zipmaker maker;
	opened o;

	(void)state;
	zipmaker_init(&maker);
	no_error(open_maker(&o, &maker, NULL));
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

/* A reader's error comes through minizip as it is. */
static void reader_that_fails(void **state)
{
	static char filler[2000];
	zipmaker maker;
	opened o;

	(void)state;
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", filler, sizeof(filler));
	zipmaker_add(&maker, "b", filler, sizeof(filler));
	maker.prefix = filler;
	maker.prefix_size = 90;
	no_error(open_maker(&o, &maker, NULL));
	rg_zip_free(o.zip);
	o.reader.read_at = broken_read;
	o.reader.context = &o.bytes;
	is_error(rg_zip_open(&o.zip, &o.reader, NULL, NULL), RG_E_NET, "the line is dead");
	rg_reader_memory(&o.reader, "a.zip", o.bytes.data, o.bytes.length);
	no_error(rg_zip_open(&o.zip, &o.reader, NULL, NULL));
	o.reader.read_at = broken_read;
	o.reader.context = &o.bytes;
	extract_fails(o.zip, 0, RG_E_NET, "the line is dead");
	extracts(o.zip, 1, filler, sizeof(filler));
	close_opened(&o, &maker);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stored_deflated_and_empty),
		cmocka_unit_test(variants_that_writers_use),
		cmocka_unit_test(names_that_are_refused),
		cmocka_unit_test(links_and_devices),
		cmocka_unit_test(duplicates),
		cmocka_unit_test(overlaps),
		cmocka_unit_test(overlap_by_extra_field),
		cmocka_unit_test(outside_the_file),
		cmocka_unit_test(encrypted_and_unknown),
		cmocka_unit_test(headers_that_differ),
		cmocka_unit_test(crc_lies),
		cmocka_unit_test(size_lies),
		cmocka_unit_test(ratio_lies),
		cmocka_unit_test(packed_bytes_that_do_not_end),
		cmocka_unit_test(limits_by_header),
		cmocka_unit_test(limit_on_members_and_total),
		cmocka_unit_test(buffer_that_is_too_small),
		cmocka_unit_test(end_records_that_lie),
		cmocka_unit_test(comment_with_an_end_record),
		cmocka_unit_test(long_comment),
		cmocka_unit_test(two_requests_behind_the_tail),
		cmocka_unit_test(gigabytes_before_it),
		cmocka_unit_test(cut_anywhere),
		cmocka_unit_test(flipped_anywhere),
		cmocka_unit_test(no_zip_at_all),
		cmocka_unit_test(empty_zip),
		cmocka_unit_test(reader_that_fails),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
