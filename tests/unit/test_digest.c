/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/digest.h"

#include <string.h>

/* FIPS 180-4's examples. */
static void test_known_digests(void **state)
{
	char hex[RG_SHA256_HEX];

	(void)state;
	assert_success(rg_sha256_hex("", 0, hex));
	assert_string_equal(hex,
			    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_success(rg_sha256_hex("abc", 3, hex));
	assert_string_equal(hex,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

static void test_pieces_equal_the_whole(void **state)
{
	char whole[RG_SHA256_HEX], pieces[RG_SHA256_HEX];
	rg_sha256 *hash;

	(void)state;
	assert_success(rg_sha256_hex("golden values", 13, whole));
	assert_success(rg_sha256_new(&hash));
	assert_success(rg_sha256_add(hash, "golden ", 7));
	assert_success(rg_sha256_add(hash, "", 0));
	assert_success(rg_sha256_add(hash, "values", 6));
	assert_success(rg_sha256_finish(hash, pieces));
	rg_sha256_free(hash);
	assert_string_equal(whole, pieces);
	rg_sha256_free(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_known_digests),
		cmocka_unit_test(test_pieces_equal_the_whole),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
