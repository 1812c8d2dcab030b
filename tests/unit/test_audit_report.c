/* SPDX-License-Identifier: Apache-2.0 */
/* An audit written down as CSV and markdown, and its values exported. */
#include "unit.h"

#include "unit/template_scopes.h"

#include "base/templates.h"
#include "report/audit_report.h"
#include "report/markdown.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rg_audit_run runs[] = {
	{"11", "", "", "abc"}, {"12", "", "", "abc"}, {"`1|3`", "", "", ""}};
static const rg_audit_options plain = {.error_rate = 0.05};

/* A series with a break, and one whose runs agree and that has no steps in common. */
static rg_audit_break breaks[] = {
	{.at = 1, .before = 4, .after = 5, .p = 0.5, .adjusted = 0.75},
	{.at = 2, .before = 8, .after = 9, .p = 0.001, .adjusted = 0.002, .shift = -0.5}};
static rg_audit_series series[] = {
	{.file = "a/x,1.json",
	 .metric = "lm \"loss\"",
	 .runs = 9,
	 .missing = 1,
	 .all = {.other_steps = 2,
		 .nonfinite = 3,
		 .centre_count = 50,
		 .tolerance = {.relative = 0.5, .absolute = 1, .runs = 9}},
	 .noise = {.runs = 5,
		   .tolerance = {.relative = 0.05, .absolute = 1e-6, .runs = 5},
		   .measured = 4,
		   .patterns = 4,
		   .spread = {0.125, 0.25, 0.5, 1, 0.03125, 0.0625, -0.5, 0.75, -7, 1.5}},
	 .breaks = breaks,
	 .break_count = 2,
	 .failed_today = 6,
	 .failed_recommended = 7},
	{.file = "a/x,1.json",
	 .metric = "=1+1\n",
	 .runs = 3,
	 .noise = {.runs = 3,
		   .tolerance = {.relative = 0.001, .absolute = 1e-6, .runs = 1},
		   .patterns = 1,
		   .deterministic = true,
		   .spread = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, 0, NAN}}},
};
static const size_t all_runs[] = {0, 1, 2};
static rg_audit_group groups[] = {{.name = "all", .runs = all_runs, .run_count = 3}};

static rg_error *markdown(rg_buf *out, const rg_audit *audit, const char *template_text)
{
	cJSON *story;
	rg_error *err = rg_audit_story(&story, audit, NULL);
	if (!err)
		err = rg_audit_markdown(out, story, template_text, RG_MARKDOWN_MAX - 1,
					RG_AUDIT_MARKDOWN_ITEMS);
	cJSON_Delete(story);
	return err;
}

TEST(csv_has_a_line_for_each_series)
{
	rg_audit_file both[] = {{.path = "a/x,1.json", .series = series, .series_count = 2},
				{.path = "b"}};
	const rg_audit audit = {.runs = runs,
				.run_count = 3,
				.groups = groups,
				.group_count = 1,
				.files = both,
				.file_count = 2};
	rg_buf out;

	rg_buf_init(&out, RG_BUF_TEXT);
	assert_success(rg_audit_csv(&out, &audit));
	assert_string_equal(
		out.data,
		"group,file,metric,runs,runs_without_it,runs_with_other_steps,runs_not_finite,"
		"steps,"
		"break_at,break_p,break_p_adjusted,regime_runs,patterns,deterministic,may_still_"
		"differ,"
		"spread_min,spread_median,spread_p95,spread_max,mad,std,avg_rel_diff_low,"
		"avg_rel_diff_high,widest_step,widest,relative_tolerance,absolute_tolerance,"
		"runs_failed_today,runs_failed_recommended,smallest_break\r\n"
		"all,\"a/x,1.json\",\"lm \"\"loss\"\"\",9,1,2,3,50,`1|3`,0.001,0.002,5,4,false,,"
		"0.125,0.25,0.5,1.0,0.03125,0.0625,-0.5,0.75,-7,1.5,0.05,1e-06,6,7,\r\n"
		"all,\"a/x,1.json\",\"=1+1\n\",3,0,0,0,0,,,,3,1,true,0.7763932022500211,"
		",,,,,,,,,,,,0,,\r\n");
	rg_buf_release(&out);
	/* It says when it does not fit. */
	rg_buf_init(&out, 100);
	assert_fails_with(rg_audit_csv(&out, &audit), RG_E_LIMIT);
	rg_buf_release(&out);
}

/* One golden a run: its metrics, with steps of its own or without any. */
typedef struct {
	const rg_metric *metrics;
	size_t count;
	rg_error_code failure; /* of run 2's golden "b"; 0: none */
} exported;

static rg_error *read_exported(void *context, size_t run, size_t file, rg_buf *bytes,
			       rg_golden **out)
{
	const exported *e = context;

	assert_int_equal(bytes->length, 0);
	if (file == 1 && run == 2 && e->failure)
		return rg_error_new(e->failure, "said the source");
	if (file == 1)
		return NULL; /* that run has none */
	rg_buf_str(bytes, "something");
	*out = calloc(1, sizeof(**out));
	assert_non_null(*out);
	rg_arena_init(&(*out)->arena);
	(*out)->metrics = (rg_metric *)(uintptr_t)e->metrics;
	(*out)->count = run == 1 ? 0 : e->count;
	return NULL;
}

/* What is written; fails when `room` is too little. */
static rg_error *collect(void *context, const void *bytes, size_t length)
{
	rg_buf *text = context;

	rg_buf_add(text, bytes, length);
	return rg_buf_check(text, "export");
}

static const char *const files[] = {"a,b.json", "b"};

static rg_audit_source source_for(exported *e)
{
	return (rg_audit_source){.runs = runs,
				 .run_count = 3,
				 .files = files,
				 .file_count = 2,
				 .read = read_exported,
				 .context = e};
}

TEST(export_has_a_line_for_each_value)
{
	static const int64_t steps[] = {-5, INT64_MAX};
	static const double values[] = {0.1, NAN, -INFINITY};
	static const rg_metric metrics[] = {
		{.name = "m \"x\"",
		 .kind = RG_METRIC_SERIES,
		 .count = 2,
		 .steps = steps,
		 .values = values},
		{.name = "text",
		 .kind = RG_METRIC_TEXT,
		 .count = 2,
		 .values = values,
		 .text = "no"},
		{.name = "n", .kind = RG_METRIC_SERIES, .count = 3, .values = values}};
	exported e = {metrics, 3, RG_E_PARSE};
	const rg_audit_source source = source_for(&e);

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
#define VALUES(run)                                                         \
	run ",\"a,b.json\",\"m \"\"x\"\"\",-5,0.1\r\n" run                  \
	    ",\"a,b.json\",\"m \"\"x\"\"\",9223372036854775807,nan\r\n" run \
	    ",\"a,b.json\",n,0,0.1\r\n" run ",\"a,b.json\",n,1,nan\r\n" run \
	    ",\"a,b.json\",n,2,-inf\r\n"
	assert_success(rg_audit_export(&source, collect, &out));
	assert_string_equal(out.data,
			    "run,file,metric,step,value\r\n" VALUES("11") VALUES("`1|3`"));
}

TEST(export_ends_with_the_first_failure)
{
	exported e = {NULL, 0, RG_E_CANCELLED};
	const rg_audit_source source = source_for(&e);
	rg_buf out;

	rg_buf_init(&out, RG_BUF_TEXT);
	assert_error(rg_audit_export(&source, collect, &out), RG_E_CANCELLED, "said the source");
	rg_buf_release(&out);
	e.failure = 0;
	rg_buf_init(&out, 3);
	assert_fails_with(rg_audit_export(&source, collect, &out), RG_E_LIMIT);
	rg_buf_release(&out);
}

/* More values than one reading and one writing take. */
TEST(export_streams_long_series)
{
	enum { MANY = 10000 };
	double *values = malloc(MANY * sizeof(*values));
	const rg_metric metric = {
		.name = "m", .kind = RG_METRIC_SERIES, .count = MANY, .values = values};
	exported e = {&metric, 1, 0};
	const rg_audit_source source = source_for(&e);
	size_t i, lines = 0;

	assert_non_null(values);
	RG_AUTO(rg_buf) out = rg_buf_of(1 << 24);
	RG_AUTO(rg_buf) wanted = rg_buf_of(1 << 24);
	rg_buf_str(&wanted, "run,file,metric,step,value\r\n");
	for (i = 0; i < MANY; i++)
		values[i] = (double)i;
	for (; lines < 2 * (size_t)MANY; lines++)
		rg_buf_printf(&wanted, "%s,\"a,b.json\",m,%zu,%zu.0\r\n",
			      lines < MANY ? "11" : "`1|3`", lines % MANY, lines % MANY);
	assert_success(rg_audit_export(&source, collect, &out));
	assert_int_equal(out.length, wanted.length);
	assert_memory_equal(out.data, wanted.data, out.length);
	free(values);
}

static rg_audit_odd_run bad_runs[] = {{.run = 2, .series = 3, .of = 4, .files = 1}};
static rg_audit_unreadable unreadable[] = {{.run = 0, .path = "b", .why = "b: <not> JSON\n"}};
static rg_audit_summary summaries[] = {
	{.metric = "lm|loss",
	 .files = 2,
	 .runs = 9,
	 .deterministic = 1,
	 .spread = {0, 0.25, 0.5, 1, 0, 0, -0.5, NAN, 0, 0},
	 .tolerance = {.relative = 0.05, .absolute = 1e-6, .runs = 5},
	 .broken = 1},
	{.metric = "time",
	 .files = 1,
	 .runs = 9,
	 .spread = {0, 1e-9, 1e-9, 1e9, 0, 0, 0, 0, 0, 0},
	 .tolerance = {
		 .kind = RG_TOLERANCE_BY_MEDIAN, .relative = 0.25, .absolute = 0.5, .runs = 1}}};
static rg_audit_summary overall = {
	.files = 3, .runs = 8, .deterministic = 1, .spread = {0, 0.125, 0.5, 2, 0, 0, -1, 1, 0, 0}};
static rg_audit_case cases[] = {
	{.name = "xnn/a",
	 .detail = "",
	 .passed = 2,
	 .failed = 1,
	 .flaky = RG_FLAKY_ON_COMMIT,
	 .fail_run = 1,
	 .failing_since = SIZE_MAX},
	{.name = "xnn/b",
	 .detail = "",
	 .passed = 1,
	 .failed = 1,
	 .flaky = RG_FLAKY_ALTERNATES,
	 .failing_since = SIZE_MAX},
	{.name = "xnn/c", .detail = "Output *Mismatch*", .failed = 3, .failing_since = 1},
};

static rg_audit_series tight = {
	.file = "tight", .metric = "m", .noise = {.tolerance = {.runs = 5}}};

/* All that an audit can say, once. */
static rg_audit whole(rg_audit_file file[3])
{
	file[0] = (rg_audit_file){.path = "a/x,1.json",
				  .runs = 3,
				  .series = series,
				  .series_count = 2,
				  .failed_today = 2,
				  .failed_recommended = 1};
	file[1] = (rg_audit_file){.path = "fine", .runs = 3};
	file[2] = (rg_audit_file){.path = "tight",
				  .runs = 3,
				  .series = &tight,
				  .series_count = 1,
				  .failed_recommended = 1};
	return (rg_audit){.runs = runs,
			  .run_count = 3,
			  .groups = groups,
			  .group_count = 1,
			  .files = file,
			  .file_count = 3,
			  .odd_runs = bad_runs,
			  .odd_count = 1,
			  .unreadable = unreadable,
			  .unreadable_count = 1,
			  .metrics = summaries,
			  .metric_count = 2,
			  .overall = &overall,
			  .cases = cases,
			  .case_count = 3,
			  .case_total = 7,
			  .tested = 2,
			  .broken = 1,
			  .options = plain};
}

/* A template that names the facts; the built-in words are the command tests' matter. */
static const char words[] =
	"{{metadata.num_runs}} {{metadata.num_goldens}} {{metadata.num_series}}"
	" {{breaks_found.broken}}/{{breaks_found.tested}} {{breaks_found.error_rate|percent}}\n"
	"{{#reasons}}{{^.first}}, {{/.first}}{{n}} {{kind}}{{n|plural:,s}}{{/reasons}}\n"
	"{{#findings}}{{kind}}|{{run}}|{{commit}}|{{metric}}{{test_case}}|{{golden}}|{{n}}|{{of}}|"
	"{{in_files}}|{{before}}|{{after}}|{{p}}|{{failed_today}}|{{failed_recommended}}|{{passed}}"
	"|{{failed}}|{{other_run}}|{{why}}\n{{/findings}}"
	"{{#metrics}}{{metric}} {{group}} {{files}} {{runs}} {{deterministic_series}} "
	"{{spread.median}} {{spread.p95}} {{spread.max}} {{spread.avg_rel_diff_low}} "
	"{{spread.avg_rel_diff_high}} {{tolerance.relative_tolerance}} "
	"{{tolerance.absolute_tolerance}} {{tolerance.by}}\n{{/metrics}}"
	"{{#overall}}overall {{files}} {{runs}} {{deterministic_series}} {{spread.median}} "
	"{{spread.p95}} {{spread.max}} {{spread.avg_rel_diff_low}} {{spread.avg_rel_diff_high}}\n"
	"{{/overall}}"
	"{{#series}}series {{number}} {{file}} {{metric}} {{regime_runs}} {{patterns}} "
	"{{spread.median}} {{spread.max}} {{spread.widest_step}}\n{{/series}}"
	"{{#goldens}}golden {{file}} {{runs}} {{runs_failed_today}} {{runs_failed_recommended}}\n"
	"{{/goldens}}"
	"{{#cases}}cases {{failed_count}} {{total}}{{#failures}} {{case}}:{{flaky}}{{/failures}}\n"
	"{{/cases}}";

TEST(markdown_says_all_there_is)
{
	rg_audit_file file[3];
	const rg_audit audit = whole(file);

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_success(markdown(&out, &audit, words));
	assert_string_equal(out.data,
			    "3 3 3 1/2 5 %\n"
			    "1 unreadable golden, 1 failing test case, 1 bad run, 2 breaks, 2 "
			    "flaky test cases, 2 failing goldens\n"
			    "unreadable golden|11|||b||||||||||||b: \\<not\\> JSON\\\\n\n"
			    "failing test case|12||xnn/c|||||||||||3||Output \\*Mismatch\\*\n"
			    "bad run|\\`1\\|3\\`||||3|4|1|||||||||\n"
			    "break|\\`1\\|3\\`||lm \"loss\"|a/x,1.json|1|||8|9|0.002||||||\n"
			    "break|12|abc|lm \"loss\"|a/x,1.json|1|||4|5|0.75||||||\n"
			    "flaky test case|11|abc|xnn/a||||||||||2|1|12|\n"
			    "flaky test case|||xnn/b||||||||||1|1||\n"
			    "failing golden||||a/x,1.json|||||||2|1||||\n"
			    "lm\\|loss all 2 9 1 0.25 0.5 1 -0.5  0.05 1e-06 step\n"
			    "time all 1 9 0 1e-09 1e-09 1000000000 0 0   median\n"
			    "overall 3 8 1 0.125 0.5 2 -1 1\n"
			    "series 1 a/x,1.json lm \"loss\" 5 4 0.25 1 -7\n"
			    "series 2 a/x,1.json =1+1\\\\n 3 1   \n"
			    "series 3 tight m 0 0 0 0 0\n"
			    "golden a/x,1.json 3 2 1\n"
			    "golden tight 3 0 1\n"
			    "golden fine 3 0 \n"
			    "cases 3 7 xnn/a:on one commit xnn/b:by turns xnn/c:\n");
	/* The built-in template is found, and names all of it. */
	rg_buf_clear(&out);
	assert_success(markdown(&out, &audit, NULL));
	assert_memory_equal(out.data, "### Audit\n", 10);
	assert_non_null(strstr(out.data, "`xnn/c`"));
	assert_non_null(strstr(out.data, "b: \\<not\\> JSON\\\\n"));
}

/* What every item has, though the scopes around it have one of that name. */
static bool may_lack(const cJSON *item, const char *field)
{
	static const char *const always[] = {"runs", "series", "files",  "groups",
					     "n",    "p",      "held_to"};
	size_t i;

	(void)item;
	for (i = 0; i < sizeof(always) / sizeof(*always); i++)
		if (!strcmp(field, always[i]))
			return false;
	return true;
}

/* What an item lacks is not taken from what is said of the whole audit. */
TEST(items_do_not_borrow)
{
	static const char *const templates[] = {"audit.md", "audit.txt", "audit.html"};
	static const rg_audit_common_break common[] = {{.run = 1, .series = 2, .of = 3, .p = 0.5}};
	rg_audit_file file[3];
	rg_audit audit = whole(file);
	size_t i;

	audit.common_breaks = (rg_audit_common_break *)(uintptr_t)common;
	audit.common_count = 1;
	breaks[0].last = 2;
	for (i = 0; i < 3; i++) {
		const rg_column_context columns = {.root = "", .target = "{stage}/{test}/{file}"};
		scope_walk walk;
		cJSON *view;

		assert_success(rg_audit_story(&view, &audit, i == 2 ? &columns : NULL));
		assert_true(walk_scopes(&walk, templates[i], rg_template_text(templates[i]), view,
					may_lack) > 50);
		assert_string_equal(walk.fault, "");
		cJSON_Delete(view);
	}
	breaks[0].last = 0;
}

TEST(markdown_takes_a_template)
{
	rg_audit_file file[3];
	rg_audit audit = whole(file);

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	rg_buf_str(&out, "before ");
	assert_success(markdown(&out, &audit,
				"{{runs.count}} {{#runs}}{{^when}}{{#code}}{{id|name}}{{/code}}"
				"{{/when}}{{/runs}}{{no}}"));
	assert_string_equal(out.data, "before 3 `11``12`<code>\\`1\\|3\\`</code>");
	assert_fails_with(markdown(&out, &audit, "{{#runs}}"), RG_E_USAGE);
	rg_buf_clear(&out);
	/* Of nothing there is little to say. */
	audit = (rg_audit){.options = plain};
	assert_success(markdown(&out, &audit,
				"{{runs.count}}{{goldens.count}}{{#findings}}x{{/findings}}"
				"{{#reasons}}x{{/reasons}}{{#cases}}x{{/cases}}{{#series}}x"
				"{{/series}}{{#metrics}}x{{/metrics}}{{#page}}x{{/page}}"));
	assert_string_equal(out.data, "00");
}

/* The same file and metric in two groups are told apart. */
TEST(markdown_names_the_group_of_each)
{
	rg_audit_group two[] = {{.name = "main", .runs = all_runs, .run_count = 2},
				{.name = "other", .runs = all_runs, .run_count = 1}};
	rg_audit_series one[2] = {{.file = "f", .metric = "m", .group = 0, .missing = 1},
				  {.file = "f", .metric = "m", .group = 1, .missing = 2}};
	rg_audit_file file[2] = {{.path = "f",
				  .group = 0,
				  .runs = 2,
				  .series = &one[0],
				  .series_count = 1,
				  .failed_today = 1},
				 {.path = "f",
				  .group = 1,
				  .runs = 1,
				  .series = &one[1],
				  .series_count = 1,
				  .failed_today = 1}};
	rg_audit_summary all[2] = {{.group = 0}, {.group = 1}};
	const rg_audit audit = {.runs = runs,
				.run_count = 3,
				.groups = two,
				.group_count = 2,
				.files = file,
				.file_count = 2,
				.overall = all,
				.options = plain};

	one[0].noise.spread.max = one[1].noise.spread.max = 0.5;
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_success(markdown(&out, &audit, NULL));
	assert_non_null(strstr(out.data, "| golden | group | runs |"));
	assert_non_null(strstr(out.data, "| `f` | `main` | 2 | 1 |"));
	assert_non_null(strstr(out.data, "| `f` | `other` | 1 | 1 |"));
	assert_non_null(strstr(out.data, "| `m` | `main` | `f` | 0 |"));
	assert_non_null(strstr(out.data, "| `m` | `other` | `f` | 0 |"));
	assert_non_null(strstr(out.data, "| `f` in `main` and 1 more |"));
}

/* Fewer than five runs with a value since the break recommend nothing. */
TEST(markdown_has_no_unmeasured_tolerance)
{
	rg_audit_summary one = summaries[0];
	rg_audit_file file[3];
	rg_audit audit = whole(file);

	one.tolerance.runs = 4;
	audit.metrics = &one;
	audit.metric_count = 1;
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_success(markdown(&out, &audit,
				"{{#metrics}}{{tolerance.relative_tolerance}};{{/metrics}}"));
	assert_string_equal(out.data, ";");
}

/* Series of one interest in the order of their spread. */
TEST(the_widest_series_come_first)
{
	static const double spreads[] = {0.5, 0, 2, 0.5, NAN, INFINITY};
	static const char *const metrics[] = {"z", "none", "two", "a", "nan", "inf"};
	rg_audit_series list[6] = {{0}};
	rg_audit_file file = {.path = "f", .series = list, .series_count = 6};
	const rg_audit audit = {.runs = runs,
				.run_count = 3,
				.groups = groups,
				.group_count = 1,
				.overall = &overall,
				.files = &file,
				.file_count = 1,
				.options = plain};
	size_t i;

	for (i = 0; i < 6; i++) {
		list[i].file = "f";
		list[i].metric = metrics[i];
		list[i].noise.spread.max = spreads[i];
	}
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_success(markdown(&out, &audit, "{{#series}}{{metric}} {{/series}}"));
	assert_string_equal(out.data, "inf two a z none nan ");
}

/* How often a text stands in another. */
static size_t count_of(const char *text, const char *part)
{
	size_t count = 0;

	for (; (text = strstr(text, part)) != NULL; text++)
		count++;
	return count;
}

/* With '--by commit' there may be a group for each of hundreds of runs. */
TEST(markdown_of_many_groups_is_cut)
{
	enum { MANY = 1000 };
	rg_audit_group *many = calloc(MANY, sizeof(*many));
	rg_audit_summary *all = calloc(MANY, sizeof(*all));
	rg_audit audit = {.runs = runs,
			  .run_count = 3,
			  .groups = many,
			  .group_count = MANY,
			  .overall = all,
			  .options = plain};
	char more[64];

	assert_non_null(many);
	assert_non_null(all);
	for (size_t i = 0; i < MANY; i++)
		many[i] = (rg_audit_group){.name = "abc", .runs = all_runs, .run_count = 2};
	RG_AUTO(rg_buf) out = rg_buf_of((size_t)1 << 24);
	assert_success(markdown(&out, &audit, NULL));
	assert_true(out.length < 65536);
	assert_int_equal(count_of(out.data, "| all metrics |"), 100);
	snprintf(more, sizeof(more), "\n%d more groups.\n", MANY - 100);
	assert_non_null(strstr(out.data, more));
	/* All of them where they fit. */
	audit.group_count = 100;
	rg_buf_clear(&out);
	assert_success(markdown(&out, &audit, NULL));
	assert_int_equal(count_of(out.data, "| all metrics |"), 100);
	assert_null(strstr(out.data, "more groups"));
	free(all);
	free(many);
}

/* GitHub takes 65,535 characters: of each list so many fewer, and it says how many. */
TEST(markdown_is_cut_until_it_fits)
{
	enum { MANY = 1000 };
	rg_audit_odd_run *bad = calloc(MANY, sizeof(*bad));
	rg_audit_unreadable *unread = calloc(MANY, sizeof(*unread));
	rg_audit_break *broken = calloc(MANY, sizeof(*broken));
	rg_audit_run *many = calloc(MANY, sizeof(*many));
	rg_audit_series one = {.file = "f", .metric = "m", .breaks = broken, .break_count = MANY};
	rg_audit_file file = {.path = "f", .series = &one, .series_count = 1};
	const rg_audit audit = {.runs = many,
				.run_count = MANY,
				.groups = groups,
				.group_count = 1,
				.overall = &overall,
				.files = &file,
				.file_count = 1,
				.odd_runs = bad,
				.odd_count = MANY,
				.unreadable = unread,
				.unreadable_count = MANY,
				.options = plain};
	static char why[1200];
	char more[32];
	size_t i, shown;

	assert_true(bad && unread && broken && many);
	memset(why, 'x', sizeof(why) - 1);
	for (i = 0; i < MANY; i++) {
		unread[i] = (rg_audit_unreadable){.path = "f", .why = why};
		many[i] = (rg_audit_run){"r", "", "", ""};
		broken[i].at = i;
	}
	RG_AUTO(rg_buf) out = rg_buf_of(1 << 24);
	rg_buf_str(&out, "before\n");
	assert_success(markdown(&out, &audit, NULL));
	assert_memory_equal(out.data, "before\n### Audit", 16);
	assert_true(out.length - strlen("before\n") < RG_MARKDOWN_MAX);
	shown = count_of(out.data, "\n| unreadable golden |");
	assert_true(shown > 20);
	snprintf(more, sizeof(more), "\n%zu more.\n", 3 * MANY - shown);
	assert_non_null(strstr(out.data, more));
	free(many);
	free(broken);
	free(unread);
	free(bad);
}
