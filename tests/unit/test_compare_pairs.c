/* SPDX-License-Identifier: Apache-2.0 */
/* Many pairs on several threads come out in order; one bad file never stops the others. */

#include "unit.h"

#include "compare/compare_pairs.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PAIRS = 500 };

typedef struct {
	char file[32], old[64], fresh[64];
} texts;

typedef struct {
	texts texts[4]; /* by worker */
	atomic_int loaded;
	size_t stops_at; /* this pair ends the whole; PAIRS: none */
} context;

static rg_error *load(void *opaque, size_t worker, size_t index, rg_pair *pair)
{
	context *c = opaque;
	texts *t = &c->texts[worker];

	assert_true(worker < 4);
	atomic_fetch_add(&c->loaded, 1);
	snprintf(t->file, sizeof(t->file), "f%03zu.json", index);
	snprintf(t->old, sizeof(t->old), "{\"a\": [%zu], \"b\": [2]}", index + 1);
	snprintf(t->fresh, sizeof(t->fresh), "{\"a\": [%zu], \"b\": [1]}", 2 * (index + 1));
	pair->name.file = t->file;
	if (index == c->stops_at)
		return rg_error_new(RG_E_USAGE, "no");
	if (index % 10 == 1)
		return rg_error_new(RG_E_GIT, "no such blob");
	if (index % 10 == 2)
		pair->status = RG_FILE_NEW;
	if (index % 10 == 3)
		pair->status = RG_FILE_REMOVED;
	if (index % 10 == 4)
		t->fresh[0] = '\0';
	pair->old_side = (rg_input){.name = t->file, .data = t->old, .size = strlen(t->old)};
	pair->new_side = (rg_input){.name = t->file, .data = t->fresh, .size = strlen(t->fresh)};
	pair->old_label = "HEAD";
	return NULL;
}

static void check_file(const rg_comparison *c, size_t i)
{
	const rg_file_outcome *file = &c->files[i];
	char name[32];

	snprintf(name, sizeof(name), "f%03zu.json", i);
	assert_string_equal(file->file, name);
	switch (i % 10) {
	case 1:
		assert_int_equal(file->status, RG_FILE_UNREADABLE);
		assert_string_equal(file->why, "no such blob");
		break;
	case 2:
		assert_int_equal(file->status, RG_FILE_NEW);
		break;
	case 3:
		assert_int_equal(file->status, RG_FILE_REMOVED);
		break;
	case 4:
		assert_int_equal(file->status, RG_FILE_UNREADABLE);
		assert_string_equal(file->why, "new side: empty file");
		break;
	default:
		assert_int_equal(file->status, RG_FILE_COMPARED);
		assert_int_equal(file->row_count, 2);
		assert_string_equal(c->rows[file->first_row].metric, "a");
		assert_ptr_equal(c->rows[file->first_row].file, file->file);
		assert_int_equal(c->rows[file->first_row].file_index, i);
		assert_true(c->rows[file->first_row].avg_rel_diff == -1);
		assert_true(c->rows[file->first_row + 1].avg_rel_diff == 0.5);
	}
}

TEST(order)
{
	size_t workers, i;

	for (workers = 1; workers <= 4; workers++) {
		context c = {.stops_at = PAIRS};
		rg_pair_source source = {
			.count = PAIRS, .workers = workers, .load = load, .context = &c};
		rg_comparison out;

		rg_comparison_init(&out);
		assert_null(rg_compare_pairs(&out, &source));
		assert_int_equal(out.file_count, PAIRS);
		assert_int_equal(out.compared, 300);
		assert_int_equal(out.unreadable, 100);
		assert_int_equal(out.new_files, 50);
		assert_int_equal(out.removed, 50);
		assert_int_equal(out.row_count, 600);
		assert_int_equal(out.series_rows, 600);
		for (i = 0; i < PAIRS; i++)
			check_file(&out, i);
		assert_int_equal(c.loaded, PAIRS);
		rg_comparison_release(&out);
	}
}

TEST(stop)
{
	context c = {.stops_at = 37};
	rg_pair_source source = {.count = PAIRS, .workers = 4, .load = load, .context = &c};
	rg_comparison out;
	rg_error *err;

	rg_comparison_init(&out);
	err = rg_compare_pairs(&out, &source);
	assert_non_null(err);
	assert_int_equal(rg_error_get_code(err), RG_E_USAGE);
	rg_error_free(err);
	assert_int_equal(out.file_count, 0);
	rg_comparison_release(&out);
}

TEST(nothing)
{
	rg_pair_source source = {.count = 0, .workers = 1, .load = load};
	rg_comparison out;

	rg_comparison_init(&out);
	assert_null(rg_compare_pairs(&out, &source));
	assert_int_equal(out.file_count, 0);
	rg_comparison_release(&out);
}

/* --- large pairs, whose sides are read at once and whose metrics are compared on all cores --- */

enum { LARGE_RECORDS = 40000, LARGE_COLUMNS = 9 };

typedef struct {
	const char *name;
	rg_buf old, fresh;
} large_pair;

/* A table of which `fresh` has other values, and one record less. */
static void write_table(rg_buf *out, bool fresh)
{
	rg_buf_init(out, RG_BUF_ANY);
	rg_buf_str(out, "name");
	for (int c = 0; c < LARGE_COLUMNS; c++)
		rg_buf_printf(out, ",c%d", c);
	for (int i = 0; i < LARGE_RECORDS - fresh; i++) {
		rg_buf_printf(out, "\nr%d", i);
		for (int c = 0; c < LARGE_COLUMNS; c++)
			rg_buf_printf(out, ",%d.%d", i + 1 + (fresh && c == 3 && i % 2), c);
	}
	rg_buf_char(out, '\n');
}

static rg_error *load_large(void *opaque, size_t worker, size_t index, rg_pair *pair)
{
	const large_pair *large = opaque;
	(void)worker, (void)index;
	pair->name.file = large->name;
	pair->old_side =
		(rg_input){.name = large->name, .data = large->old.data, .size = large->old.length};
	pair->new_side = (rg_input){
		.name = large->name, .data = large->fresh.data, .size = large->fresh.length};
	return NULL;
}

static void compare_large(rg_comparison *c, large_pair *large)
{
	const rg_pair_source source = {
		.count = 1, .workers = 1, .load = load_large, .context = large};
	rg_comparison_init(c);
	assert_true(large->old.length > 1 << 20 && large->fresh.length > 1 << 20);
	assert_success(rg_compare_pairs(c, &source));
	assert_int_equal(c->file_count, 1);
}

TEST(large_tables)
{
	large_pair large = {.name = "a.csv"};
	rg_comparison c;
	char name[24];

	write_table(&large.old, false);
	write_table(&large.fresh, true);
	compare_large(&c, &large);
	assert_string_equal(c.files[0].why ? c.files[0].why : "", "");
	assert_int_equal(c.files[0].lost.count, 1);
	assert_string_equal(c.files[0].lost.names, "r39999");
	assert_int_equal(c.row_count, LARGE_COLUMNS);
	for (size_t i = 0; i < c.row_count; i++) {
		snprintf(name, sizeof(name), "c%zu", i);
		assert_string_equal(c.rows[i].metric, name);
		assert_int_equal(c.rows[i].n_steps, LARGE_RECORDS - 1);
		assert_int_equal(c.rows[i].values_differ, i == 3);
	}
	rg_comparison_release(&c);
	rg_buf_release(&large.old);
	rg_buf_release(&large.fresh);
}

/* The old one of two unreadable sides is named, whichever failed first. */
TEST(large_unreadable)
{
	large_pair large = {.name = "a.csv"};
	rg_comparison c;

	write_table(&large.old, false);
	write_table(&large.fresh, true);
	rg_buf_str(&large.fresh, "\"fresh\n");
	compare_large(&c, &large);
	assert_string_equal(c.files[0].why, "new side: csv: record 40001: a quote does not close");
	rg_comparison_release(&c);
	rg_buf_str(&large.old, "\"old\n");
	compare_large(&c, &large);
	assert_string_equal(c.files[0].why, "old side: csv: record 40002: a quote does not close");
	rg_comparison_release(&c);
	rg_buf_release(&large.old);
	rg_buf_release(&large.fresh);
}
