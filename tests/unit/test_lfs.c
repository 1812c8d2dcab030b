/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/lfs.h"

#include <stdlib.h>
#include <string.h>

#define HEAD   "version https://git-lfs.github.com/spec/v1\n"
#define DIGEST "4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393"

static bool parse(const char *text, uint64_t *size)
{
	char oid[RG_SHA256_HEX];
	/* Of exactly its size, so that the address sanitizer sees one read too far. */
	char *copy = malloc(strlen(text) + 1);

	assert_non_null(copy);
	memcpy(copy, text, strlen(text));
	const bool parsed = rg_lfs_pointer_parse(copy, strlen(text), oid, size);
	if (parsed)
		assert_string_equal(oid, DIGEST);
	free(copy);
	return parsed;
}

TEST(parses_pointers)
{
	uint64_t size;

	assert_true(parse(HEAD "oid sha256:" DIGEST "\nsize 12345\n", &size));
	assert_int_equal(size, 12345);
	assert_true(parse(HEAD "ext-0-x sha256:1\noid sha256:" DIGEST "\nsize 0\n", &size));
	assert_int_equal(size, 0);
	assert_false(parse(HEAD "oid sha256:" DIGEST "\nsize 1", &size));
	assert_false(parse(HEAD "oid sha256:" DIGEST "\nsize \n", &size));
	assert_false(parse(HEAD "oid sha256:" DIGEST "\nsize -1\n", &size));
	assert_false(parse(HEAD "oid sha256:" DIGEST "0\nsize 1\n", &size));
	assert_false(parse(HEAD "oid sha256:../../../etc/passwd\nsize 1\n", &size));
	assert_false(parse(HEAD "oid sha256:" DIGEST, &size));
	assert_false(parse(HEAD, &size));
	assert_false(parse("oid sha256:" DIGEST "\nsize 1\n", &size));
}
