/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "report/curve.h"
#include "report/html_text.h"
#include "report/svg.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t occurrences(const char *text, const char *wanted)
{
	size_t count = 0;

	while ((text = strstr(text, wanted)) != NULL) {
		count++;
		text += strlen(wanted);
	}
	return count;
}

static void draw(rg_buf *out, const rg_svg_point *points, size_t count, double mark)
{
	const rg_svg_line line = {points, count};
	const rg_svg_plot plot = {.lines = &line,
				  .line_count = 1,
				  .title = "\"<t>\"",
				  .x_label = "step",
				  .y_label = "<y>",
				  .mark_x = mark,
				  .mark = "<m>"};

	rg_buf_init(out, RG_BUF_TEXT);
	rg_svg_plot_write(out, &plot);
	assert_success(rg_buf_check(out, "plot"));
	assert_null(strstr(out->data, "nan"));
	assert_null(strstr(out->data, "inf"));
}

TEST(text)
{
	static const char hostile[] = "<script>alert(\"1\" & '2')</script>\x1b\xff\n";

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_html_text(&out, hostile, sizeof(hostile) - 1);
	assert_string_equal(out.data, "&lt;script&gt;alert(&quot;1&quot; &amp; &#39;2&#39;)"
				      "&lt;/script&gt;\\x1b\\xff\\x0a");
	rg_buf_clear(&out);
	rg_html_code(&out, "a<b", 3);
	assert_string_equal(out.data, "<code>a&lt;b</code>");
}

TEST(plot)
{
	static const rg_svg_point points[] = {{1, 0}, {2, 10}, {3, 5}};
	rg_buf out;

	draw(&out, points, 3, 2);
	assert_non_null(strstr(out.data, "aria-label=\"&quot;&lt;t&gt;&quot;\""));
	/* The least value below, the largest above, with some room around them. */
	assert_non_null(strstr(out.data, "<polyline class=\"line0\" points=\"86.0,169.0 277.0,45.0 "
					 "468.0,107.0\"/>"));
	/* Round numbers. */
	assert_non_null(strstr(out.data, ">2</text>\n<line class=\"grid\""));
	assert_non_null(strstr(out.data, "y=\"49.0\" text-anchor=\"end\">10</text>"));
	assert_non_null(strstr(out.data, "<line class=\"mark\" x1=\"277.0\""));
	assert_non_null(strstr(out.data, ">&lt;m&gt;</text>"));
	assert_non_null(strstr(out.data, ">&lt;y&gt;</text>"));
	rg_buf_release(&out);
	draw(&out, points, 3, 4); /* outside of it */
	assert_null(strstr(out.data, "class=\"mark\""));
	rg_buf_release(&out);
}

TEST(gaps_and_extremes)
{
	static const rg_svg_point gaps[] = {{1, 1}, {2, NAN}, {3, 2}, {4, 3}, {5, INFINITY}};
	static const rg_svg_point none[] = {{1, NAN}, {2, -INFINITY}};
	static const rg_svg_point huge[] = {{0, -DBL_MAX}, {1, DBL_MAX}};
	static const rg_svg_point flat[] = {{7, 3}};
	rg_buf out;

	draw(&out, gaps, 5, NAN);
	assert_int_equal(occurrences(out.data, "<circle"), 1);
	assert_int_equal(occurrences(out.data, "<polyline"), 1);
	rg_buf_release(&out);
	draw(&out, none, 2, NAN);
	assert_non_null(strstr(out.data, "no finite values"));
	rg_buf_release(&out);
	draw(&out, huge, 2, NAN);
	assert_non_null(strstr(out.data, "points=\"86.0,169.0 468.0,45.0\""));
	rg_buf_release(&out);
	draw(&out, flat, 1, 7);
	assert_non_null(strstr(out.data, "cx=\"277.0\" cy=\"107.0\""));
	rg_buf_release(&out);
}

/* There is no step 30.5. */
TEST(whole_numbers)
{
	static const rg_svg_point points[] = {{1, 0}, {60, 1}, {61, 2}};
	static const rg_svg_line lines[] = {{points, 2}, {points + 1, 2}, {points, 1}};
	rg_svg_plot plot = {
		.lines = lines, .line_count = 1, .title = "t", .x_label = "step", .y_label = "y"};

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_svg_plot_write(&out, &plot);
	assert_non_null(
		strstr(out.data, "x=\"209.0\" y=\"193.0\" text-anchor=\"middle\">20</text>"));
	rg_buf_clear(&out);
	plot.lines = lines + 1; /* with none between them */
	rg_svg_plot_write(&out, &plot);
	assert_int_equal(occurrences(out.data, "y=\"193.0\""), 2);
	rg_buf_clear(&out);
	plot.lines = lines + 2;
	rg_svg_plot_write(&out, &plot);
	assert_non_null(strstr(out.data, "x=\"86.0\" y=\"193.0\" text-anchor=\"middle\">0</text>"));
	assert_non_null(strstr(out.data, "text-anchor=\"middle\">1</text>"));
}

/* Records by name, the first and the last; a mark's text is where there is more room, and a mark
 * out of the frame is none. */
TEST(names_and_mark)
{
	static const rg_svg_point points[] = {{0, 0}, {1, NAN}, {2, 10}};
	static const rg_svg_line line = {points, 3};
	static const char *const names[] = {"a <0>", "b", "c"};
	rg_svg_plot plot = {.lines = &line,
			    .line_count = 1,
			    .title = "t",
			    .x_label = "record",
			    .y_label = "y",
			    .x_names = names,
			    .x_name_count = 3,
			    .mark_x = 2,
			    .mark = "<b>"};

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_svg_plot_write(&out, &plot);
	assert_non_null(strstr(out.data, "text-anchor=\"start\">a &lt;0&gt;</text>"));
	assert_non_null(strstr(out.data, "text-anchor=\"end\">c</text>"));
	assert_int_equal(occurrences(out.data, "<circle"), 2);
	assert_null(strstr(out.data, "<polyline"));
	assert_non_null(strstr(out.data, "<line class=\"mark\" x1=\"468.0\" y1=\"38\" "
					 "x2=\"468.0\" y2=\"176\"/>"));
	assert_non_null(strstr(out.data, "<text class=\"mark\" x=\"464.0\" y=\"33\" "
					 "text-anchor=\"end\">&lt;b&gt;</text>"));
	rg_buf_clear(&out);
	plot.mark_x = 3;
	rg_svg_plot_write(&out, &plot);
	assert_null(strstr(out.data, "mark"));
}

/* What is beyond the frame has an arrow at its edge, and what has no order is no line. */
TEST(beyond_and_pairs)
{
	static const rg_svg_point old[] = {{1, 1}, {2, 2}, {3, 99}}, fresh[] = {{1, 2}, {3, -9}};
	static const rg_svg_line lines[] = {{old, 3}, {fresh, 2}};
	rg_svg_plot plot = {.lines = lines,
			    .line_count = 2,
			    .title = "t",
			    .x_label = "record",
			    .y_label = "y",
			    .low = 0,
			    .high = 4};

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_svg_plot_write(&out, &plot);
	assert_non_null(
		strstr(out.data, "<path class=\"line0 beyond\" d=\"M464.0 45h8l-4 -7z\"/>"));
	assert_non_null(
		strstr(out.data, "<path class=\"line1 beyond\" d=\"M464.0 169h8l-4 7z\"/>"));
	assert_int_equal(occurrences(out.data, "beyond"), 2);
	rg_buf_clear(&out);
	plot.pairs = true;
	rg_svg_plot_write(&out, &plot);
	assert_null(strstr(out.data, "<polyline"));
	assert_non_null(strstr(out.data,
			       "<path class=\"grid\" d=\"M86.0 138.0V107.0M468.0 45.0V169.0\"/>"));
	assert_non_null(
		strstr(out.data, "<path class=\"line0 dots\" d=\"M86.0 138.0h0M277.0 107.0h0M"));
}

/* Zero in the middle, the larger the farther, what is infinite at the ends. */
TEST(signed)
{
	const rg_svg_signed points[] = {{0.5, true, "a", "<x>"},
					{-0.5, false, "b", "y"},
					{0, false, NULL, "z"},
					{INFINITY, true, "d", "w"}};

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_svg_signed_write(&out, "<t>", points, 4);
	assert_non_null(strstr(out.data, "aria-label=\"&lt;t&gt;\""));
	assert_non_null(strstr(
		out.data, "<a class=\"point look\" href=\"#row-a\"><title>&lt;x&gt; +50 %</title>"
			  "<circle cx=\"456.0\" cy=\"22.0\""));
	assert_non_null(strstr(
		out.data, "#row-b\" tabindex=\"-1\"><title>y -50 %</title><circle cx=\"24.0\""));
	assert_non_null(
		strstr(out.data, "<g class=\"point\"><title>z 0 %</title><circle cx=\"240.0\""));
	assert_non_null(strstr(out.data, "w +inf %</title><path d=\"M478.0 22l-8 5v-10z\"/>"));
	assert_non_null(strstr(out.data, ">-10 %</text>"));
	rg_buf_clear(&out);
	rg_svg_signed_write(&out, "t", points + 2, 1);
	assert_null(strstr(out.data, "nan"));
}

TEST(short_curve)
{
	static const int64_t steps[] = {5, 7, 9};
	static const double values[] = {1, NAN, -2};
	const rg_metric metric = {.name = "m", .count = 3, .steps = steps, .values = values};
	rg_curve curve = {0};

	assert_success(rg_curve_read(&curve, &metric, &metric));
	assert_int_equal(curve.old.count, 3);
	assert_true(curve.old.points[0].x == 5 && curve.old.points[2].x == 9);
	assert_true(isnan(curve.old.points[1].y));
	assert_true(curve.old.min == -2 && curve.old.max == 1);
	free(curve.old.points);
	free(curve.new_side.points);
}

/* A spike, holes (inside, at the end and at the beginning of what becomes two points) and the ends
 * survive the thinning of ten thousand values. */
TEST(long_curve)
{
	static double values[10007];
	const rg_metric metric = {.name = "m", .count = 10007, .values = values};
	bool spike = false;
	double gaps = 0;
	rg_curve curve = {0};
	size_t i;

	for (i = 0; i < 10007; i++)
		values[i] = sin((double)i / 50);
	values[4242] = 99;
	values[7000] = values[9008] = values[9030] = NAN;
	assert_success(rg_curve_read(&curve, &metric, &metric));
	assert_in_range(curve.old.count, 900, 1001);
	for (i = 0; i < curve.old.count; i++) {
		spike |= curve.old.points[i].x == 4242 && curve.old.points[i].y == 99;
		gaps += isnan(curve.old.points[i].y) ? curve.old.points[i].x : 0;
		if (i)
			assert_true(curve.old.points[i].x > curve.old.points[i - 1].x);
	}
	assert_true(spike && gaps == 7000 + 9008 + 9030);
	assert_true(curve.new_side.max == 99);
	free(curve.old.points);
	free(curve.new_side.points);
}

/* One value of forty that is far away does not press the others flat. */
TEST(range)
{
	double values[40];
	const rg_metric metric = {.name = "m", .count = 40, .values = values};
	rg_curve curve = {0};
	rg_curve_range range;
	size_t i;

	for (i = 0; i < 40; i++)
		values[i] = 1 + (double)(i % 4) / 4;
	assert_success(rg_curve_read(&curve, &metric, &metric));
	rg_curve_measure(&range, &curve);
	assert_true(range.beyond == 0 && range.low == 0 && range.high == 0);
	values[0] = 1000;
	assert_success(rg_curve_read(&curve, &metric, &metric));
	rg_curve_measure(&range, &curve);
	assert_int_equal(range.beyond, 2); /* one a side */
	assert_true(range.low == 1 && range.high > 1.75 && range.high < 3);
	free(curve.old.points);
	free(curve.new_side.points);
	rg_curve_measure(&range, &(rg_curve){0});
	assert_int_equal(range.beyond, 0);
}
