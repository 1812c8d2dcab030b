/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/reader.h"

#include "base/file.h"
#include "random.h"
#include "support/memory_reader.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SIZE = 1 << 20 };

/* A reader that writes down what it is asked for. */
typedef struct {
	unsigned char bytes[SIZE];
	rg_range asked[256];
	size_t count;
	bool broken;
} source;

static rg_error *source_read(void *context, uint64_t offset, void *buffer, size_t length)
{
	source *s = context;

	if (s->broken)
		return rg_error_new(RG_E_NET, "the line is dead");
	if (s->count < 256)
		s->asked[s->count++] = (rg_range){offset, length};
	memcpy(buffer, s->bytes + offset, length);
	return NULL;
}

static source *new_source(rg_reader *reader)
{
	source *s = calloc(1, sizeof(*s));
	size_t i;

	assert_non_null(s);
	for (i = 0; i < SIZE; i++)
		s->bytes[i] = (unsigned char)(i * 2654435761u >> 13);
	*reader = (rg_reader){.name = "source", .size = SIZE, .read_at = source_read, .context = s};
	return s;
}

static void reads(const rg_reader *reader, const source *s, uint64_t offset, size_t length)
{
	char *buffer = malloc(length + 1);

	assert_non_null(buffer);
	assert_success(rg_reader_read(reader, offset, buffer, length));
	assert_memory_equal(buffer, s->bytes + offset, length);
	free(buffer);
}

static void asked(source *s, size_t index, uint64_t offset, uint64_t length)
{
	assert_true(index < s->count);
	assert_int_equal(s->asked[index].offset, offset);
	assert_int_equal(s->asked[index].length, length);
}

TEST(memory_and_its_end)
{
	rg_reader reader;
	char buffer[8];

	reader = memory_reader("text", "0123456789", 10);
	assert_success(rg_reader_read(&reader, 7, buffer, 3));
	assert_memory_equal(buffer, "789", 3);
	assert_success(rg_reader_read(&reader, 10, buffer, 0));
	assert_error(rg_reader_read(&reader, 8, buffer, 3), RG_E_PARSE,
		     "text: ends too early: 3 bytes at 8 are wanted of 10");
	assert_error(rg_reader_read(&reader, UINT64_MAX, buffer, 1), RG_E_PARSE,
		     "text: ends too early: 1 bytes at 18446744073709551615 are wanted of 10");
	assert_success(rg_reader_prefetch(&reader, &(rg_range){5, 100}, 1));
}

TEST(file_and_folder)
{
	char path[] = "/tmp/test-reader-XXXXXX", buffer[4];
	int fd = mkstemp(path);
	rg_reader_file file;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "abcdef", 6), 6);
	assert_success(rg_reader_file_open(&file, path));
	assert_int_equal(file.reader.size, 6);
	assert_success(rg_reader_read(&file.reader, 2, buffer, 4));
	assert_memory_equal(buffer, "cdef", 4);
	rg_reader_file_release(&file);
	assert_success(rg_reader_file_open(&file, path));
	assert_int_equal(ftruncate(fd, 3), 0);
	assert_non_null(strstr(file.reader.name, "test-reader"));
	{
		rg_error *err = rg_reader_read(&file.reader, 2, buffer, 4);

		assert_non_null(strstr(rg_error_message(err), "became shorter"));
		rg_error_free(err);
	}
	rg_reader_file_release(&file);
	close(fd);
	unlink(path);
	assert_error(rg_reader_file_open(&file, "no-such-file"), RG_E_IO,
		     "no-such-file: No such file or directory");
	assert_error(rg_reader_file_open(&file, "tests"), RG_E_IO, "tests: is not a regular file");
	/* One that nobody writes to, which must not be waited for. */
	assert_int_equal(mkfifo(path, 0600), 0);
	{
		rg_error *err = rg_reader_file_open(&file, path);

		assert_non_null(strstr(rg_error_message(err), ": is not a regular file"));
		rg_error_free(err);
	}
	unlink(path);
}

TEST(part_of_a_reader)
{
	rg_reader reader;
	rg_reader_part part;
	source *s = new_source(&reader);
	char buffer[16];

	rg_reader_part_init(&part, &reader, "part", (rg_range){1000, 50});
	assert_success(rg_reader_read(&part.reader, 40, buffer, 10));
	assert_memory_equal(buffer, s->bytes + 1040, 10);
	assert_error(rg_reader_read(&part.reader, 41, buffer, 10), RG_E_PARSE,
		     "part: ends too early: 10 bytes at 41 are wanted of 50");
	free(s);
}

TEST(unplanned_reads_are_blocks)
{
	rg_reader_cache_options options = {.block = 1000};
	rg_reader_cache *cache;
	rg_reader reader;
	source *s = new_source(&reader);
	const rg_reader *cached;

	cache = rg_reader_cache_new(&reader, &options);
	cached = rg_reader_cache_reader(cache);
	reads(cached, s, 1500, 10);
	reads(cached, s, 1000, 1000);
	reads(cached, s, 2999, 2);
	reads(cached, s, 900, 3200);
	reads(cached, s, SIZE - 1, 1);
	assert_int_equal(s->count, 5);
	asked(s, 0, 1000, 1000);
	asked(s, 1, 2000, 2000);
	asked(s, 2, 0, 1000);
	asked(s, 3, 4000, 1000);
	asked(s, 4, SIZE - SIZE % 1000, SIZE % 1000);
	rg_reader_cache_free(cache);
	free(s);
}

TEST(planned_ranges_are_one_request)
{
	rg_range plan[] = {{500000, 100}, {1000, 300}, {1250, 100}, {2000, 10}};
	rg_reader_cache_options options = {.block = 1000, .join_gap = 700};
	rg_reader_cache *cache;
	rg_reader reader;
	source *s = new_source(&reader);
	const rg_reader *cached;

	cache = rg_reader_cache_new(&reader, &options);
	cached = rg_reader_cache_reader(cache);
	assert_success(rg_reader_prefetch(cached, plan, 4));
	assert_int_equal(s->count, 0);
	reads(cached, s, 1300, 30);
	reads(cached, s, 1000, 300);
	reads(cached, s, 2000, 10);
	reads(cached, s, 500050, 1);
	assert_int_equal(s->count, 2);
	asked(s, 0, 1000, 1010);
	asked(s, 1, 500000, 100);
	/* What is held already is left out. */
	assert_success(rg_reader_prefetch(cached, &(rg_range){1900, 500}, 1));
	reads(cached, s, 2100, 1);
	asked(s, 2, 2010, 390);
	rg_reader_cache_free(cache);
	free(s);
}

TEST(memory_is_bounded)
{
	rg_reader_cache_options options = {.block = 1000, .stretch_max = 4000, .memory_max = 10000};
	rg_range all = {0, SIZE};
	rg_reader_cache *cache;
	rg_reader reader;
	source *s = new_source(&reader);
	const rg_reader *cached;
	size_t i, before;

	cache = rg_reader_cache_new(&reader, &options);
	cached = rg_reader_cache_reader(cache);
	assert_success(rg_reader_prefetch(cached, &all, 1));
	for (i = 0; i < 60; i++)
		reads(cached, s, i * 1000, 1000);
	for (i = 0; i < s->count; i++)
		assert_int_equal(s->asked[i].length, 4000);
	assert_int_equal(s->count, 15);
	/* The last two stretches are still there, the first is not. */
	before = s->count;
	reads(cached, s, 52000, 8000);
	assert_int_equal(s->count, before);
	reads(cached, s, 0, 1);
	assert_int_equal(s->count, before + 1);
	rg_reader_cache_free(cache);
	free(s);
}

TEST(long_reads_are_one_request)
{
	rg_reader_cache_options options = {.block = 1000, .stretch_max = 4000, .memory_max = 10000};
	rg_range wanted = {2000, 60000};
	rg_reader_cache *cache;
	rg_reader reader;
	source *s = new_source(&reader);
	const rg_reader *cached;

	cache = rg_reader_cache_new(&reader, &options);
	cached = rg_reader_cache_reader(cache);
	rg_reader_cache_put(cache, 60000, s->bytes + 60000, 2000);
	assert_success(rg_reader_prefetch(cached, &wanted, 1));
	reads(cached, s, 2000, 60000);
	assert_int_equal(s->count, 1);
	asked(s, 0, 2000, 58000);
	/* What was held stays, what passed by is not. */
	reads(cached, s, 60000, 2000);
	assert_int_equal(s->count, 1);
	reads(cached, s, 2000, 4000);
	assert_int_equal(s->count, 2);
	asked(s, 1, 2000, 4000);
	rg_reader_cache_free(cache);
	free(s);
}

TEST(what_was_put_in)
{
	rg_reader_cache *cache;
	rg_reader reader;
	source *s = new_source(&reader);
	const rg_reader *cached;

	cache = rg_reader_cache_new(&reader, NULL);
	cached = rg_reader_cache_reader(cache);
	rg_reader_cache_put(cache, SIZE - 5000, s->bytes + SIZE - 5000, 5000);
	rg_reader_cache_put(cache, SIZE - 6000, s->bytes + SIZE - 6000, 2000);
	reads(cached, s, SIZE - 5000, 5000);
	assert_int_equal(s->count, 0);
	reads(cached, s, SIZE - 5001, 2);
	assert_int_equal(s->count, 1);
	asked(s, 0, SIZE - 65536, 65536 - 5000);
	rg_reader_cache_free(cache);
	free(s);
}

TEST(errors_are_not_kept)
{
	rg_reader_cache *cache;
	rg_reader reader;
	source *s = new_source(&reader);
	const rg_reader *cached;
	char byte;

	cache = rg_reader_cache_new(&reader, NULL);
	cached = rg_reader_cache_reader(cache);
	s->broken = true;
	assert_error(rg_reader_read(cached, 5, &byte, 1), RG_E_NET, "the line is dead");
	s->broken = false;
	reads(cached, s, 5, 1);
	rg_reader_cache_free(cache);
	free(s);
}

/* Against a plain copy, with a cache so small that everything happens. */
TEST(any_order_of_reads)
{
	rg_reader_cache_options options = {
		.block = 512, .stretch_max = 3000, .memory_max = 9000, .join_gap = 100};
	rg_reader_cache *cache;
	rg_reader reader;
	source *s = new_source(&reader);
	const rg_reader *cached;
	uint32_t seed = 1;
	int i;

	cache = rg_reader_cache_new(&reader, &options);
	cached = rg_reader_cache_reader(cache);
	for (i = 0; i < 20000; i++) {
		uint64_t offset = next_random(&seed) % 40000;
		size_t length = next_random(&seed) % 7000;

		if (i % 7 == 0)
			assert_success(rg_reader_prefetch(cached, &(rg_range){offset, length}, 1));
		else
			reads(cached, s, offset, length);
	}
	rg_reader_cache_free(cache);
	free(s);
}

TEST(joins)
{
	rg_range touching[] = {{10, 10}, {0, 10}, {30, 5}, {12, 2}};

	assert_int_equal(rg_ranges_join(touching, 0, 0), 0);
	assert_int_equal(rg_ranges_join(touching, 4, 9), 2);
	assert_int_equal(touching[0].offset, 0);
	assert_int_equal(touching[0].length, 20);
	assert_int_equal(touching[1].offset, 30);
	assert_int_equal(rg_ranges_join(touching, 2, 10), 1);
	assert_int_equal(touching[0].length, 35);
}

/* Where there are many ranges, more is moved with fewer requests. */
TEST(many_ranges_are_joined)
{
	rg_range plan[] = {{0, 10}, {30000, 10}, {60000, 10}};
	rg_reader_cache *cache;
	rg_reader reader;
	source *s = new_source(&reader);
	size_t count, i;

	for (count = 2; count <= 3; count++) {
		cache = rg_reader_cache_new(&reader, NULL);
		assert_success(rg_reader_prefetch(rg_reader_cache_reader(cache), plan, count));
		s->count = 0;
		for (i = 0; i < count; i++)
			reads(rg_reader_cache_reader(cache), s, plan[i].offset, 10);
		assert_int_equal(s->count, count == 2 ? 2 : 1);
		rg_reader_cache_free(cache);
	}
	free(s);
}
