/* SPDX-License-Identifier: Apache-2.0 */
/* URLs: what may be asked, what counts as the same origin, and what is shown of them. */
#include "unit/unit.h"

#include "net/url.h"

#include <stdlib.h>
#include <string.h>

TEST(accepts_https_and_loopback)
{
	static const char *const fine[] = {
		"https://api.github.com",  "https://ghe.example:8443/api/v3?x=1",
		"http://127.0.0.1:8080/x", "http://127.200.3.4",
		"http://[::1]:80/",        "http://localhost:1",
		"http://LOCALHOST/",
	};
	size_t i;

	for (i = 0; i < sizeof(fine) / sizeof(*fine); i++)
		assert_success(rg_url_check(fine[i]));
}

TEST(refuses_the_rest)
{
	static const char *const bad[] = {
		"http://api.github.com",
		"http://128.0.0.1/",
		"http://127.0.0.1.example.com/",
		"http://localhost.example.com/",
		"ftp://127.0.0.1/",
		"file:///etc/passwd",
		"https://user@api.github.com/",
		"https://user:secret@api.github.com/",
		"https://:secret@api.github.com/",
		"https://",
		"api.github.com",
		"",
		"https://exa mple.com/",
	};
	size_t i;

	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		rg_error *err = rg_url_check(bad[i]);

		if (!err)
			fail_msg("'%s' was let through", bad[i]);
		assert_null(strstr(rg_error_message(err), "secret"));
		rg_error_free(err);
	}
	assert_error(rg_url_check("http://example.com/?sig=abc"), RG_E_UNSAFE,
		     "http://example.com: refused; only https is used, and http to this machine "
		     "alone");
}

TEST(compares_origins)
{
	assert_true(rg_url_same_origin("https://a.example/x", "https://A.example:443/y?z"));
	assert_true(rg_url_same_origin("http://127.0.0.1:80", "http://127.0.0.1/"));
	assert_false(rg_url_same_origin("https://a.example", "http://a.example"));
	assert_false(rg_url_same_origin("https://a.example", "https://a.example:444"));
	assert_false(rg_url_same_origin("https://a.example", "https://a.example.evil"));
	assert_false(rg_url_same_origin("http://127.0.0.1:80", "http://localhost:80"));
	assert_false(rg_url_same_origin("not a url", "not a url"));
}

TEST(knows_what_is_below)
{
	assert_true(rg_url_is_below("https://a.example/x?y", "https://a.example"));
	assert_true(rg_url_is_below("https://a.example", "https://a.example/"));
	assert_true(rg_url_is_below("https://a.example/api/v3/x", "https://a.example/api/v3"));
	assert_true(rg_url_is_below("https://a.example/api/v3", "https://a.example/api/v3/"));
	assert_false(rg_url_is_below("https://a.example/api/v33", "https://a.example/api/v3"));
	assert_false(rg_url_is_below("https://a.example/store", "https://a.example/api/v3"));
	assert_false(
		rg_url_is_below("https://a.example/api/v3/../../x", "https://a.example/api/v3"));
	assert_false(rg_url_is_below("https://b.example/api/v3/x", "https://a.example/api/v3"));
}

TEST(shows_no_query)
{
	char *shown;

	assert_success(rg_url_shown(&shown, "https://u:p@store.example/a/b?sig=SECRET#f"));
	assert_string_equal(shown, "https://store.example/a/b");
	free(shown);
}

TEST(resolves_locations)
{
	rg_error *err;
	char *url;

	assert_success(rg_url_resolve(&url, "https://a.example/x/y?q=1", "/z?page=2"));
	assert_string_equal(url, "https://a.example/z?page=2");
	free(url);
	assert_success(rg_url_resolve(&url, "https://a.example/x", "https://b.example/c"));
	assert_string_equal(url, "https://b.example/c");
	free(url);
	assert_error(
		rg_url_resolve(&url, "https://a.example/x", "http://b.example/c"), RG_E_UNSAFE,
		"http://b.example: refused; only https is used, and http to this machine alone");
	assert_null(url);
	err = rg_url_resolve(&url, "https://a.example/x", "https://b .example/c");
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_PARSE);
	assert_null(url);
	rg_error_free(err);
}

static void check_link(const char *header, const char *expected)
{
	char *url = strdup("https://a/x");

	assert_success(rg_link_follow(&url, header));
	if (!expected)
		assert_null(url);
	else
		assert_string_equal(url, expected);
	free(url);
}

TEST(follows_links)
{
	check_link("<https://a/?page=2>; rel=\"next\", <https://a/?page=5>; rel=\"last\"",
		   "https://a/?page=2");
	check_link("<https://a/?page=1>; rel=\"prev\", </?page=3>; rel=\"next\"",
		   "https://a/?page=3");
	check_link("<https://a/>; rel=\"nextish\"", NULL);
	check_link("https://a/>; rel=\"next\"", NULL);
	check_link("", NULL);
	check_link(NULL, NULL);
}
