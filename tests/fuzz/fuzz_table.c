/* SPDX-License-Identifier: Apache-2.0 */
#include "require.h"

#include "compare/align.h"
#include "compare/compare.h"
#include "golden/records.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Tables, step lists and lists of objects: the first byte says by which name and rule, then come
 * the old side, a NUL and the new one. Both are read, aligned and compared. */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const keys[] = {"a,b", "a"};
static const rg_table_rule rules[] = {
	{.pattern = "keyed.*", .keys = keys, .key_count = 2, .columns = "c,d"},
	{.pattern = "long.*",
	 .header = RG_HEADER_NO,
	 .names = "a,b,c,d",
	 .keys = keys + 1,
	 .key_count = 1,
	 .metric = "b",
	 .value = "c",
	 .tolerance = "d"},
	{.pattern = "list.txt", .value = "lm loss"},
	{.pattern = "blanks.*"},
	{.pattern = "other.*", .delimiter = ';', .comment = "#", .skip = 1, .header = RG_HEADER_NO},
};
static const rg_golden_options options = {
	.run_index = -1, .table_rules = rules, .table_rule_count = sizeof(rules) / sizeof(*rules)};
static const char *const names[] = {"x.csv",      "x.tsv",      "x.txt",     "keyed.csv",
				    "long.csv",   "keyed.json", "list.json", "list.txt",
				    "blanks.dat", "keyed.dat",  "long.dat",  "other.dat",
				    "x.jsonl",    "x.json",     "x.dat",     "blanks.txt"};

/* `like` may be NULL; its records' names may be shared. */
static rg_golden *read_side(const char *name, const void *data, size_t size, const rg_golden *like)
{
	const rg_input in = {.name = name, .data = data, .size = size};
	rg_golden_options own = options;
	rg_golden *golden = NULL;

	own.like = like ? like->records : NULL;
	rg_error_free(rg_golden_read(&golden, &in, &own));
	return golden;
}

static void check_records(const rg_records *records)
{
	size_t i;

	for (i = 1; i < records->count; i++)
		require(strcmp(records->names[records->order[i - 1]],
			       records->names[records->order[i]]) < 0,
			"records ascend by name");
}

static void check_metric(const rg_metric *m)
{
	size_t count = m->kind == RG_METRIC_SERIES ? m->count : 0, i;
	char number[RG_STEP_TEXT];

	for (i = 1; i < count; i++)
		require(rg_metric_step(m, i - 1) < rg_metric_step(m, i), "steps ascend");
	if (!m->records)
		return;
	for (i = 0; i < count; i++) {
		require((uint64_t)rg_metric_step(m, i) < m->records->count, "steps are records");
		require(rg_step_name(m->records, rg_metric_step(m, i), number) != number,
			"records have names");
		require(!m->tolerances || !(m->tolerances[i] < 0), "tolerances are not negative");
		require(!m->errors || !(m->errors[i] < -INFINITY), "errors are there");
	}
	for (i = 0; i < m->text_count; i++) {
		require((uint64_t)m->texts[i].step < m->records->count, "texts are of records");
		require(!i || m->texts[i - 1].step < m->texts[i].step, "texts ascend");
	}
}

static void check_golden(const rg_golden *golden)
{
	size_t i;

	if (golden && golden->records)
		check_records(golden->records);
	for (i = 0; golden && i < golden->count; i++)
		check_metric(&golden->metrics[i]);
}

static void compare(rg_golden *old, rg_golden *fresh, bool same)
{
	const rg_file_name name = {"x", NULL};
	rg_comparison c;
	size_t i;

	rg_comparison_init(&c);
	require(!rg_goldens_align(old, fresh), "there is memory");
	check_golden(old);
	check_golden(fresh);
	require(!rg_compare_goldens(&c, &name, old, fresh, NULL), "there is memory");
	for (i = 0; i < c.row_count; i++) {
		const rg_row *row = &c.rows[i];

		require(row->n_steps <= row->old_count && row->n_steps <= row->new_count,
			"no more steps count than there are");
		require(!same || row->identical, "a table is the same as itself");
	}
	require(c.files->lost.count <= c.files->lost.of &&
			c.files->gained.count <= c.files->gained.of,
		"no more records came or went than there are");
	rg_comparison_release(&c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *name, *text = (const char *)data + 1, *nul;
	rg_golden *old, *fresh, *again;
	size_t length;

	if (!size)
		return 0;
	name = names[data[0] % (sizeof(names) / sizeof(*names))];
	size--;
	nul = memchr(text, '\0', size);
	length = nul ? (size_t)(nul - text) : size;
	again = read_side(name, text, length, NULL);
	old = read_side(name, text, length, again);
	fresh = nul ? read_side(name, nul + 1, size - length - 1, again) : NULL;
	check_golden(old);
	check_golden(fresh);
	require(!old == !again, "what is read once is read again");
	if (old)
		compare(again, old, true);
	if (again && fresh)
		compare(again, fresh, false);
	rg_golden_free(fresh);
	rg_golden_free(old);
	rg_golden_free(again);
	return 0;
}
