/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/file.h"
#include "base/map.h"

#include <stdio.h>
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

static void test_maps_and_forgets(void **state)
{
	enum { SIZE = 100000 };
	char path[] = "/tmp/regild-map-XXXXXX", *bytes = malloc(SIZE);
	rg_map map;
	int i;

	(void)state;
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

static void test_empty_and_missing(void **state)
{
	char path[] = "/tmp/regild-map-XXXXXX";
	rg_map map;

	(void)state;
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_maps_and_forgets),
		cmocka_unit_test(test_empty_and_missing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
