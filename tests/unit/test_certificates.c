#include "unit/unit.h"

#include "worktree/internal.h"

int mbedtls_x509_crt_parse_file(void *chain, const char *path);

/* Only libgit2's start gets nothing; a file that holds no certificate is refused by the library
 * that is there, and by ours where there is none. */
static void test_skips_only_when_told(void **state)
{
	unsigned char chain[4096] = {0};

	(void)state;
	rg_git_skip_certificates(true);
	assert_int_equal(mbedtls_x509_crt_parse_file(chain, "README.md"), 0);
	rg_git_skip_certificates(false);
	assert_int_not_equal(mbedtls_x509_crt_parse_file(chain, "README.md"), 0);
	assert_int_not_equal(mbedtls_x509_crt_parse_file(chain, "nowhere.pem"), 0);
}

static void test_is_on_after_the_start(void **state)
{
	unsigned char chain[4096] = {0};

	(void)state;
	assert_success(rg_git_acquire());
	assert_int_not_equal(mbedtls_x509_crt_parse_file(chain, "README.md"), 0);
	rg_git_release();
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_skips_only_when_told),
		cmocka_unit_test(test_is_on_after_the_start),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
