/* SPDX-License-Identifier: Apache-2.0 */
/* Rows out of two goldens, against figures worked out by hand. */

#include "unit.h"

#include "random.h"

#include "base/sum.h"
#include "compare/compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static rg_golden *golden_of(const char *text)
{
	rg_input in = {.name = "g.json", .data = text, .size = strlen(text)};
	rg_golden *golden;
	rg_error *err = rg_golden_read(&golden, &in, NULL);

	if (err)
		fail_msg("%s", rg_error_message(err));
	return golden;
}

static void compare_texts(rg_comparison *out, const char *old, const char *fresh,
			  const rg_policy *policy)
{
	rg_golden *left = golden_of(old), *right = golden_of(fresh);
	rg_file_name name = {"t/g.json", NULL};

	assert_null(rg_compare_goldens(out, &name, left, right, policy));
	rg_golden_free(left);
	rg_golden_free(right);
}

TEST(series)
{
	rg_comparison c;
	const rg_row *row;

	rg_comparison_init(&c);
	compare_texts(&c,
		      "{\"m\": {\"values\": {\"1\": 4, \"2\": 2, \"3\": -8, \"4\": 1e-13, \"5\": 1,"
		      " \"6\": NaN, \"7\": 1, \"9\": 5}}}",
		      "{\"m\": {\"values\": {\"1\": 3, \"2\": 4, \"3\": -8, \"4\": 1, \"5\": NaN,"
		      " \"6\": 1, \"8\": 1, \"9\": 5}}}",
		      NULL);
	assert_int_equal(c.row_count, 1);
	assert_int_equal(c.series_rows, 1);
	row = &c.rows[0];
	assert_string_equal(row->file, "t/g.json");
	assert_ptr_equal(row->file, row->old_file);
	assert_string_equal(row->metric, "m");
	assert_int_equal(row->n_steps, 4); /* 1, 2, 3, 9: 0.25, -1, 0, 0 */
	assert_true(row->avg_rel_diff == -0.1875);
	assert_true(row->mean_abs_rel == 0.3125);
	assert_true(row->max_abs_rel == 1);
	assert_int_equal(row->max_abs_rel_step, 2);
	assert_true(row->max_abs == 2);
	assert_true(row->share_above_zero == 0.25);
	assert_true(row->old_mean == 0.75 && row->new_mean == 1);
	assert_false(row->identical);
	assert_true(row->first_diff_known);
	assert_int_equal(row->first_diff, 1);
	assert_int_equal(row->left_out.near_zero, 1);
	assert_int_equal(row->left_out.old_nonfinite, 1);
	assert_int_equal(row->left_out.new_nonfinite, 1);
	assert_int_equal(row->left_out.old_only, 1);
	assert_int_equal(row->left_out.new_only, 1);
	assert_int_equal(row->left_out.not_looked_at, 0);
	assert_int_equal(row->level, RG_LEVEL_NONE);
	assert_int_equal(row->verdict.kind, RG_VERDICT_NONE);
	assert_null(row->tensor);
	assert_false(c.files[0].identical);
	assert_string_equal(c.files[0].format, "json");
	rg_comparison_release(&c);
}

TEST(identical)
{
	const char *text = "{\"m\": {\"values\": {\"1\": 4, \"2\": NaN, \"3\": 0.0}}}";
	rg_comparison c;

	rg_comparison_init(&c);
	compare_texts(&c, text, text, NULL);
	assert_true(c.rows[0].identical);
	assert_true(c.files[0].identical);
	assert_false(c.rows[0].first_diff_known);
	assert_true(c.rows[0].avg_rel_diff == 0 && c.rows[0].max_ulps == 0);
	/* The same values, but a sign of zero or a step more is not the same bits. */
	compare_texts(&c, text, "{\"m\": {\"values\": {\"1\": 4, \"2\": NaN, \"3\": -0.0}}}", NULL);
	assert_false(c.rows[1].identical);
	assert_int_equal(c.rows[1].first_diff, 3);
	assert_int_equal(c.rows[1].max_ulps, 0);
	compare_texts(&c, text, "{\"m\": {\"values\": {\"1\": 4, \"2\": NaN}}}", NULL);
	assert_false(c.rows[2].identical);
	assert_false(c.rows[2].first_diff_known);
	assert_int_equal(c.rows[2].file_index, 2);
	rg_comparison_release(&c);
}

/* Whatever lanes a series is added in, the mean is Neumaier's in ascending steps, to the bit. */
TEST(means_are_neumaiers)
{
	enum { MOST = 700 };
	double old[MOST], fresh[MOST];
	uint32_t seed = 11;
	size_t count, i;

	for (count = 1; count <= MOST; count += count < 20 ? 1 : 37) {
		rg_metric a = {.name = "m", .count = count, .values = old};
		rg_metric b = {.name = "m", .count = count, .values = fresh};
		rg_sum relative = {0}, mean = {0};
		rg_arena arena;
		bool is_row;
		rg_row row;

		for (i = 0; i < count; i++) {
			old[i] = 1 + (double)next_random(&seed) / 1e5;
			fresh[i] = old[i] * (0.9 + (double)next_random(&seed) / 8e7);
			rg_sum_add(&relative, (old[i] - fresh[i]) / old[i]);
			rg_sum_add(&mean, fresh[i]);
		}
		rg_arena_init(&arena);
		assert_null(rg_compare_metric(&row, &is_row, &arena, &a, &b, NULL, NULL));
		assert_int_equal(row.n_steps, count);
		assert_true(row.avg_rel_diff == rg_sum_mean(&relative, count));
		assert_true(row.new_mean == rg_sum_mean(&mean, count));
		rg_arena_release(&arena);
	}
}

TEST(compensated_sum)
{
	rg_sum sum = {0}, endless = {0};
	double values[] = {1, 1e100, 1, -1e100};
	size_t i;

	for (i = 0; i < 4; i++)
		rg_sum_add(&sum, values[i]);
	assert_true(rg_sum_total(&sum) == 2);
	rg_sum_add(&endless, INFINITY);
	rg_sum_add(&endless, 1);
	assert_true(rg_sum_total(&endless) == INFINITY);
}

TEST(infinite_average)
{
	rg_comparison c;

	rg_comparison_init(&c);
	compare_texts(&c, "{\"m\": [1e-12, 1]}", "{\"m\": [-1e300, 1]}", NULL);
	assert_true(c.rows[0].avg_rel_diff == INFINITY);
	rg_comparison_release(&c);
	/* One step that overflows must not cancel the other. */
	rg_comparison_init(&c);
	compare_texts(&c, "{\"m\": [1e-12, 1e-12, 1]}", "{\"m\": [1e300, -1e300, 1]}", NULL);
	assert_true(c.rows[0].avg_rel_diff == INFINITY);
	rg_comparison_release(&c);
}

static const rg_row *gap(const rg_comparison *c, size_t i, rg_gap_kind kind, const char *metric)
{
	assert_true(i < c->gap_count);
	assert_int_equal(c->gaps[i].gap, kind);
	assert_string_equal(c->gaps[i].metric, metric);
	return &c->gaps[i];
}

TEST(gaps)
{
	rg_comparison c;
	const rg_row *g;

	rg_comparison_init(&c);
	compare_texts(&c, "{\"a\": [1, 2], \"c\": [0, NaN, 0], \"d\": [], \"e\": [1]}",
		      "{\"b\": [1], \"c\": [0, 1, NaN], \"d\": [], \"e\": [1]}", NULL);
	assert_int_equal(c.row_count, 1);
	assert_int_equal(c.gap_count, 4);
	assert_int_equal(gap(&c, 0, RG_GAP_OLD_ONLY, "a")->old_count, 2);
	assert_int_equal(gap(&c, 1, RG_GAP_NEW_ONLY, "b")->new_count, 1);
	g = gap(&c, 2, RG_GAP_NO_STEPS, "c");
	assert_int_equal(g->left_out.near_zero, 1);
	assert_int_equal(g->left_out.old_nonfinite, 1);
	assert_int_equal(g->left_out.new_nonfinite, 1);
	assert_false(g->identical);
	assert_true(gap(&c, 3, RG_GAP_NO_STEPS, "d")->identical);
	assert_int_equal(c.files[0].gap_count, 4);
	assert_int_equal(c.files[0].row_count, 1);
	assert_false(c.files[0].identical);
	rg_comparison_release(&c);
}

TEST(exact)
{
	rg_comparison c;

	rg_comparison_init(&c);
	compare_texts(
		&c,
		"{\"0\": {\"generated_tokens\": [1, 2, 3], \"a\": \"same\", \"b\": \"of some "
		"length: \xc3\xa9, I say\","
		" \"c\": \"begin\", \"d\": 1, \"tokens\": [5]}}",
		"{\"0\": {\"generated_tokens\": [1, 4], \"a\": \"same\", \"b\": \"of some length: "
		"\xc3\xa8, I say\","
		" \"c\": \"beginning and so on and so forth\", \"d\": \"one\", \"tokens\": []}}",
		NULL);
	assert_int_equal(c.row_count, 6);
	assert_int_equal(c.series_rows, 0);
	assert_string_equal(c.rows[0].metric, "0/a");
	assert_true(c.rows[0].identical);
	assert_null(c.rows[0].old_excerpt);
	assert_int_equal(c.rows[0].kind, RG_ROW_EXACT);
	assert_int_equal(c.rows[0].n_steps, 0);
	assert_true(isnan(c.rows[0].avg_rel_diff));
	/* The differing byte is inside a character; the excerpt begins with the whole of it. */
	assert_int_equal(c.rows[1].first_diff, 17);
	assert_string_equal(c.rows[1].old_excerpt, "\xc3\xa9, I say");
	assert_string_equal(c.rows[1].new_excerpt, "\xc3\xa8, I say");
	assert_int_equal(c.rows[2].first_diff, 5);
	assert_string_equal(c.rows[2].old_excerpt, "");
	assert_string_equal(c.rows[2].new_excerpt, "ning and so on and so fo");
	assert_false(c.rows[3].identical);
	assert_false(c.rows[3].first_diff_known);
	assert_string_equal(c.rows[3].old_excerpt, "a series");
	assert_string_equal(c.rows[3].new_excerpt, "a text");
	assert_string_equal(c.rows[4].metric, "0/generated_tokens");
	assert_int_equal(c.rows[4].first_diff, 1);
	assert_string_equal(c.rows[4].old_excerpt, "2");
	assert_string_equal(c.rows[4].new_excerpt, "4");
	assert_int_equal(c.rows[4].old_count, 3);
	assert_int_equal(c.rows[5].first_diff, 0);
	assert_string_equal(c.rows[5].old_excerpt, "5");
	assert_string_equal(c.rows[5].new_excerpt, "");
	rg_comparison_release(&c);
}

/* ERROR and EXPORT_FAIL, not RROR and XPORT_FAIL. */
TEST(exact_words)
{
	rg_comparison c;

	rg_comparison_init(&c);
	compare_texts(&c, "{\"0\": {\"a\": \"ERROR\", \"b\": \"twenty-four bytes, so it \"}}",
		      "{\"0\": {\"a\": \"EXPORT_FAIL\", \"b\": \"twenty-four bytes, so it is\"}}",
		      NULL);
	assert_int_equal(c.row_count, 2);
	assert_int_equal(c.rows[0].first_diff, 1);
	assert_string_equal(c.rows[0].old_excerpt, "ERROR");
	assert_string_equal(c.rows[0].new_excerpt, "EXPORT_FAIL");
	/* One is longer than an excerpt. */
	assert_string_equal(c.rows[1].old_excerpt, "");
	assert_string_equal(c.rows[1].new_excerpt, "is");
	rg_comparison_release(&c);
}

TEST(other_files)
{
	rg_file_name renamed = {"b.json", "a.json"};
	rg_comparison c;

	rg_comparison_init(&c);
	rg_comparison_add_file(&c, &renamed, RG_FILE_UNREADABLE, "empty file");
	rg_comparison_add_file(&c, &renamed, RG_FILE_NEW, NULL);
	rg_comparison_add_file(&c, &renamed, RG_FILE_REMOVED, NULL);
	assert_int_equal(c.file_count, 3);
	assert_int_equal(c.unreadable, 1);
	assert_int_equal(c.new_files, 1);
	assert_int_equal(c.removed, 1);
	assert_int_equal(c.compared, 0);
	assert_string_equal(c.files[0].file, "b.json");
	assert_string_equal(c.files[0].old_file, "a.json");
	assert_string_equal(c.files[0].why, "empty file");
	rg_comparison_release(&c);
}

/* A series that lies nowhere: value i is i, but for one element in what `odd` points at. */
enum { LARGE = 100000, ODD_ONE = 77777 };

typedef struct {
	size_t odd, fails_at;
} positions_context;

static rg_error *positions(const rg_metric *metric, size_t first, size_t count, double *out)
{
	const positions_context *context = metric->block_context;
	size_t i;

	for (i = 0; i < count; i++) {
		if (first + i == context->fails_at)
			return rg_error_new(RG_E_IO, "it ends too early");
		out[i] = (double)(first + i) + (first + i == context->odd ? 1 : 0);
	}
	return NULL;
}

TEST(blocks)
{
	positions_context plain = {LARGE, LARGE}, odd = {ODD_ONE, LARGE};
	rg_metric old = {.name = "t",
			 .count = LARGE,
			 .block = positions,
			 .block_context = &plain,
			 .dimensions = 2,
			 .shape = (const int64_t[]){100, 1000}};
	rg_metric fresh = old;
	rg_arena arena;
	bool is_row;
	rg_row row;

	rg_arena_init(&arena);
	assert_null(rg_compare_metric(&row, &is_row, &arena, &old, &fresh, NULL, NULL));
	assert_true(is_row && row.identical);
	assert_int_equal(row.n_steps, LARGE - 1);
	assert_true(row.tensor->snr_db == INFINITY && row.tensor->l2 == 0);
	fresh.block_context = &odd;
	assert_null(rg_compare_metric(&row, &is_row, &arena, &old, &fresh, NULL, NULL));
	assert_false(row.identical);
	assert_int_equal(row.first_diff, ODD_ONE);
	assert_true(row.tensor->l2 == 1);
	assert_int_equal(row.tensor->worst_index[0], 77);
	assert_int_equal(row.tensor->worst_index[1], 777);
	fresh.shape = (const int64_t[]){1000, 100};
	assert_null(rg_compare_metric(&row, &is_row, &arena, &old, &fresh, NULL, NULL));
	assert_null(row.tensor);
	rg_arena_release(&arena);
}

TEST(tensor_figures)
{
	double left[] = {3, 4, 0, NAN, INFINITY, NAN}, right[] = {3, 4, 5, NAN, -INFINITY, 1};
	rg_metric old = {.name = "t",
			 .count = 6,
			 .values = left,
			 .dimensions = 2,
			 .shape = (const int64_t[]){2, 3}};
	rg_metric fresh = old;
	rg_arena arena;
	bool is_row;
	rg_row row;

	fresh.values = right;
	rg_arena_init(&arena);
	assert_null(rg_compare_metric(&row, &is_row, &arena, &old, &fresh, NULL, NULL));
	assert_true(is_row);
	assert_true(row.avg_rel_diff == 0 && row.n_steps == 2);
	assert_true(row.max_abs == 5);
	assert_int_equal(row.first_diff, 2);
	assert_true(row.tensor->l2 == 5);
	assert_true(row.tensor->mse == 25.0 / 3);
	assert_true(row.tensor->mean_abs == 5.0 / 3);
	assert_true(row.tensor->mean_signed == 5.0 / 3);
	assert_true(fabs(row.tensor->snr_db - 20 * log10(sqrt(50) / 5)) < 1e-13);
	assert_true(row.tensor->max_rel == INFINITY && row.tensor->share_differing == 0.5);
	assert_true(fabs(row.tensor->cosine - 25 / (5 * sqrt(50))) < 1e-15);
	assert_int_equal(row.tensor->nonfinite_mismatches, 2);
	assert_int_equal(row.tensor->worst, 2);
	assert_int_equal(row.tensor->dimensions, 2);
	assert_int_equal(row.tensor->worst_index[0], 0);
	assert_int_equal(row.tensor->worst_index[1], 2);
	rg_arena_release(&arena);
}

TEST(block_that_fails)
{
	positions_context context = {LARGE, 50000};
	rg_metric metrics[2] = {
		{.name = "a", .count = 1, .values = (double[]){1}},
		{.name = "t", .count = LARGE, .block = positions, .block_context = &context},
	};
	rg_golden golden = {.format = "test", .metrics = metrics, .count = 2};
	rg_file_name name = {"f", NULL};
	rg_comparison c;
	rg_error *err;

	rg_comparison_init(&c);
	err = rg_compare_goldens(&c, &name, &golden, &golden, NULL);
	assert_non_null(err);
	assert_string_equal(rg_error_message(err), "metric 't': it ends too early");
	rg_error_free(err);
	assert_int_equal(c.row_count, 0);
	assert_int_equal(c.file_count, 0);
	rg_comparison_release(&c);
}

/* Steps from 2^63 on fit no step, and are not dropped in silence. */
TEST(no_steps)
{
	const char *old = "{\"m\": {\"values\": {\"1\": 4, \"9223372036854775807\": 2,"
			  " \"9223372036854775808\": 2, \"99999999999999999999\": 3}}}";
	const char *turned = "{\"m\": {\"values\": {\"99999999999999999999\": 3,"
			     " \"9223372036854775808\": 2, \"9223372036854775807\": 2, \"1\": 4}}}";
	const char *other = "{\"m\": {\"values\": {\"1\": 4, \"9223372036854775807\": 2,"
			    " \"9223372036854775808\": 2, \"99999999999999999999\": 4}}}";
	rg_comparison c;

	rg_comparison_init(&c);
	compare_texts(&c, old, turned, NULL);
	compare_texts(&c, old, other, NULL);
	compare_texts(&c, "{\"m\": {\"values\": {\"9223372036854775808\": 1}}}",
		      "{\"m\": {\"values\": {}}}", NULL);
	assert_int_equal(c.row_count, 2);
	assert_int_equal(c.rows[0].n_steps, 2);
	assert_int_equal(c.rows[0].left_out.no_step, 4);
	assert_string_equal(c.rows[0].left_out_text, "4 under keys that are not steps");
	assert_true(c.rows[0].identical);
	assert_false(c.rows[1].identical);
	assert_int_equal(c.gap_count, 1);
	assert_int_equal(c.gaps[0].left_out.no_step, 1);
	assert_false(c.gaps[0].identical);
	rg_comparison_release(&c);
}
