/* SPDX-License-Identifier: Apache-2.0 */
/* What backend tests and opdiff runs have to say beside rows. */
#include "unit/unit.h"

#include "report/format_report.h"
#include "report/summary_view.h"
#include "report/executorch/views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const rg_case passes = {.flow = "xnn|pack",
			       .test_id = "add",
			       .subtest = "1",
			       .detail = "",
			       .error = "",
			       .result = RG_CASE_PASS};
static const rg_case fails = {.flow = "xnn|pack",
			      .test_id = "add",
			      .subtest = "1",
			      .detail = "Output <b>",
			      .error = "\n  a <i>\nb",
			      .result = RG_CASE_FAIL};
static const rg_case skipped = {.flow = "",
				.test_id = "\x1b[31m`x`",
				.subtest = "",
				.detail = "",
				.error = "",
				.result = RG_CASE_SKIP};
static rg_case_change changes[] = {{RG_CASE_NEWLY_FAILING, &passes, &fails},
				   {RG_CASE_NEWLY_FAILING, &passes, &fails},
				   {RG_CASE_NEWLY_FAILING, &passes, &fails},
				   {RG_CASE_FIXED, &fails, &passes},
				   {RG_CASE_NEW, NULL, &skipped},
				   {RG_CASE_GONE, &skipped, NULL}};
static rg_case_change undelegated[] = {{RG_CASE_OTHER, &passes, &passes}};
static rg_case_snr snrs[] = {{&passes, &passes, "Output 0 SNR", INFINITY, 80, INFINITY},
			     {&passes, &passes, "Output 1 SNR", 60, 50.5, 9.5},
			     {&passes, &passes, "Output 2 SNR", 60, 59, 1}};
static rg_case_group flows[] = {{.name = "", .detail = "", .old = {0, 0, 1}, .fresh = {0, 0, 1}},
				{.name = "xnn|pack",
				 .detail = "",
				 .old = {3, 1, 0},
				 .fresh = {1, 3, 0},
				 .outputs = 4,
				 .lower = 3,
				 .from_infinite = 1,
				 .worst = &snrs[0]}};
static rg_case_group failures[] = {{.name = "xnn|pack", .detail = "Output <b>", .changes = {3, 1}}};

static const rg_case_comparison sample = {.changes = changes,
					  .count = 6,
					  .counts = {3, 1, 0, 1, 1, 0},
					  .undelegated = undelegated,
					  .undelegated_count = 1,
					  .snrs = snrs,
					  .snr_count = 3,
					  .old = {3, 1, 1},
					  .fresh = {1, 3, 1},
					  .flows = flows,
					  .flow_count = 2,
					  .failures = failures,
					  .failure_count = 1};

/* Renders, and wants a part of it to be there so many times. */
static void assert_part(rg_error *err, rg_buf *out, const char *part, size_t times)
{
	const char *at = out->data;
	size_t count = 0;

	assert_success(err);
	for (; (at = strstr(at, part)) != NULL; at++)
		count++;
	if (count != times)
		fail_msg("'%s' stands %zu times in: %s", part, count, out->data);
	rg_buf_clear(out);
}

static rg_error *render_cases(rg_buf *out, const rg_case_comparison *c, rg_format_report_kind kind,
			      size_t cap)
{
	rg_error *err;
	cJSON *view = rg_cases_view(c);

	RG_TRY(rg_summary_view_finish(view));
	err = rg_format_render(out, "cases", view, kind, cap, NULL);
	cJSON_Delete(view);
	return err;
}

static rg_error *render_opdiff(rg_buf *out, const rg_opdiff_comparison *c, const char *title,
			       rg_format_report_kind kind, size_t cap)
{
	rg_error *err;
	cJSON *view = rg_opdiff_view(c, title);

	RG_TRY(rg_summary_view_finish(view));
	err = rg_format_render(out, "opdiff", view, kind, cap, NULL);
	cJSON_Delete(view);
	return err;
}

static rg_error *cases(rg_buf *out, rg_format_report_kind kind, size_t cap)
{
	return render_cases(out, &sample, kind, cap);
}

TEST(cases_on_a_terminal)
{
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_success(cases(&out, RG_FORMAT_REPORT_TERMINAL, 2));
	assert_string_equal(
		out.data,
		"Backend tests: 3 newly failing, 1 no longer delegated, 1 fixed, 0 still failing, "
		"1 new, 1 gone\n"
		"Pass rate: 75.0 % (3 of 4) before, 25.0 % (1 of 4) now\n"
		"\n"
		"Newly failing (3):\n"
		"  xnn|pack  add/1  Pass -> Fail: Output <b>: a <i> …\n"
		"  xnn|pack  add/1  Pass -> Fail: Output <b>: a <i> …\n"
		"  … and 1 more\n"
		"\n"
		"No longer delegated (1):\n"
		"  xnn|pack  add/1  Pass, delegated -> Pass, not delegated\n"
		"\n"
		"Fixed (1):\n"
		"  xnn|pack  add/1  Fail: Output <b> -> Pass\n"
		"\n"
		"New (1):\n"
		"  -  \\x1b[31m`x`  - -> Skip\n"
		"\n"
		"Gone (1):\n"
		"  -  \\x1b[31m`x`  Skip -> -\n"
		"\n"
		"Accuracy by flow (3 outputs with a lower SNR):\n"
		"  xnn|pack: 3 of 4 outputs, 1 of them from inf, largest drop inf → 80.00 dB\n"
		"  xnn|pack  add/1  Output 0: inf -> 80.00 dB\n"
		"  xnn|pack  add/1  Output 1: 60.00 -> 50.50 dB\n"
		"  … and 1 more\n"
		"\n");
}

TEST(cases_as_markdown_and_html)
{
	const rg_format_report_kind markdown = RG_FORMAT_REPORT_MARKDOWN;
	const rg_format_report_kind html = RG_FORMAT_REPORT_HTML;

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_part(cases(&out, markdown, 9), &out,
		    "| xnn\\|pack | `add/1` | Pass | Fail: Output \\<b\\> | a \\<i\\> … |\n", 3);
	assert_part(cases(&out, markdown, 9), &out, "| xnn\\|pack | 4 | 3 | 1 | inf → 80.00 |\n",
		    1);
	assert_part(cases(&out, markdown, 9), &out,
		    "| xnn\\|pack | `add/1` | Output 1 | 60.00 | 50.50 | 9.50 |\n", 1);
	assert_part(cases(&out, markdown, 9), &out, "<code>\\\\x1b\\[31m\\`x\\`</code>", 2);
	assert_part(cases(&out, markdown, 9), &out, " more.\n", 0);
	/* Failing cases, and SNRs. */
	assert_part(cases(&out, markdown, 1), &out, "\n2 more.\n", 2);
	/* Of two flows the second. */
	assert_part(cases(&out, markdown, 1), &out, "\n1 more.\n", 1);
	assert_part(cases(&out, markdown, 9), &out,
		    "| xnn\\|pack | Output \\<b\\> | 3 | 0 | 1 | 0 | 0 |\n", 1);
	assert_part(cases(&out, markdown, 9), &out,
		    "| xnn\\|pack | 3/4 | 75.0 % | 1/4 | 25.0 % | 0 |\n", 1);
	assert_part(cases(&out, markdown, 9), &out, "| - | 0/0 | - | 0/0 | - | 1 |\n", 1);
	/* Nothing is said of parameters that no case has. */
	assert_part(cases(&out, markdown, 9), &out, "by parameters", 0);
	assert_part(cases(&out, html, 9), &out, "<code>\\x1b[31m`x`</code>", 2);
	assert_part(cases(&out, html, 9), &out, "Output &lt;b&gt;", 5);
	assert_part(cases(&out, html, 9), &out, "<b>", 0);
	/* The error whole, behind its first line. */
	assert_part(cases(&out, html, 9), &out,
		    "<details><summary>a &lt;i&gt; …</summary><pre>\n  a "
		    "&lt;i&gt;\nb\n</pre></details>",
		    3);
	assert_part(cases(&out, html, 1), &out, "2 more.", 2);
}

/* A name is shown to its end, however long it is. */
TEST(long_names_are_whole)
{
	char id[1001];
	rg_case c = {.flow = "f",
		     .test_id = id,
		     .subtest = "end",
		     .detail = "",
		     .error = "",
		     .result = RG_CASE_FAIL};
	rg_case_change change = {RG_CASE_NEW, NULL, &c};
	const rg_case_comparison one = {.changes = &change,
					.count = 1,
					.counts = {[RG_CASE_NEW] = 1},
					.old = {.passed = 1}};

	memset(id, 'x', sizeof(id) - 1);
	id[sizeof(id) - 1] = '\0';
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_part(render_cases(&out, &one, RG_FORMAT_REPORT_TERMINAL, 9), &out,
		    "xxx/end  - -> Fail\n", 1);
}

static double ratios[] = {0.5, 1, 4};
static const rg_opdiff_values timed = {.count = 3,
				       .geometric_mean = 1.26,
				       .median = 1,
				       .p90 = 3.4,
				       .faster = 100 / 3.0,
				       .quantiles = {0.5, 0.5, 1, 4, 4},
				       .sorted = ratios};
static const rg_opdiff_values untimed = {.geometric_mean = NAN,
					 .median = NAN,
					 .p90 = NAN,
					 .p99 = NAN,
					 .max = NAN,
					 .faster = NAN,
					 .quantiles = {NAN, NAN, NAN, NAN, NAN}};

static rg_opdiff_comparison two_backends(rg_opdiff_column columns[2])
{
	static rg_opdiff_change worse[] = {
		{"aten::<add>|x", "xnn|pack", RG_OPDIFF_OK, RG_OPDIFF_EXPORT_FAIL, "", "E: no\n"},
		{"aten::mul", "xnn|pack", RG_OPDIFF_ERROR, RG_OPDIFF_OK, "E: once", ""}};

	columns[0] = (rg_opdiff_column){
		.backend = "a",
		.operators = 4,
		.ok = 75,
		.statuses = {[RG_OPDIFF_OK] = {3, 75}, [RG_OPDIFF_ERROR] = {1, 25}},
		.targets = 3,
		.figures = {{.name = "max_abs"},
			    {"mse", {{2, 200 / 3.0}, {1, 100 / 3.0}}},
			    {.name = "mean_abs"}},
		.figure_count = RG_OPDIFF_FIGURES,
		.max_abs = untimed,
		.to_baseline = timed};
	columns[1] = (rg_opdiff_column){.new_side = true,
					.backend = "xnn|pack",
					.targets = 7,
					.codes = {[RG_OPDIFF_NAN_OUTPUT] = {7, 100}},
					.figures = {{.name = "max_abs"}},
					.figure_count = RG_OPDIFF_FIGURES,
					.max_abs = untimed,
					.to_baseline = untimed};
	return (rg_opdiff_comparison){.columns = columns,
				      .column_count = 2,
				      .changes = worse,
				      .change_count = 2,
				      .worse = 1,
				      .better = 1,
				      .old_only = 5,
				      .new_only = 6,
				      .new_baseline = {"a", 0},
				      .new_to_old = untimed};
}

TEST(opdiff_on_a_terminal)
{
	rg_opdiff_column columns[2];
	const rg_opdiff_comparison c = two_backends(columns);

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_success(render_opdiff(&out, &c, "a\nb", RG_FORMAT_REPORT_TERMINAL, 1));
	assert_string_equal(
		out.data,
		"opdiff, a\\x0ab: 1 worse, 1 better; results only before: 5, only now: 6\n"
		"  aten::<add>|x  xnn|pack  OK -> EXPORT_FAIL (E: no\\x0a)\n"
		"  … and 1 more\n"
		"\n"
		"side  backend   OK %  OK  SKIPPED  EXPORT_FAIL  INFER_FAIL  TIMING_FAIL  "
		"TIMED_ERROR  ERROR\n"
		"old   a           75   3        0            0           0            0           "
		" "
		"0      1\n"
		"new   xnn|pack     0   0        0            0           0            0           "
		" "
		"0      0\n"
		"\n"
		"max_abs, and the percentage of operators with each:\n"
		"side  backend   n  median  P90  P99  max  ==0  (0,1e-6]  (1e-6,1e-4]  (1e-4,1e-2] "
		" "
		"(1e-2,1e-1]  (1e-1,1]  >1  DIFF_ERR  MISSING\n"
		"old   a         0                           0         0            0            0 "
		" "
		"          0         0   0         0        0\n"
		"new   xnn|pack  0                           0         0            0            0 "
		" "
		"          0         0   0         0        0\n"
		"\n"
		"times as a ratio to those of new a:\n"
		"side  backend   n  geometric mean  median  P90  faster %\n"
		"old   a         3            1.26       1  3.4      33.3\n"
		"new   xnn|pack  0                                       \n"
		"\n");
}

TEST(opdiff_as_markdown_and_html)
{
	rg_opdiff_column columns[2];
	rg_opdiff_comparison c = two_backends(columns);

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_part(render_opdiff(&out, &c, "t", RG_FORMAT_REPORT_MARKDOWN, 9), &out,
		    "xnn\\|pack | OK | EXPORT_FAIL: <code>E: no\\\\n</code> |", 1);
	assert_part(render_opdiff(&out, &c, "t", RG_FORMAT_REPORT_HTML, 9), &out,
		    "<td>OK</td><td>EXPORT_FAIL: <code>E: no", 1);
	assert_part(render_opdiff(&out, &c, "<t>", RG_FORMAT_REPORT_HTML, 9), &out, "<t>", 0);
	/* Shares of a line are of its own sum, in twentieths: 3 of 4, 1 of 4; 2 of 3. */
	assert_part(render_opdiff(&out, &c, "t", RG_FORMAT_REPORT_HTML, 9), &out, "share-15\">3<",
		    1);
	assert_part(render_opdiff(&out, &c, "t", RG_FORMAT_REPORT_HTML, 9), &out,
		    "share-13\">2 (66.7 %)<", 1);
	assert_part(render_opdiff(&out, &c, "t", RG_FORMAT_REPORT_HTML, 9), &out, ">7</td>", 1);
	/* Only what was timed is drawn. */
	assert_part(render_opdiff(&out, &c, "t", RG_FORMAT_REPORT_HTML, 9), &out,
		    "data-values=", 1);
	c.new_to_old = timed;
	assert_part(render_opdiff(&out, &c, "t", RG_FORMAT_REPORT_HTML, 9), &out,
		    "data-values=", 2);
	columns[0].to_baseline = untimed;
	c.new_to_old = untimed;
	assert_part(render_opdiff(&out, &c, "t", RG_FORMAT_REPORT_HTML, 9), &out,
		    "data-values=", 0);
}

/* Ever so many ratios make a line of 401 points at most. */
TEST(distributions_are_thinned_out)
{
	enum { MANY = 100000 };
	double *many = malloc(MANY * sizeof(*many));
	rg_opdiff_column column = {.backend = "a", .to_baseline = timed};
	const rg_opdiff_comparison c = {
		.columns = &column, .column_count = 1, .new_to_old = untimed};
	size_t i;

	assert_non_null(many);
	for (i = 0; i < MANY; i++)
		many[i] = 0.01 + (double)i / 1000;
	column.to_baseline.sorted = many;
	column.to_baseline.count = MANY;
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_success(render_opdiff(&out, &c, "t", RG_FORMAT_REPORT_HTML, 9));
	assert_in_range(out.length, 4000, 40000);
	free(many);
}
