/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/file.h"
#include "base/map.h"
#include "base/reader.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void write_file(char *path, const char *bytes, size_t size)
{
	int fd = mkstemp(path);

	assert_true(fd >= 0);
	assert_success(rg_write_all(fd, bytes, size, path));
	assert_int_equal(close(fd), 0);
}

TEST(maps_and_forgets)
{
	enum { SIZE = 100000 };
	char path[] = "/tmp/regild-map-XXXXXX", *bytes = malloc(SIZE);
	rg_map map;
	int i;

	assert_non_null(bytes);
	for (i = 0; i < SIZE; i++)
		bytes[i] = (char)(i * 7);
	write_file(path, bytes, SIZE);
	assert_success(rg_map_open(&map, path));
	assert_int_equal(map.size, SIZE);
	assert_memory_equal(map.data, bytes, SIZE);
	/* What was given back is there again. */
	rg_map_forget((const char *)map.data + 5, 50000);
	rg_map_forget(map.data, SIZE);
	rg_map_forget((const char *)map.data + SIZE - 1, 1);
	assert_memory_equal(map.data, bytes, SIZE);
	rg_map_release(&map);
	unlink(path);
	free(bytes);
}

TEST(empty_and_missing)
{
	char path[] = "/tmp/regild-map-XXXXXX";
	rg_map map;

	write_file(path, "", 0);
	assert_success(rg_map_open(&map, path));
	assert_int_equal(map.size, 0);
	assert_non_null(map.data);
	rg_map_release(&map);
	unlink(path);
	assert_error(rg_map_open(&map, "no such file"), RG_E_IO,
		     "no such file: No such file or directory");
	assert_error(rg_map_open(&map, "tests"), RG_E_IO, "tests: Is a directory");
	assert_error(rg_map_open(&map, "/dev/null"), RG_E_IO, "/dev/null: is not a regular file");
	rg_map_release(&map);
}

/* Some bytes of a file, wherever they begin; and where a reader has them. */
TEST(range)
{
	enum { SIZE = 20000 };
	static const size_t starts[] = {0, 1, 4095, 4096, 4097, SIZE - 1, SIZE};
	char path[] = "/tmp/regild-map-XXXXXX", bytes[SIZE];
	rg_reader_file file;
	rg_reader_part part, inner;
	uint64_t start;
	rg_map map;
	size_t i;

	for (i = 0; i < SIZE; i++)
		bytes[i] = (char)(i * 7);
	write_file(path, bytes, SIZE);
	assert_success(rg_reader_file_open(&file, path));
	for (i = 0; i < sizeof(starts) / sizeof(*starts); i++) {
		assert_success(rg_map_range(&map, file.fd, starts[i], SIZE - starts[i], path));
		assert_int_equal(map.size, SIZE - starts[i]);
		assert_memory_equal(map.data, bytes + starts[i], map.size);
		rg_map_forget(map.data, map.size);
		assert_memory_equal(map.data, bytes + starts[i], map.size);
		rg_map_release(&map);
	}
	assert_error(rg_map_range(&map, file.fd, 1, SIZE, "FILE"), RG_E_PARSE,
		     "FILE: ends too early");
	assert_error(rg_map_range(&map, file.fd, UINT64_MAX, 2, "FILE"), RG_E_PARSE,
		     "FILE: ends too early");
	rg_reader_part_init(&part, &file.reader, "part", (rg_range){100, 1000});
	rg_reader_part_init(&inner, &part.reader, "inner", (rg_range){10, 100});
	assert_int_equal(rg_reader_descriptor(&inner.reader, &start), file.fd);
	assert_int_equal(start, 110);
	rg_reader_file_release(&file);
	unlink(path);
}
