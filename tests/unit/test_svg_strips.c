/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "report/svg.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void draw(rg_buf *out, const rg_svg_strip *strips, size_t count)
{
	rg_buf_init(out, RG_BUF_TEXT);
	rg_svg_strips_write(out, "\"<t>\"", "<l>", strips, count);
	assert_success(rg_buf_check(out, "strips"));
	assert_null(strstr(out->data, "nan"));
	assert_null(strstr(out->data, "inf"));
}

static void draw_trend(rg_buf *out, const double *values, const bool *odd, size_t count)
{
	rg_buf_init(out, RG_BUF_TEXT);
	rg_svg_trend_write(out, values, odd, count);
	assert_success(rg_buf_check(out, "trend"));
	assert_null(strstr(out->data, "nan"));
	assert_null(strstr(out->data, "inf"));
}

/* A decade is as wide as the next, zero is left of the scale, and what stands out is a path of its
 * own. */
static void test_scale(void **state)
{
	static const double first[] = {0, 1e-4, NAN, 1e-2}, second[] = {1};
	static const bool odd[] = {false, false, false, true};
	const rg_svg_strip strips[] = {{"<a>", "series-1", first, odd, 4, 1e-3},
				       {"b", "", second, odd, 1, NAN}};
	rg_buf out;

	(void)state;
	draw(&out, strips, 2);
	assert_non_null(strstr(out.data, "aria-label=\"&quot;&lt;t&gt;&quot;\""));
	assert_non_null(strstr(
		out.data, "<a href=\"#series-1\"><text x=\"0\" y=\"13\">&lt;a&gt;</text></a>"));
	assert_non_null(strstr(out.data, "<path class=\"dots\" d=\"M10.0 24h0M54.0 24h0\"/>"));
	assert_non_null(strstr(out.data, "<path class=\"odd\" d=\"M258.0 24h0\"/>"));
	assert_non_null(
		strstr(out.data, "<line class=\"limit\" x1=\"156.0\" y1=\"17\" x2=\"156.0\""));
	/* The second is below, leads nowhere and has no limit. */
	assert_non_null(strstr(out.data, "<text x=\"0\" y=\"49\">b</text>\n"));
	assert_non_null(strstr(out.data, "<path class=\"dots\" d=\"M462.0 60h0\"/>"));
	assert_null(strstr(strstr(out.data, "class=\"limit\"") + 1, "class=\"limit\""));
	assert_non_null(
		strstr(out.data, "x=\"156.0\" y=\"86\" text-anchor=\"middle\">1e-03</text>"));
	assert_non_null(strstr(out.data, ">&lt;l&gt;</text>"));
	rg_buf_release(&out);
}

/* Twelve decades at most, with a tick at some of them; what is beyond is at the ends. */
static void test_extremes(void **state)
{
	static const double wide[] = {DBL_MIN, DBL_MAX, INFINITY}, nothing[] = {0, NAN},
			    one[] = {10};
	static const bool odd[] = {false, false, false};
	const rg_svg_strip huge = {"a", "", wide, odd, 3, INFINITY};
	const rg_svg_strip empty = {"a", "", nothing, odd, 2, 0};
	const rg_svg_strip decade = {"a", "", one, odd, 1, NAN};
	rg_buf out;

	(void)state;
	draw(&out, &huge, 1);
	assert_non_null(strstr(out.data, "d=\"M54.0 24h0M436.7 24h0M462.0 24h0\""));
	assert_non_null(strstr(out.data, ">1e+297</text>"));
	assert_non_null(strstr(out.data, ">1e+299</text>"));
	assert_null(strstr(out.data, ">1e+298</text>"));
	rg_buf_release(&out);
	draw(&out, &empty, 1);
	assert_non_null(strstr(out.data, "d=\"M10.0 24h0\""));
	assert_non_null(strstr(out.data, ">1e-01</text>"));
	rg_buf_release(&out);
	draw(&out, &decade, 1);
	assert_non_null(strstr(out.data, "d=\"M462.0 24h0\""));
	assert_non_null(strstr(out.data, ">1e+00</text>"));
	rg_buf_release(&out);
	draw(&out, NULL, 0);
	assert_null(strstr(out.data, "<path"));
	rg_buf_release(&out);
}

/* What stands out does not press the others flat, unless they are flat. */
static void test_trend(void **state)
{
	static const double values[] = {1, 2, 90, NAN, 1.5, NAN}, flat[] = {5, 5, 10};
	static const double huge[] = {-DBL_MAX, 0, DBL_MAX};
	static const bool odd[] = {false, false, true, false, false, false}, none[6] = {false};
	rg_buf out;

	(void)state;
	draw_trend(&out, values, odd, 6);
	assert_string_equal(out.data,
			    "<svg class=\"trend\" viewBox=\"0 0 33 20\" aria-hidden=\"true\">"
			    "<path d=\"M3 17.0L8 3.0L13 3.0h0M23 10.0h0\"/>"
			    "<path class=\"odd\" d=\"M13 3.0h0\"/></svg>");
	rg_buf_release(&out);
	draw_trend(&out, flat, odd, 3);
	assert_non_null(strstr(out.data, "M3 17.0L8 17.0L13 3.0h0"));
	rg_buf_release(&out);
	draw_trend(&out, flat, none, 2);
	assert_non_null(strstr(out.data, "M3 10.0L8 10.0h0"));
	rg_buf_release(&out);
	draw_trend(&out, huge, none, 3);
	assert_non_null(strstr(out.data, "M3 17.0L8 10.0L13 3.0h0"));
	rg_buf_release(&out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_scale),
					   cmocka_unit_test(test_extremes),
					   cmocka_unit_test(test_trend)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
