/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/bytes.h"
#include "golden/executorch/flatbuffer.h"

#include <string.h>

/*
 * A file by hand: root offset 12 → table at 12, its vtable at 8 would not fit, so the vtable stands
 * after it. Offsets in comments.
 */
typedef struct {
	unsigned char bytes[64];
} file64;

static void put32(file64 *f, size_t at, uint32_t value)
{
	f->bytes[at] = (unsigned char)value;
	f->bytes[at + 1] = (unsigned char)(value >> 8);
	f->bytes[at + 2] = (unsigned char)(value >> 16);
	f->bytes[at + 3] = (unsigned char)(value >> 24);
}

static void put16(file64 *f, size_t at, uint32_t value)
{
	f->bytes[at] = (unsigned char)value;
	f->bytes[at + 1] = (unsigned char)(value >> 8);
}

/* Root table at 8 with fields 0: u32 7, 1: vector of 2 i32 at 24, 2: missing, 3: table (itself
 * shaped like the root) at 40. */
static file64 sound(void)
{
	file64 f;

	memset(&f, 0, sizeof(f));
	put32(&f, 0, 8);
	memcpy(f.bytes + 4, "TEST", 4);
	put32(&f, 8, (uint32_t)(8 - 48)); /* vtable at 48 */
	put32(&f, 12, 7);
	put32(&f, 16, 24 - 16);
	put32(&f, 20, 40 - 20);
	put32(&f, 24, 2);
	put32(&f, 28, 5);
	put32(&f, 32, (uint32_t)-6);
	put32(&f, 40, (uint32_t)(40 - 60)); /* vtable at 60 */
	put16(&f, 48, 12);
	put16(&f, 50, 16);
	put16(&f, 52, 4);
	put16(&f, 54, 8);
	put16(&f, 56, 0);
	put16(&f, 58, 12);
	put16(&f, 60, 4);
	put16(&f, 62, 4);
	return f;
}

TEST(loads)
{
	static const unsigned char bytes[] = {1, 2, 3, 4, 5, 6, 7, 0x88};

	assert_true(rg_le32(bytes) == 0x04030201);
	assert_true(rg_le64(bytes) == 0x8807060504030201);
}

TEST(reads)
{
	file64 f = sound();
	rg_flat_table root, child;
	rg_flat_vector numbers;
	rg_flat file;
	uint32_t value;
	uint8_t byte;

	assert_success(rg_flat_open(&file, f.bytes, sizeof(f.bytes), "TEST", &root));
	assert_success(rg_flat_u32(&root, 0, &value));
	assert_int_equal(value, 7);
	assert_success(rg_flat_u8(&root, 0, &byte));
	assert_int_equal(byte, 7);
	assert_success(rg_flat_u32(&root, 2, &value));
	assert_int_equal(value, 0);
	assert_success(rg_flat_u32(&root, 9000, &value));
	assert_int_equal(value, 0);
	assert_success(rg_flat_vector_of(&root, 1, 4, &numbers));
	assert_int_equal(numbers.count, 2);
	assert_int_equal(rg_flat_vector_i32(&numbers, 1), -6);
	assert_success(rg_flat_child(&root, 3, "a child", &child));
	assert_success(rg_flat_u32(&child, 0, &value));
	assert_int_equal(value, 0);
	assert_error(rg_flat_child(&root, 2, "a child", &child), RG_E_PARSE,
		     "byte 8: a child is missing");
}

/* A table of many fields, whose vtable's numbers take both of their bytes. */
TEST(reads_large_tables)
{
	enum { SIZE = 2048, TABLE = 600, VTABLE = 16, FIELDS = 200, LAST_AT = 1000 };
	static unsigned char bytes[SIZE];
	rg_flat_table root;
	rg_flat file;
	uint32_t value;

	bytes[0] = TABLE & 0xff;
	bytes[1] = TABLE >> 8;
	memcpy(bytes + 4, "TEST", 4);
	bytes[TABLE] = (TABLE - VTABLE) & 0xff;
	bytes[TABLE + 1] = (TABLE - VTABLE) >> 8;
	bytes[VTABLE] = (4 + 2 * FIELDS) & 0xff;
	bytes[VTABLE + 1] = (4 + 2 * FIELDS) >> 8;
	bytes[VTABLE + 2] = (LAST_AT + 4) & 0xff;
	bytes[VTABLE + 3] = (LAST_AT + 4) >> 8;
	bytes[VTABLE + 4 + 2 * (FIELDS - 1)] = LAST_AT & 0xff;
	bytes[VTABLE + 5 + 2 * (FIELDS - 1)] = LAST_AT >> 8;
	bytes[TABLE + LAST_AT] = 42;
	assert_success(rg_flat_open(&file, bytes, SIZE, "TEST", &root));
	assert_success(rg_flat_u32(&root, FIELDS - 1, &value));
	assert_int_equal(value, 42);
	assert_success(rg_flat_u32(&root, FIELDS, &value));
	assert_int_equal(value, 0);
}

static rg_error *open_file(const file64 *f, size_t size, rg_flat *file, rg_flat_table *root)
{
	return rg_flat_open(file, f->bytes, size, "TEST", root);
}

TEST(broken_roots)
{
	file64 f = sound();
	rg_flat_table root;
	rg_flat file;

	assert_error(open_file(&f, 7, &file, &root), RG_E_PARSE,
		     "7 bytes are too few for a flatbuffer");
	assert_error(rg_flat_open(&file, f.bytes, 64, "BP08", &root), RG_E_PARSE,
		     "no 'BP08' at byte 4");
	put32(&f, 0, 61);
	assert_error(open_file(&f, 64, &file, &root), RG_E_PARSE,
		     "byte 0: an offset leads out of the file");
	put32(&f, 0, 0xffffffff);
	assert_error(open_file(&f, 64, &file, &root), RG_E_PARSE,
		     "byte 0: an offset leads out of the file");
	put32(&f, 0, 0);
	assert_error(open_file(&f, 64, &file, &root), RG_E_PARSE, "byte 0: an offset of zero");
}

TEST(broken_vtables)
{
	file64 f = sound();
	rg_flat_table root;
	uint32_t value;
	uint64_t wide;
	uint8_t byte;
	rg_flat file;

	put32(&f, 8, 9); /* in front of the file */
	assert_error(open_file(&f, 64, &file, &root), RG_E_PARSE,
		     "byte 8: its vtable is outside the file");
	put32(&f, 8, 0x80000000); /* far after it */
	assert_error(open_file(&f, 64, &file, &root), RG_E_PARSE,
		     "byte 8: its vtable is outside the file");
	f = sound();
	put16(&f, 48, 18); /* longer than the file */
	assert_error(open_file(&f, 64, &file, &root), RG_E_PARSE,
		     "byte 8: a table or vtable of a wrong size");
	put16(&f, 48, 2); /* shorter than its own header */
	assert_error(open_file(&f, 64, &file, &root), RG_E_PARSE,
		     "byte 8: a table or vtable of a wrong size");
	f = sound();
	put16(&f, 50, 57); /* a table over the end */
	assert_error(open_file(&f, 64, &file, &root), RG_E_PARSE,
		     "byte 8: a table or vtable of a wrong size");
	f = sound();
	put16(&f, 52, 53); /* field 0 reaches over the file's end */
	assert_success(open_file(&f, 64, &file, &root));
	assert_error(rg_flat_u32(&root, 0, &value), RG_E_PARSE,
		     "byte 8: field 0 is outside the file");
	put16(&f, 52, 2); /* in the offset to the vtable */
	assert_success(open_file(&f, 64, &file, &root));
	assert_error(rg_flat_u32(&root, 0, &value), RG_E_PARSE,
		     "byte 8: field 0 is outside the file");
	assert_error(rg_flat_u64(&root, 0, &wide), RG_E_PARSE,
		     "byte 8: field 0 is outside the file");
	assert_error(rg_flat_u8(&root, 0, &byte), RG_E_PARSE,
		     "byte 8: field 0 is outside the file");
}

/* flatbuffers' builder for Python compares vtables without the size of their tables: one that was
 * written for a field of four bytes serves one of eight at the same place. */
TEST(shared_vtable)
{
	file64 f = sound();
	rg_flat_table root;
	rg_flat file;
	uint64_t value;

	put16(&f, 50, 8); /* the table ends after a field 0 of four bytes */
	assert_success(open_file(&f, 64, &file, &root));
	assert_success(rg_flat_u64(&root, 0, &value));
	assert_int_equal(value, 7 + ((uint64_t)8 << 32));
}

TEST(broken_vectors)
{
	file64 f = sound();
	rg_flat_table root, child;
	rg_flat_vector numbers;
	rg_flat file;

	put32(&f, 24, 10); /* 40 bytes from 28 on: four too many */
	assert_success(open_file(&f, 64, &file, &root));
	assert_error(rg_flat_vector_of(&root, 1, 4, &numbers), RG_E_PARSE,
		     "byte 24: a vector of 10 × 4 bytes");
	put32(&f, 24, 0xffffffff);
	assert_error(rg_flat_vector_of(&root, 1, 4, &numbers), RG_E_PARSE,
		     "byte 24: a vector of 4294967295 × 4 bytes");
	put32(&f, 24, 9);
	assert_success(rg_flat_vector_of(&root, 1, 4, &numbers));
	/* The offset of a child that would wrap around to the table itself: a circle. */
	put32(&f, 20, (uint32_t)-12);
	assert_error(rg_flat_child(&root, 3, "a child", &child), RG_E_PARSE,
		     "byte 20: an offset leads out of the file");
}

TEST(strings)
{
	file64 f = sound();
	const char *text;
	rg_flat_table root;
	rg_flat file;
	size_t length;

	memcpy(f.bytes + 28, "ab", 2);
	assert_success(open_file(&f, 64, &file, &root));
	assert_success(rg_flat_string(&root, 1, &text, &length));
	assert_int_equal(length, 2);
	assert_memory_equal(text, "ab", 2);
	assert_success(rg_flat_string(&root, 2, &text, &length));
	assert_int_equal(length, 0);
	f.bytes[29] = 0;
	assert_error(rg_flat_string(&root, 1, &text, &length), RG_E_PARSE,
		     "byte 28: a text with a NUL in it");
	/* The NUL after a text is there, also where the file ends with it. */
	memcpy(f.bytes + 28, "abc", 3);
	assert_error(rg_flat_string(&root, 1, &text, &length), RG_E_PARSE,
		     "byte 28: a text without the NUL that ends it");
	put32(&f, 16, 60 - 16);
	put32(&f, 60, 0);
	assert_error(rg_flat_string(&root, 1, &text, &length), RG_E_PARSE,
		     "byte 64: a text without the NUL that ends it");
}

/* A text is copied for each table that has it: what many share must be short. */
TEST(text_limit)
{
	static unsigned char bytes[sizeof(file64) + 4 + RG_FLAT_TEXT_MAX + 2];
	unsigned char *count = bytes + sizeof(file64), *end = count + 4 + RG_FLAT_TEXT_MAX;
	file64 f = sound();
	const char *text;
	rg_flat_table root;
	rg_flat file;
	size_t length;

	put32(&f, 16, sizeof(f) - 16);
	memset(bytes, 'a', sizeof(bytes) - 1);
	memcpy(bytes, f.bytes, sizeof(f));
	memset(count, 0, 4);
	count[1] = RG_FLAT_TEXT_MAX >> 8;
	*end = '\0';
	assert_success(rg_flat_open(&file, bytes, sizeof(bytes), "TEST", &root));
	assert_success(rg_flat_string(&root, 1, &text, &length));
	assert_int_equal(length, RG_FLAT_TEXT_MAX);
	count[0] = 1;
	*end = 'a';
	assert_error(rg_flat_string(&root, 1, &text, &length), RG_E_LIMIT,
		     "byte 68: a text of more than 1024 bytes");
}

/* A child that is pointed at again and again cannot make work without end. */
TEST(table_limit)
{
	file64 f = sound();
	rg_flat_table root, child;
	rg_error *err = NULL;
	rg_flat file;
	size_t i;

	assert_success(open_file(&f, 64, &file, &root));
	for (i = 1; i < RG_FLAT_TABLES_MAX && !err; i++)
		err = rg_flat_child(&root, 3, "a child", &child);
	assert_success(err);
	assert_error(rg_flat_child(&root, 3, "a child", &child), RG_E_LIMIT,
		     "more than 262144 tables");
}
