/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "compare/align.h"
#include "compare/compare.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Two tables, aligned and compared. */
typedef struct {
	rg_golden *old, *fresh;
	rg_comparison comparison;
} pair;

static rg_golden *read_table(const char *text)
{
	const rg_input in = {
		.name = *text == '{' ? "x.json" : "x.csv", .data = text, .size = strlen(text)};
	rg_golden *golden;

	assert_success(rg_golden_read(&golden, &in, NULL));
	return golden;
}

static void compare(pair *p, const char *old, const char *fresh)
{
	const rg_file_name name = {"x.csv", NULL};

	p->old = read_table(old);
	p->fresh = read_table(fresh);
	rg_comparison_init(&p->comparison);
	assert_success(rg_goldens_align(p->old, p->fresh));
	assert_success(rg_compare_goldens(&p->comparison, &name, p->old, p->fresh, NULL));
}

/* The records of tables "name,v,noise". */
static void compare_by(pair *p, const char *old, const char *fresh,
		       const rg_golden_options *options)
{
	const rg_file_name name = {"x.csv", NULL};
	const char *const texts[] = {old, fresh};
	rg_golden **const sides[] = {&p->old, &p->fresh};
	char text[2][256];
	size_t i;

	for (i = 0; i < 2; i++) {
		rg_input in = {.name = "x.csv", .data = text[i]};

		in.size = (size_t)snprintf(text[i], sizeof(text[i]), "name,v,noise\n%s", texts[i]);
		assert_success(rg_golden_read(sides[i], &in, options));
	}
	rg_comparison_init(&p->comparison);
	assert_success(rg_goldens_align(p->old, p->fresh));
	assert_success(rg_compare_goldens(&p->comparison, &name, p->old, p->fresh, NULL));
}

static void release(pair *p)
{
	rg_comparison_release(&p->comparison);
	rg_golden_free(p->fresh);
	rg_golden_free(p->old);
}

static const rg_row *row_of(const pair *p, const char *metric)
{
	size_t i;

	for (i = 0; i < p->comparison.row_count; i++)
		if (!strcmp(p->comparison.rows[i].metric, metric))
			return &p->comparison.rows[i];
	fail_msg("no row of %s", metric);
	return NULL;
}

/* A record is found by its key, wherever it is. */
TEST(records_by_key)
{
	const rg_row *row;
	pair p;

	compare(&p, "name,v\na,1\nb,2\nc,4\n", "name,v\nnew,9\nc,4\na,1\nb,1\n");
	row = row_of(&p, "v");
	assert_int_equal(row->n_steps, 3);
	assert_true(row->by_record);
	assert_true(row->max_abs_rel == 0.5);
	assert_string_equal(row->max_abs_rel_record, "b");
	assert_string_equal(row->first_diff_record, "b");
	assert_null(row->gained_steps);
	assert_null(row->left_out_text);
	assert_int_equal(row->left_out.new_only, 0);
	assert_int_equal(p.comparison.files->gained.count, 1);
	assert_int_equal(p.comparison.files->gained.of, 4);
	assert_string_equal(p.comparison.files->gained.brief, "new");
	assert_false(p.comparison.files->identical);
	release(&p);
}

/* None of its cells is told again; a cell that is empty now is. */
TEST(records_that_went)
{
	const rg_row *row;
	pair p;

	compare(&p, "name,v,s\na,1,x\nb,2,y\nc,4,z\n", "name,v,s\nb,2,y\n");
	row = row_of(&p, "v");
	assert_true(row->identical);
	assert_int_equal(row->lost, 0);
	assert_int_equal(row->left_out.old_only, 0);
	assert_null(row->lost_text);
	assert_true(row_of(&p, "s")->identical);
	assert_int_equal(p.comparison.files->lost.count, 2);
	assert_int_equal(p.comparison.files->lost.of, 3);
	assert_string_equal(p.comparison.files->lost.names, "a, c");
	assert_false(p.comparison.files->identical);
	release(&p);
	compare(&p, "name,v\na,1\nb,2\nc,4\n", "name,v\nb,2\nc,\n");
	row = row_of(&p, "v");
	assert_string_equal(row->lost_text, "1 of 3 records (c)");
	assert_int_equal(row->lost, 1);
	assert_string_equal(p.comparison.files->lost.names, "a");
	release(&p);
}

/* A column whose every value went with its record is not lost beside it. */
TEST(columns_that_went_with_records)
{
	pair p;

	compare(&p, "name,v,w\na,1,\nb,2,5\n", "name,v\na,1\n");
	assert_int_equal(p.comparison.gap_count, 1);
	assert_int_equal(p.comparison.gaps->gap, RG_GAP_NO_STEPS);
	assert_int_equal(p.comparison.gaps->lost, 0);
	assert_int_equal(p.comparison.files->lost.count, 1);
	release(&p);
	compare(&p, "name,v,w\na,1,4\nb,2,5\n", "name,v\na,1\n");
	assert_int_equal(p.comparison.gaps->gap, RG_GAP_OLD_ONLY);
	assert_int_equal(p.comparison.gaps->lost, 1);
	release(&p);
}

/* People see keys without the cells that all of them begin or end with. */
TEST(keys_in_brief)
{
	static const rg_golden_options options = {0};
	static const char *const cases[][3] = {
		{"\"x,a,y\",1\n\"x,b,y\",1\n\"x,c,y\",1\n", "\"x,b,y\",1\n", "a, c"},
		{"\"x,a\",1\n\"x,x,a\",1\n", "\"x,a\",1\n", "x,a"},
		{"\"x,y\",1\n", "\"x,z\",1\n", "y"},
		{"xa,1\nxb,1\n", "xb,1\n", "xa"},
	};
	pair p;

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		compare_by(&p, cases[i][0], cases[i][1], &options);
		assert_string_equal(p.comparison.files->lost.brief, cases[i][2]);
		release(&p);
	}
}

/* From what to what, how often, and where. */
TEST(changes_of_texts)
{
	const rg_row *row;
	pair p;

	compare(&p, "name,s\na,pass\nb,pass\nc,fail\nd,pass\ne,pass\nf,x\n",
		"name,s\nf,x\na,fail\nb,fail\nc,pass\nd,fail\ne,fail\n");
	row = row_of(&p, "s");
	assert_int_equal(row->kind, RG_ROW_EXACT);
	assert_false(row->identical);
	assert_string_equal(row->changes, "pass → fail: 4 (a, b, d, …), fail → pass: 1 (c)");
	assert_string_equal(row->first_diff_record, "a");
	release(&p);
	compare(&p, "name,s\na,pass\n", "name,s\na,pass\n");
	assert_true(row_of(&p, "s")->identical);
	release(&p);
}

/* VTR marks what it has not measured with -1 among "61.2 MiB". */
TEST(numbers_and_texts_in_a_column)
{
	const rg_row *row;
	pair p;

	compare(&p, "name,mem\na,-1\nb,61.2 pages\nc,2\n", "name,mem\na,-1\nb,61.5 pages\nc,4\n");
	assert_int_equal(p.comparison.row_count, 2);
	row = row_of(&p, "mem");
	assert_int_equal(row->n_steps, 2);
	assert_true(row->avg_rel_diff == -0.5);
	row = row_of(&p, "mem (texts)");
	assert_string_equal(row->changes, "61.2 pages → 61.5 pages: 1 (b)");
	release(&p);
	compare(&p, "name,mem\na,-1\nb,50 MiB\nc,1 MiB\n", "name,mem\nc,1MiB\nb,75 MiB\na,-1\n");
	assert_int_equal(p.comparison.row_count, 2);
	assert_true(row_of(&p, "mem")->avg_rel_diff == 0);
	assert_int_equal(row_of(&p, "mem")->n_steps, 1);
	row = row_of(&p, "mem (with units)");
	assert_true(row->avg_rel_diff == -0.25);
	assert_null(row->other_unit);
	release(&p);
	/* The old side has one unit alone. */
	compare(&p, "name,mem\na,50 MiB\nb,50 MiB\n", "name,mem\na,-1\nb,75 MiB\n");
	row = row_of(&p, "mem (with units)");
	assert_true(row->avg_rel_diff == -0.5);
	assert_string_equal(row->lost_text, "1 of 2 records (a)");
	release(&p);
}

/* A number in another unit is another one, whatever its figure is. */
TEST(units)
{
	const rg_row *row;
	pair p;

	compare(&p, "name,t\na,7 ns\nb,5ms\n", "name,t\nb,5ms\na,7 ms\n");
	row = row_of(&p, "t");
	assert_false(row->identical);
	assert_string_equal(row->other_unit, "7 ns -> 7 ms");
	assert_string_equal(row->beside, "the unit of a is another: 7 ns -> 7 ms");
	release(&p);
	compare(&p, "name,t\na,7\n", "name,t\na,8 %\n");
	assert_string_equal(row_of(&p, "t")->other_unit, "7 -> 8 %");
	release(&p);
	compare(&p, "name,t\na,7 ns\nb,1\n", "name,t\na,8ns\nc,1 s\n");
	assert_null(row_of(&p, "t (with units)")->other_unit);
	assert_true(row_of(&p, "t (with units)")->avg_rel_diff == -1 / 7.0);
	release(&p);
}

/* A column of texts alone that has got its first number, and the other way round. */
TEST(columns_that_change_kind)
{
	pair p;

	compare(&p, "name,v\na,none\nb,none\n", "name,v\na,none\nb,3\n");
	assert_string_equal(row_of(&p, "v (texts)")->changes, "none → nothing: 1 (b)");
	release(&p);
	compare(&p, "name,v\na,1\nb,2\n", "name,v\na,1\nb,crash\n");
	assert_string_equal(row_of(&p, "v")->lost_text, "1 of 2 records (b)");
	assert_string_equal(row_of(&p, "v (texts)")->changes, "nothing → crash: 1 (b)");
	release(&p);
}

/* Without alignment the same place is not the same record: no figure comes of it. */
TEST(tables_that_were_not_aligned)
{
	const rg_file_name name = {"x.csv", NULL};
	rg_comparison c;
	rg_golden *old = read_table("name,v\na,1\n"), *fresh = read_table("name,v\nb,2\n");

	rg_comparison_init(&c);
	assert_success(rg_compare_goldens(&c, &name, old, fresh, NULL));
	assert_int_equal(c.rows[0].kind, RG_ROW_EXACT);
	assert_string_equal(c.rows[0].old_excerpt, "numbers by record");
	rg_comparison_release(&c);
	rg_golden_free(old);
	rg_golden_free(fresh);
}

/* An audit's runs have the places of the first one. */
TEST(many_tables)
{
	rg_golden *first = read_table("name,v\na,1\nb,2\n");
	rg_golden *second = read_table("name,v,s\nc,3,x\nb,5,y\n");
	rg_golden *third = read_table("name,v\nd,7\nc,8\n");
	const rg_metric *m;

	assert_success(rg_golden_follow(first, second));
	assert_success(rg_golden_follow(first, third));
	m = rg_golden_find(second, "v");
	assert_int_equal(rg_metric_step(m, 0), 1);
	assert_true(m->values[0] == 5);
	assert_int_equal(rg_metric_step(m, 1), 2);
	assert_string_equal(rg_golden_find(second, "s")->texts[0].text, "y");
	m = rg_golden_find(third, "v");
	assert_int_equal(rg_metric_step(m, 0), 2);
	assert_true(m->values[0] == 8);
	assert_int_equal(rg_metric_step(m, 1), 3);
	rg_golden_free(third);
	rg_golden_free(second);
	rg_golden_free(first);
}

/* lm-evaluation-harness: 0.05 is what 0.03 and 0.04 make together. */
TEST(standard_errors)
{
	pair p;

	compare(&p,
		"{\"results\": {\"a\": {\"acc,none\": 0.5, \"acc_stderr,none\": 0.03}, \"b\": "
		"{\"acc,none\": 0.5}}, \"config\": {}}",
		"{\"results\": {\"b\": {\"acc,none\": 0.9}, \"a\": {\"acc,none\": 0.625, "
		"\"acc_stderr,none\": 0.04}}, \"config\": {}}");
	assert_float_equal(row_of(&p, "acc,none")->standard_errors, 2.5, 1e-12);
	release(&p);
	compare(&p, "name,v\na,1\n", "name,v\na,2\n");
	assert_true(isnan(row_of(&p, "v")->standard_errors));
	release(&p);
}

/* 0 and what is not finite are over any tolerance; the worst is the most times over its own. */
TEST(tolerances)
{
	const char *rule_keys[] = {"name"};
	const rg_table_rule rule = {
		.pattern = "*.csv", .keys = rule_keys, .key_count = 1, .tolerance = "noise"};
	const rg_golden_options options = {.table_rules = &rule, .table_rule_count = 1};
	const struct {
		const char *old, *fresh;
		size_t count;
		const char *text;
	} cases[] = {
		{"a,8,0.25\nb,1,\n", "b,9,\na,10,0\n", 0, NULL},
		{"a,0,0\n", "a,0,\n", 0, NULL},
		{"a,nan,0\n", "a,1,0\n", 0, NULL},
		{"a,8,\n", "a,16,0.25\n", 0, NULL},
		{"a,8,0.25\n", "a,4,0.9\n", 1, "record a: 0.5 off, over its tolerance 0.25"},
		{"a,1,0.015\n", "a,1.0150001,0\n", 1,
		 "record a: 0.0150001 off, over its tolerance 0.015"},
		{"a,1,1\nb,1,0.01\nc,1,0.5\n", "c,3,1\nb,1.5,1\na,9,1\n", 3,
		 "record b: 0.5 off, over its tolerance 0.01, and 2 more"},
		{"a,0,0.5\nb,1,0.01\n", "a,2,1\nb,2,1\n", 2,
		 "record a: 2 instead of 0, over its tolerance 0.5, and 1 more"},
		{"a,8,0.25\n", "a,nan,0\n", 1,
		 "record a: nan instead of 8, over its tolerance 0.25"},
	};
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		pair p;
		const rg_row *row;

		compare_by(&p, cases[i].old, cases[i].fresh, &options);
		row = p.comparison.row_count ? row_of(&p, "v") : &p.comparison.gaps[0];
		assert_int_equal(row->over.count, cases[i].count);
		if (cases[i].text)
			assert_string_equal(row->over.text, cases[i].text);
		else
			assert_null(row->over.text);
		release(&p);
	}
}
