/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "compare/align.h"
#include "compare/compare.h"
#include "golden/text_names.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Lives as long as the test. */
static rg_arena arena;

static rg_golden *read_as(const char *text, const rg_text_rule *rule)
{
	const rg_input in = {.name = "results.dat", .data = text, .size = strlen(text)};
	const rg_golden_options options = {
		.run_index = -1, .text_rules = rule, .text_rule_count = rule ? 1 : 0};
	rg_golden *golden;

	assert_success(rg_golden_read(&golden, &in, &options));
	return golden;
}

/* "name=1,2 other=3": all metrics by name. */
static void assert_metrics(const char *text, const char *expected)
{
	rg_golden *golden = read_as(text, NULL);
	char found[4096] = "";
	size_t length = 0;

	for (size_t i = 0; i < golden->count; i++) {
		const rg_metric *metric = &golden->metrics[i];
		if (metric->kind != RG_METRIC_SERIES)
			continue;
		length += (size_t)snprintf(found + length, sizeof(found) - length,
					   "%s%s=", i ? "|" : "", metric->name);
		for (size_t k = 0; k < metric->count; k++)
			length += (size_t)snprintf(found + length, sizeof(found) - length,
						   "%s%.17g", k ? "," : "", metric->values[k]);
	}
	assert_string_equal(found, expected);
	rg_golden_free(golden);
}

TEST(tokens)
{
	assert_metrics("a 1. .5 1.D5 -2e-3 +7d2", "a=1|a[2]=0.5|a[3]=100000|a[4]=-0.002|a[5]=700");
	assert_metrics("a nan INF -Infinity 1e999", "a=nan|a[2]=inf|a[3]=-inf|a[4]=inf");
	assert_metrics("x 5.3x 2024-01-02 H2O v1.2 50& $3 0x10 1_000 . + e5 1e nans 4",
		       "x 5.3x 2024-01-02 H2O v1.2 50& $3 0x10 1_000 . + e5 1e nans=4");
	assert_metrics("a 0.5000-119 0.5000-19 1-119 .5+003", "a=5.0000000000000001e-120|a[2]=500");
	/* A unit is no part of a name. */
	assert_metrics("took 5.5s, 25%; held 20MB free 5 MB", "free=5|held=20|took=5.5|took[2]=25");
	assert_metrics("a 1,000", "a=1|a[2]=0");
	assert_metrics("t 12:30:45 a:1:b k: 2", "b k=2|t 12:30:45 a=1");
	assert_metrics("a\t\v\f 1\r\nb 2\r", "a=1|b=2");
}

TEST(names)
{
	assert_metrics("k-combined:\n3.01E-01 2.0E-03\n",
		       "k-combined=0.30099999999999999|k-combined[2]=0.002");
	assert_metrics("H2O.inp 1 1e-13 -17.16", "H2O.inp=1|H2O.inp[2]=1e-13|H2O.inp[3]=-17.16");
	assert_metrics(" iter = 3 energy = -1.5", "energy=-1.5|iter=3");
	assert_metrics("1 2\n3\n", "values=1,3|values[2]=2");
	assert_metrics("\xef\xbb\xbf"
		       "a 1",
		       "a=1");
	assert_metrics("E(RHF) = -1 [step] 2 (open 3", "E(RHF)=-1|open=3|step=2");
	assert_metrics("head\n-- \n1\ntally 2:\n3\n", "head=1,3|tally=2");
	assert_metrics("caf\xe9 1 # 2", "caf\xef\xbf\xbd=1|caf\xef\xbf\xbd[2]=2");
	assert_metrics("\xc2\xb1 1\n\xc2\xb5 2\n", "values=1|\xc2\xb5=2");
}

/* The words nearest to a number name it; without any on its line, what stands above does. */
TEST(nearest_words)
{
	assert_metrics("time = 0.1 L2 error = 3e-4",
		       "L2 error=0.00029999999999999997|time=0.10000000000000001");
	assert_metrics("a 1 b 2 a 3", "a=1|a[2]=3|b=2");
	assert_metrics("Step Temp TotEng\n50 1.6 -4.6\n",
		       "Step=50|Temp=1.6000000000000001|TotEng=-4.5999999999999996");
	assert_metrics(
		"# Time [s]  E (eV)\n1 2\nLoop time 9\n3 4\n",
		"# Time [s] E (eV)=3|# Time [s] E (eV)[2]=4|E (eV)=2|Loop time=9|Time [s]=1");
	assert_metrics("x y\n(m) (kg)\n1 2\n", "x=1|y=2");
	assert_metrics("t x name\n1 2 a.dat\n3 4 b.dat\n", "t=1,3|x=2,4");
	assert_metrics("# 1: Time\n# 2: File\n# 3: Cells (16)\n 0 a/b 7\n 1 \"\" 8\n",
		       "Cells (16)=7,8|Time=0,1");
	assert_metrics("@ xaxis label \"t (ps)\"\n@TYPE xy\n@ view 0.15\n@ s0 legend "
		       "\"Potential\"\n@ s1 legend \"T\"\n0 1 2\n",
		       "Potential=1|T=2|t (ps)=0");
}

TEST(elements)
{
	assert_metrics("<Real Name=\"Time\">1.5</Real>\n<n>2</n>", "Time=1.5|n=2");
	assert_metrics(
		"<Energy Name=\"Pot\">\n<Real Name=\"Time 0.5 Step 3\">-8</Real>\n</Energy>\n"
		"<Int Name=\"Count\" id=\"4\">7</Int>",
		"Count=7|Pot=-8|Step=3|Time=0.5|id=4");
}

/* Blocks of a gnuplot table are apart; lines with blanks between them are not. */
TEST(blocks)
{
	assert_metrics("# x y\n1 2\n3 4\n\n\n5 6\n7 8\nend 9\n",
		       "end=9|x=1,3|x#2=5,7|y=2,4|y#2=6,8");
	assert_metrics("# x y\n1 2\n\n3 4\n\n5 6\nend 9\n", "end=9|x=1,3,5|y=2,4,6");
}

/* A date, a time or a duration in brackets at a line's start is no number. */
TEST(stamps)
{
	static const char *const stamps[] = {"12:30:45",
					     "2024-01-02",
					     "2024-01-02 12:30:45,123",
					     "2024-01-02T12:30:45.5+01:00",
					     "[12:30:45]",
					     "[ 5.3s]",
					     "[2024-01-02 12:30] ",
					     "02.01.2024 1:30:00:",
					     "Thu Nov 26 10:22:31 2026",
					     "[Thu Nov 26 10:22:31 UTC 2026]",
					     "Nov 26 10:22:31",
					     "26 November 2026,"};
	char line[64];
	for (size_t i = 0; i < sizeof(stamps) / sizeof(*stamps); i++) {
		snprintf(line, sizeof(line), "%s loss 4\n5\n", stamps[i]);
		assert_metrics(line, "loss=4|values=5");
	}
	/* A month and a day alone may be a row's name and its value. */
	assert_metrics("Jan 1 0.5\n", "Jan=1|Jan[2]=0.5");
}

/* A date is no number of a remark, wherever it is in it. */
TEST(remarks)
{
	assert_metrics("# made Thu Nov 26 10:22:31 2026 with 8 cores\nloss 5\n",
		       "# made with=8|loss=5");
	assert_metrics("# at 5 March, 2024-01-02: T = 300\nmade Nov 26 8\n",
		       "# at T=300|made Nov=26|made Nov[2]=8");
}

TEST(cards)
{
	char cards[161];
	snprintf(cards, sizeof(cards), "%-80s%-80s", "SIMPLE  =                    T / a",
		 "NAXIS   =                    2 / b");
	assert_metrics(cards, "NAXIS=2");
}

/* The last words of a long name; many numbers on a line. */
TEST(limits)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) expected = rg_buf_of(RG_BUF_TEXT);
	rg_buf_str(&text, "first ");
	for (size_t i = 0; i < 30; i++)
		rg_buf_str(&text, "1234567890ab ");
	rg_buf_str(&text, "7");
	for (size_t i = 0; i < 15; i++)
		rg_buf_str(&expected, i ? " 1234567890ab" : "1234567890ab");
	rg_buf_str(&expected, "=7");
	assert_metrics(text.data, expected.data);

	rg_buf_clear(&text);
	rg_buf_str(&text, "row");
	for (size_t i = 0; i < 1001; i++)
		rg_buf_str(&text, " 1");
	rg_golden *golden = read_as(text.data, NULL);
	assert_int_equal(golden->count, 1);
	assert_string_equal(golden->metrics->name, "row");
	assert_int_equal(golden->metrics->count, 1001);
	rg_golden_free(golden);
}

TEST(opaque)
{
	static const char *const texts[] = {"no number", "v1.2\n", ""};
	const rg_input bytes = {.name = "x.dat", .data = "a 1\0", .size = 4};
	rg_golden *golden;

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		golden = read_as(texts[i], NULL);
		assert_true(rg_golden_is_opaque(golden));
		rg_golden_free(golden);
	}
	assert_success(rg_golden_read(&golden, &bytes, NULL));
	assert_true(rg_golden_is_opaque(golden));
	rg_golden_free(golden);

	const size_t size = (16 << 20) + 4;
	char *line = malloc(size + 1);
	memset(line, 'x', size);
	memcpy(line, "\n1 ", 3);
	line[size] = '\0';
	golden = read_as(line, NULL);
	assert_true(rg_golden_is_opaque(golden));
	rg_golden_free(golden);
	free(line);
}

TEST(ignore)
{
	static const char *const globs[] = {"Elapsed*", "*host*/*"};
	static const rg_text_rule rule = {.pattern = "*.dat", .ignore = globs, .ignore_count = 2};
	rg_golden *golden = read_as("Elapsed 5 s\r\nat host a/b 7\n9\n", &rule);

	assert_int_equal(golden->count, 1);
	assert_string_equal(golden->metrics->name, "values");
	assert_float_equal(golden->metrics->values[0], 9, 0);
	rg_golden_free(golden);
}

/* A value that a pattern finds has the pattern's name, though it is a part of a word. */
TEST(named)
{
	static const char *const patterns[] = {"Elapsed*: {value}s", "E = *{value} eV", "{value}s"};
	rg_text_named_value named[2] = {{0}};
	const rg_text_rule rule = {.pattern = "*.dat", .named = named, .named_count = 2};
	rg_buf name;

	rg_buf_init(&name, RG_BUF_TEXT);
	for (size_t i = 0; i < 2; i++) {
		assert_success(rg_text_pattern_name(&name, patterns[i]));
		assert_success(
			rg_line_pattern_new_of_value(&named[i].pattern, &arena, patterns[i]));
		named[i].metric = i ? "E eV" : "Elapsed s";
		assert_string_equal(name.data, named[i].metric);
	}
	assert_error(rg_text_pattern_name(&name, "({value})"), RG_E_USAGE,
		     "'({value})' has no text that could be a metric's name");
	rg_buf_release(&name);
	rg_golden *golden = read_as("Elapsed time: 5.3s 7\r\nE = 1 -2.5 eV\nother 4s\n", &rule);
	assert_int_equal(golden->count, 5);
	assert_string_equal(golden->metrics[0].name, "E");
	assert_string_equal(golden->metrics[1].name, "E eV");
	assert_float_equal(golden->metrics[1].values[0], -2.5, 0);
	assert_string_equal(golden->metrics[2].name, "Elapsed s");
	assert_float_equal(golden->metrics[2].values[0], 5.3, 0);
	assert_string_equal(golden->metrics[4].name, "other");
	assert_string_equal(golden->metrics[4].unit, "s");
	rg_golden_free(golden);
}

/* --- two sides --- */

typedef struct {
	rg_golden *old, *fresh;
	rg_comparison comparison;
} pair;

static void compare(pair *p, const char *old, const char *fresh)
{
	const rg_file_name name = {"results.dat", NULL};
	*p = (pair){.old = read_as(old, NULL), .fresh = read_as(fresh, NULL)};
	rg_comparison_init(&p->comparison);
	assert_success(rg_goldens_align(p->old, p->fresh));
	assert_success(rg_compare_goldens(&p->comparison, &name, p->old, p->fresh, NULL));
}

static void release(pair *p)
{
	rg_comparison_release(&p->comparison);
	rg_golden_free(p->old);
	rg_golden_free(p->fresh);
}

static const rg_row *row_of(const pair *p, const char *metric)
{
	for (size_t i = 0; i < p->comparison.row_count; i++)
		if (!strcmp(p->comparison.rows[i].metric, metric))
			return &p->comparison.rows[i];
	return NULL;
}

/* Blanks, line ends, a BOM and another way to write a value are layout. */
TEST(layout)
{
	pair p;
	compare(&p, "a  1.0 x\nb 2\n",
		"\xef\xbb\xbf"
		"a 1 x \r\n\r\n b\t2.00");
	assert_true(p.comparison.files[0].identical);
	release(&p);
}

/* A line that came in the middle moves no step. */
TEST(lines_came)
{
	pair p;
	compare(&p, "loss 1\nend\nloss 2\nloss 3\n", "loss 1\nwarn 5\nend\nloss 2\nloss 4\n");
	const rg_row *loss = row_of(&p, "loss"), *text = row_of(&p, RG_TEXT_METRIC);
	assert_int_equal(loss->n_steps, 3);
	assert_int_equal(loss->first_diff, 2);
	assert_null(row_of(&p, "warn"));
	assert_false(text->identical);
	assert_int_equal(text->lost, 0);
	assert_null(text->lost_text);
	assert_string_equal(text->changes, "1 line came (2)");
	assert_string_equal(text->new_excerpt, "warn 5");
	release(&p);
}

/* A line with numbers that went is a loss; what follows it keeps its steps. */
TEST(lines_went)
{
	pair p;
	compare(&p, "it 1 of 9\nit 2 left\nit 3 of 9\n", "it 1 of 9\nit 4 of 9\n");
	const rg_row *row = row_of(&p, "it"), *text = row_of(&p, RG_TEXT_METRIC);
	assert_int_equal(row->n_steps, 2);
	assert_int_equal(row->first_diff, 2);
	assert_int_equal(text->lost, 1);
	assert_string_equal(text->lost_text, "1 number");
	assert_string_equal(text->changes, "1 line went (2)");
	release(&p);
}

static void add_lines(rg_buf *out, const char *line, size_t count)
{
	for (size_t i = 0; i < count; i++)
		rg_buf_str(out, line);
}

/* Thousands of differences, for which the search is given up when its way is at the end of a side.
 */
TEST(given_up)
{
	pair p;
	RG_AUTO(rg_buf) old = rg_buf_of(RG_BUF_ANY);
	RG_AUTO(rg_buf) fresh = rg_buf_of(RG_BUF_ANY);
	add_lines(&old, "a 1\n", 2500);
	add_lines(&old, "c 1\n", 3000);
	add_lines(&fresh, "b 1\n", 1);
	add_lines(&fresh, "a 1\n", 2500);
	add_lines(&fresh, "b 1\n", 1500);
	compare(&p, old.data, fresh.data);
	assert_int_equal(row_of(&p, "a")->n_steps, 2500);
	assert_string_equal(row_of(&p, RG_TEXT_METRIC)->changes,
			    "3000 lines went (2501..5500), 1501 lines came (1, 2502..4001)");
	release(&p);
}

/* A number that belongs together has the old side's name, though the heading is another. */
TEST(heading_renamed)
{
	pair p;
	compare(&p, "alpha\n1 2\n", "beta\n1 3\n");
	assert_non_null(row_of(&p, "alpha"));
	assert_false(row_of(&p, "alpha[2]")->identical);
	assert_null(row_of(&p, "beta"));
	release(&p);
}

/* A line whose words changed, but not what its numbers are called, is no loss, nor is one that
 * moved. */
TEST(words_changed)
{
	pair p;
	compare(&p, "{\"a\": 5}]\nx 1\n", "{\"a\": 6},\nx 1\n");
	assert_int_equal(row_of(&p, "a")->n_steps, 1);
	assert_false(row_of(&p, "a")->identical);
	assert_int_equal(row_of(&p, RG_TEXT_METRIC)->lost, 0);
	assert_string_equal(row_of(&p, RG_TEXT_METRIC)->changes, "1 line with other words (1)");
	release(&p);
	compare(&p, "on n1 of 4 at 5\nx 1\n", "on n2 of 4 at 5\nx 1\n");
	assert_int_equal(row_of(&p, RG_TEXT_METRIC)->lost, 0);
	assert_string_equal(row_of(&p, RG_TEXT_METRIC)->changes, "1 line with other words (1)");
	release(&p);
	compare(&p, "a 1\nb 2\nc 3\n", "b 2\nc 3\na 1\n");
	assert_true(row_of(&p, "a")->identical);
	assert_int_equal(row_of(&p, RG_TEXT_METRIC)->lost, 0);
	assert_false(row_of(&p, RG_TEXT_METRIC)->identical);
	assert_string_equal(row_of(&p, RG_TEXT_METRIC)->changes, "1 line moved (1)");
	release(&p);
}

/* Nothing belongs together. */
TEST(other_text)
{
	pair p;
	compare(&p, "a 1\n", "b 1\n");
	assert_int_equal(p.comparison.row_count, 1);
	assert_false(p.comparison.rows[0].identical);
	assert_int_equal(p.comparison.rows[0].lost, 0);
	release(&p);
}

TEST(whole_numbers)
{
	pair p;
	compare(&p, "id 9007199254740993\n", "id 9007199254740992\n");
	assert_false(row_of(&p, "id")->identical);
	assert_true(row_of(&p, "id")->values_differ);
	release(&p);
	compare(&p, "id 9007199254740993\n", "id +009007199254740993\n");
	assert_true(row_of(&p, "id")->identical);
	release(&p);
}
