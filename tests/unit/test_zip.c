/* SPDX-License-Identifier: Apache-2.0 */
/* A zip's members: what is extracted, what is refused. */
#include "unit.h"

#include "zip_fixture.h"

#include <stdlib.h>
#include <string.h>

#define GOLDEN "{\"lm loss\": {\"values\": {\"1\": 10.5}}}\n"

/* Writes the maker's zip, opens it and holds one member's failure against the message. */
static void member_fails(zipmaker *maker, size_t index, rg_error_code code, const char *message)
{
	opened o;

	assert_success(open_maker(&o, maker, NULL));
	extract_fails(o.zip, index, code, message);
	close_opened(&o, maker);
}

TEST(stored_deflated_and_empty)
{
	static char large[300000];
	zipmaker maker;
	opened o;

	memset(large, 'x', sizeof(large));
	memcpy(large + 1000, GOLDEN, strlen(GOLDEN));
	zipmaker_init(&maker);
	zipmaker_add(&maker, "stored.json", GOLDEN, strlen(GOLDEN));
	zipmaker_add(&maker, "deflated.json", large, sizeof(large))->method = 8;
	zipmaker_add(&maker, "empty", "", 0);
	zipmaker_add(&maker, "empty deflated", "", 0)->method = 8;
	zipmaker_add(&maker, "folder/", "", 0)->attributes = (uint32_t)040755 << 16;
	assert_success(open_maker(&o, &maker, NULL));
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

TEST(variants_that_writers_use)
{
	static const char prefix[] = "#!/bin/sh\n", comment[] = "made by a build";
	unsigned variant;

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
		assert_success(open_maker(&o, &maker, NULL));
		extracts(o.zip, 0, GOLDEN, strlen(GOLDEN));
		extracts(o.zip, 1, "{}", 2);
		close_opened(&o, &maker);
	}
}

TEST(names_that_are_refused)
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

	for (i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++) {
		zipmaker maker;
		opened o;

		zipmaker_init(&maker);
		zipmaker_add(&maker, hostile[i].name, "x", 1)->name_length = hostile[i].length;
		zipmaker_add(&maker, "good.json", GOLDEN, strlen(GOLDEN));
		if (hostile[i].length && hostile[i].name[hostile[i].length - 1] == '/')
			maker.members[0].attributes = 0;
		assert_success(open_maker(&o, &maker, NULL));
		assert_int_equal(rg_zip_at(o.zip, 0)->refused, RG_REFUSED_NAME);
		extract_fails(o.zip, 0, RG_E_UNSAFE, hostile[i].why);
		extracts(o.zip, 1, GOLDEN, strlen(GOLDEN));
		close_opened(&o, &maker);
	}
}

TEST(links_and_devices)
{
	zipmaker maker;
	opened o;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "link.json", "/etc/passwd", 11)->attributes = (uint32_t)0120777 << 16;
	zipmaker_add(&maker, "device", "", 0)->attributes = (uint32_t)020666 << 16;
	zipmaker_add(&maker, "pipe", "", 0)->attributes = (uint32_t)010666 << 16;
	zipmaker_add(&maker, "windows.json", "{}", 2)->attributes = 0x20;
	zipmaker_add(&maker, "no-slash", "", 0)->attributes = (uint32_t)040755 << 16;
	zipmaker_add(&maker, "slash/", "", 0);
	assert_success(open_maker(&o, &maker, NULL));
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

TEST(duplicates)
{
	zipmaker maker;
	opened o;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "a.json", "1", 1);
	zipmaker_add(&maker, "b.json", "2", 1);
	zipmaker_add(&maker, "a.json", "3", 1);
	zipmaker_add(&maker, "a.json", "4", 1);
	assert_success(open_maker(&o, &maker, NULL));
	extract_fails(o.zip, 0, RG_E_UNSAFE, "its name appears twice");
	extracts(o.zip, 1, "2", 1);
	extract_fails(o.zip, 2, RG_E_UNSAFE, "its name appears twice");
	extract_fails(o.zip, 3, RG_E_UNSAFE, "its name appears twice");
	close_opened(&o, &maker);
}

/* Two entries for one local header, and a third whose header is inside another's bytes. */
TEST(overlaps)
{
	zipmaker_member *second;
	zipmaker maker;
	opened o;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "kernel", GOLDEN, strlen(GOLDEN));
	second = zipmaker_add(&maker, "second", GOLDEN, strlen(GOLDEN));
	second->no_local = true;
	second->offset = 0;
	zipmaker_add(&maker, "good", "{}", 2);
	assert_success(open_maker(&o, &maker, NULL));
	extract_fails(o.zip, 0, RG_E_UNSAFE, "its bytes are also another member's");
	extract_fails(o.zip, 1, RG_E_UNSAFE, "its bytes are also another member's");
	extracts(o.zip, 2, "{}", 2);
	close_opened(&o, &maker);

	zipmaker_init(&maker);
	zipmaker_add(&maker, "long", GOLDEN, strlen(GOLDEN))->entry.packed = 100;
	maker.members[0].entry.size = 100;
	zipmaker_add(&maker, "swallowed", GOLDEN, strlen(GOLDEN));
	zipmaker_add(&maker, "good", "{}", 2);
	assert_success(open_maker(&o, &maker, NULL));
	extract_fails(o.zip, 0, RG_E_UNSAFE, "its bytes are also another member's");
	extract_fails(o.zip, 1, RG_E_UNSAFE, "its bytes are also another member's");
	extracts(o.zip, 2, "{}", 2);
	close_opened(&o, &maker);
}

/* The local extra field alone reaches into the next member: seen when the header is read. */
TEST(overlap_by_extra_field)
{
	zipmaker maker;
	opened o;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2);
	zipmaker_add(&maker, "b", "{}", 2);
	assert_success(open_maker(&o, &maker, NULL));
	o.bytes.data[28] = 1;
	extract_fails(o.zip, 0, RG_E_UNSAFE, "its bytes are also another member's");
	extracts(o.zip, 1, "{}", 2);
	close_opened(&o, &maker);
}

TEST(outside_the_file)
{
	zipmaker maker;

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

/* Numbers that say that 64-bit ones follow, which do not. */
TEST(zip64_without_sizes)
{
	zipmaker maker;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2)->entry.packed = UINT32_MAX;
	member_fails(&maker, 0, RG_E_PARSE, "its zip64 sizes are missing");
	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "{}", 2)->offset = UINT32_MAX;
	member_fails(&maker, 0, RG_E_PARSE, "its zip64 sizes are missing");
}

TEST(encrypted_and_unknown)
{
	static const unsigned encrypted[] = {1, 1 | 64, 1 << 13};
	size_t i;
	zipmaker maker;

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

TEST(headers_that_differ)
{
	zipmaker maker;

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

TEST(crc_lies)
{
	zipmaker_member *member;
	zipmaker maker;

	zipmaker_init(&maker);
	member = zipmaker_add(&maker, "a.json", "{}", 2);
	member->entry.crc = member->local.crc = 0xdeadbeef;
	member_fails(&maker, 0, RG_E_MISMATCH,
		     "its CRC-32 is a3a6bf43 and should be deadbeef (2 bytes)");
}

/* A deflated member whose headers agree on a size that is not the true one. */
TEST(size_lies)
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
TEST(ratio_lies)
{
	static char zeros[50 << 20];
	zipmaker_member *member;
	uint64_t unpacked = 0;
	zipmaker maker;
	opened o;

	zipmaker_init(&maker);
	member = zipmaker_add(&maker, "bomb.json", zeros, sizeof(zeros));
	member->method = 8;
	member->entry.size = member->local.size = 10;
	zipmaker_add(&maker, "good.json", GOLDEN, strlen(GOLDEN));
	assert_success(open_maker(&o, &maker, NULL));
	rg_zip_free(o.zip);
	assert_success(rg_zip_open(&o.zip, &o.reader, NULL, &unpacked));
	extract_fails(o.zip, 0, RG_E_MISMATCH,
		      "it unpacks to more than the 10 bytes that it claims");
	assert_int_equal(unpacked, 10);
	extracts(o.zip, 1, GOLDEN, strlen(GOLDEN));
	close_opened(&o, &maker);
}

TEST(packed_bytes_that_do_not_end)
{
	static char block[(64 << 10) + 1];
	zipmaker_member *member;
	char longer[64];
	zipmaker maker;

	RG_AUTO(rg_buf) packed = rg_buf_of(1000);
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
	member_fails(&maker, 0, RG_E_PARSE, "there is something after its packed bytes");

	/* Behind as many as are read at once, too: one stored block of 5 bytes and its contents. */
	zipmaker_init(&maker);
	member = zipmaker_add(&maker, "a.json", block + 5, sizeof(block) - 6);
	memcpy(block, "\1\xfb\xff\4", 5);
	member->method = 8;
	member->packed = block;
	member->packed_size = sizeof(block);
	member_fails(&maker, 0, RG_E_PARSE, "there is something after its packed bytes");

	zipmaker_init(&maker);
	member = zipmaker_add(&maker, "a.json", GOLDEN, strlen(GOLDEN));
	member->method = 8;
	member->packed = "\xff\xff\xff\xff";
	member->packed_size = 4;
	member_fails(&maker, 0, RG_E_PARSE,
		     "its packed bytes are damaged after 0 bytes (invalid block type)");
}

/* Sizes about the block that is written at once, of what packs so well that the output fills first;
 * the buffer has not a byte more. */
TEST(sizes_about_a_block)
{
	static char zeros[4 << 16];
	int blocks, more;

	for (blocks = 0; blocks < 4; blocks++)
		for (more = -1; more < 5; more++) {
			size_t size = (size_t)(blocks << 16) + (size_t)(blocks ? more : more + 1);
			zipmaker maker;
			rg_buf out;
			opened o;

			zipmaker_init(&maker);
			zipmaker_add(&maker, "a", zeros, size)->method = 8;
			assert_success(open_maker(&o, &maker, NULL));
			rg_buf_init(&out, size);
			assert_success(rg_zip_extract(o.zip, 0, rg_zip_append, &out));
			assert_int_equal(out.length, size);
			rg_buf_release(&out);
			close_opened(&o, &maker);
		}
}

TEST(limits_by_header)
{
	rg_zip_limits limits = rg_zip_limits_default();
	static char zeros[2 << 20];
	zipmaker_member *bomb;
	zipmaker maker;
	opened o;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "large", zeros, 1001);
	zipmaker_add(&maker, "fine", zeros, 1000);
	zipmaker_add(&maker, "dense", zeros, 500)->method = 8;
	limits.member_size = 1000;
	limits.ratio_floor = 400;
	limits.ratio = 10;
	assert_success(open_maker(&o, &maker, &limits));
	extract_fails(o.zip, 0, RG_E_LIMIT,
		      "1001 bytes are more than the limit of 1000 (regild.maxFile)");
	extracts(o.zip, 1, zeros, 1000);
	extract_fails(
		o.zip, 2, RG_E_LIMIT,
		"500 bytes packed into 8 are more than the limit of 10 to 1 (regild.maxRatio)");
	close_opened(&o, &maker);

	/* The defaults take a flow of vgg11, and a tensor of zeros, which packs a thousand to one;
	 * over 1 MiB, nothing packs more than 1100 to one. */
	limits = rg_zip_limits_default();
	assert_true(limits.member_size >= (uint64_t)550 << 20);
	assert_true(limits.total_size >= (uint64_t)3 << 30);
	zipmaker_init(&maker);
	zipmaker_add(&maker, "zeros", zeros, sizeof(zeros))->method = 8;
	bomb = zipmaker_add(&maker, "bomb", zeros, sizeof(zeros));
	bomb->method = 8;
	bomb->entry.size = bomb->local.size = 64 << 20;
	assert_success(open_maker(&o, &maker, NULL));
	extracts(o.zip, 0, zeros, sizeof(zeros));
	assert_int_equal(rg_zip_at(o.zip, 1)->refused, RG_REFUSED_LIMIT);
	close_opened(&o, &maker);
}

TEST(limit_on_members_and_total)
{
	rg_zip_limits limits = rg_zip_limits_default();
	uint64_t unpacked = 0;
	zipmaker maker;
	opened o;
	size_t i;

	zipmaker_init(&maker);
	zipmaker_add(&maker, "a", "12345", 5);
	zipmaker_add(&maker, "b", "12345", 5);
	zipmaker_add(&maker, "c", "1", 1);
	limits.members = 2;
	assert_error(open_maker(&o, &maker, &limits), RG_E_LIMIT,
		     "3 members are more than the limit of 2 (regild.maxMembers)");
	limits.members = 3;
	limits.total_size = 6;
	assert_success(rg_zip_open(&o.zip, &o.reader, &limits, &unpacked));
	extracts(o.zip, 0, "12345", 5);
	extract_fails(o.zip, 1, RG_E_LIMIT,
		      "with its 5 bytes the archive would unpack to more than 6 (regild.maxTotal)");
	extracts(o.zip, 2, "1", 1);
	assert_int_equal(unpacked, 6);
	for (i = 0; i < 3; i++)
		extract_fails(o.zip, 2, RG_E_LIMIT,
			      "with its 1 bytes the archive would unpack to more than 6 "
			      "(regild.maxTotal)");
	close_opened(&o, &maker);
}

/* What a sink was given. */
typedef struct {
	uint64_t bytes, largest;
	uint64_t most; /* it fails beyond them */
} pieces;

static rg_error *count_piece(void *context, const void *bytes, size_t length)
{
	pieces *p = context;

	(void)bytes;
	p->bytes += length;
	p->largest = length > p->largest ? length : p->largest;
	return p->bytes > p->most ? rg_error_new(RG_E_IO, "the disk is full") : NULL;
}

TEST(comes_in_pieces)
{
	static char zeros[1 << 20];
	unsigned method;

	for (method = 0; method <= 8; method += 8) {
		pieces all = {.most = sizeof(zeros)}, some = {.most = 100000};
		zipmaker maker;
		opened o;

		zipmaker_init(&maker);
		zipmaker_add(&maker, "a", zeros, sizeof(zeros))->method = method;
		assert_success(open_maker(&o, &maker, NULL));
		assert_success(rg_zip_extract(o.zip, 0, count_piece, &all));
		assert_int_equal(all.bytes, sizeof(zeros));
		assert_true(all.largest <= 1 << 16);
		assert_error(rg_zip_extract(o.zip, 0, count_piece, &some), RG_E_IO,
			     "the disk is full");
		assert_true(some.bytes <= 100000 + (1 << 16));
		close_opened(&o, &maker);
	}
}
