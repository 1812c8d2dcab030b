/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/memory.h"
#include "base/path.h"
#include "golden/executorch/backend_report.h"
#include "golden/builder.h"
#include "golden/executorch/formats.h"

#include <stdlib.h>
#include <string.h>

/* Reports of backend tests as goldens: a group of metrics a case. */

/* A case's parts appear once in the file and again in each of its metrics' names, which may take so
 * many times the file's bytes, and what any file may have. */
enum { NAMES_TO_INPUT = 128, NAMES_MIN = 1 << 20 };

/* FLOW/TEST ID/SUBTEST/COLUMN. */
static rg_error *set_name(rg_buf *name, const rg_case *c, const char *column)
{
	const char *parts[] = {c->flow, c->test_id, c->subtest, column};
	rg_buf_clear(name);
	for (size_t i = 0; i < sizeof(parts) / sizeof(*parts); i++)
		if (*parts[i])
			rg_buf_printf(name, "%s%s", name->length ? "/" : "", parts[i]);
	return rg_buf_check(name, "a metric's name");
}

static rg_error *add_case(rg_golden_builder *builder, rg_buf *name, const rg_case *c)
{
	/* "Fail: Output Mismatch" */
	RG_TRY(set_name(name, c, "Result"));
	RG_AUTO_FREE char *text = rg_textf("%s%s%s", rg_case_result_text(c->result),
					   *c->detail ? ": " : "", c->detail);
	RG_TRY(rg_golden_builder_text(builder, name->data, name->length, text, strlen(text)));
	rg_golden_builder_place(builder, RG_SCALE_RESULT, rg_case_place(c));
	for (size_t i = 0; i < c->field_count; i++) {
		const rg_case_field *field = &c->fields[i];
		RG_TRY(set_name(name, c, field->column));
		if (field->text) {
			RG_TRY(rg_golden_builder_text(builder, name->data, name->length,
						      field->text, strlen(field->text)));
		} else {
			rg_golden_builder_value(builder, 0, field->value);
			RG_TRY(rg_golden_builder_series(builder, name->data, name->length, NULL));
			rg_golden_builder_unit(builder, field->unit);
		}
		/* Delegation of a test that passes, and SNRs, are worth more than to be the same.
		 */
		if (!field->text && rg_ends_with(field->column, " SNR"))
			rg_golden_builder_place(builder, RG_SCALE_SNR, field->value);
		else if (field->text && c->result == RG_CASE_PASS &&
			 !strcmp(field->column, "Delegated"))
			rg_golden_builder_place(builder, RG_SCALE_DELEGATED,
						strcmp(field->text, "True") ? 1 : 0);
	}
	return NULL;
}

static uint64_t sum_hashes(const rg_golden_builder *builder)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < builder->count; i++) {
		const rg_metric *m = &builder->metrics[i];
		const uint64_t hash = rg_hash_bytes(RG_HASH_NONE, m->name, strlen(m->name) + 1);
		sum += m->kind == RG_METRIC_TEXT
			       ? rg_hash_bytes(hash, m->text, m->count)
			       : rg_hash_bytes(hash, m->values, m->count * sizeof(*m->values));
	}
	return sum;
}

/* Parts may hold slashes, and columns appear twice: of equal names the last counts. */
static void drop_twice(rg_golden_builder *builder)
{
	const size_t count = builder->count;
	const uint64_t sum = sum_hashes(builder);
	rg_arena *arena = &builder->golden->arena;
	rg_unread dropped = {0};
	rg_metric first;

	rg_sort_keep_last(builder->metrics, &builder->count, sizeof(*builder->metrics),
			  rg_metric_compare, &first);
	dropped.count = count - builder->count;
	builder->golden->duplicate_keys += dropped.count;
	if (!dropped.count)
		return;
	dropped.sum = sum - sum_hashes(builder);
	dropped.first = rg_arena_textf(arena, "%s, which comes again", first.name);
	rg_unread_join(&builder->golden->unread, &dropped, arena);
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	RG_AUTO(rg_case_list) list = {0};
	RG_AUTO(rg_buf) name = rg_buf_of(RG_BUF_TEXT);

	(void)options;
	builder->name_bytes_max = in->size > SIZE_MAX / 256 ? SIZE_MAX
							    : in->size * NAMES_TO_INPUT + NAMES_MIN;
	RG_TRY(rg_case_list_add(&list, in->data, in->size));
	rg_case_list_finish(&list);
	for (size_t i = 0; i < list.count; i++)
		RG_TRY(add_case(builder, &name, &list.cases[i]));
	builder->golden->duplicate_keys = list.duplicates;
	drop_twice(builder);
	rg_unread_join(&builder->golden->unread, &list.unread, &builder->golden->arena);
	return NULL;
}

/* These are JSON and CSV of a special form, which outbids the general one. */
static int bid_json(const rg_input *in)
{
	return rg_case_report_kind(in->data, in->size) == RG_CASE_REPORT_JSON ? 110 : 0;
}

/* By its name alone a .csv could be anything; these are what the tester calls its own. */
static bool is_report_name(const char *name)
{
	const char *base = rg_path_name(name);
	return rg_ends_with(base, ".csv") &&
	       (!strncmp(base, "test-report", 11) || !strncmp(base, "test_result", 11));
}

static int bid_csv(const rg_input *in)
{
	if (!in->size)
		return is_report_name(in->name) ? 10 : 0;
	return rg_case_report_kind(in->data, in->size) == RG_CASE_REPORT_CSV ? 50 : 0;
}

const rg_format rg_format_backend_csv = {
	.name = "backend-csv", .bid = bid_csv, .read = read_golden, .has_results = true};
const rg_format rg_format_backend_json = {
	.name = "backend-json", .bid = bid_json, .read = read_golden, .has_results = true};
