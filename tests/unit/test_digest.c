/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/digest.h"

#include <string.h>

/* FIPS 180-4's examples. */
TEST(known_digests)
{
	char hex[RG_SHA256_HEX];

	assert_success(rg_sha256_hex("", 0, hex));
	assert_string_equal(hex,
			    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
	assert_success(rg_sha256_hex("abc", 3, hex));
	assert_string_equal(hex,
			    "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(pieces_equal_the_whole)
{
	char whole[RG_SHA256_HEX], pieces[RG_SHA256_HEX];
	rg_sha256 *hash;

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
