#include "base/file.h"
#include "golden/backend_report.h"
#include "golden/format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reports of backend tests as goldens: a group of metrics a case. */

/* Names' bytes to the file's, and what any file may have. */
enum { NAMES_TO_INPUT = 128, NAMES_MIN = 1 << 20 };

/* The golden under way. */
typedef struct {
	rg_golden *golden;
	size_t name_bytes; /* that its metrics' names may still take */
} filling;

/* FLOW/TEST ID/SUBTEST/COLUMN. A case's parts stand once in the file and again in each of its
 * names. */
static rg_error *metric_name(filling *f, const rg_case *c, const char *column, const char **out)
{
	const char *parts[] = {c->flow, c->test_id, c->subtest, column};
	size_t length = 0, i;
	char *p;

	for (i = 0; i < 4; i++)
		length += strlen(parts[i]) + 1;
	if (length > f->name_bytes)
		return rg_error_new(RG_E_LIMIT,
				    "its metrics' names are more than %d times as long as the file",
				    NAMES_TO_INPUT);
	f->name_bytes -= length;
	*out = p = rg_arena_alloc(&f->golden->arena, length + 1);
	if (!p)
		return rg_error_nomem();
	for (i = 0; i < 4; i++) {
		size_t n = strlen(parts[i]);

		if (!n)
			continue;
		memcpy(p, parts[i], n);
		p += n;
		*p++ = '/';
	}
	p[-1] = '\0';
	return NULL;
}

static rg_error *result_metric(filling *f, const rg_case *c, rg_metric *out)
{
	const char *result = rg_case_result_text(c->result);
	size_t length = strlen(result) + 2 + strlen(c->detail);
	char *text = rg_arena_alloc(&f->golden->arena, length + 1);

	if (!text)
		return rg_error_nomem();
	snprintf(text, length + 1, "%s%s%s", result, *c->detail ? ": " : "", c->detail);
	*out = (rg_metric){.kind = RG_METRIC_TEXT, .text = text, .count = strlen(text)};
	return metric_name(f, c, "Result", &out->name);
}

static rg_error *field_metric(filling *f, const rg_case *c, const rg_case_field *field,
			      rg_metric *out)
{
	if (field->text)
		*out = (rg_metric){
			.kind = RG_METRIC_TEXT, .text = field->text, .count = strlen(field->text)};
	else
		*out = (rg_metric){.kind = RG_METRIC_SERIES, .values = &field->value, .count = 1};
	return metric_name(f, c, field->column, &out->name);
}

static int compare_metrics(const void *a, const void *b)
{
	const rg_metric *left = a, *right = b;
	int order = strcmp(left->name, right->name);

	return order ? order
		     : (left->start_step > right->start_step) -
			       (left->start_step < right->start_step);
}

/* Parts may hold slashes, and columns stand twice: of equal names the last counts. */
static void drop_twins(rg_golden *golden, rg_metric *metrics, size_t count)
{
	size_t i, kept = 0;

	for (i = 0; i < count; i++)
		metrics[i].start_step = (int64_t)i;
	if (count)
		qsort(metrics, count, sizeof(*metrics), compare_metrics);
	for (i = 0; i < count; i++) {
		if (i + 1 < count && !strcmp(metrics[i].name, metrics[i + 1].name)) {
			golden->duplicate_keys++;
			continue;
		}
		metrics[kept] = metrics[i];
		metrics[kept++].start_step = 0;
	}
	golden->metrics = metrics;
	golden->count = kept;
}

static rg_error *fill(rg_golden *golden, const rg_case_list *list, size_t input_size)
{
	filling f = {golden, input_size > SIZE_MAX / 256 ? SIZE_MAX
							 : input_size * NAMES_TO_INPUT + NAMES_MIN};
	size_t count = 0, i, k;
	rg_metric *metrics;

	for (i = 0; i < list->count; i++)
		count += 1 + list->cases[i].field_count;
	metrics = rg_arena_alloc(&golden->arena, (count + 1) * sizeof(*metrics));
	if (!metrics)
		return rg_error_nomem();
	count = 0;
	for (i = 0; i < list->count; i++) {
		const rg_case *c = &list->cases[i];

		RG_TRY(result_metric(&f, c, &metrics[count++]));
		for (k = 0; k < c->field_count; k++)
			RG_TRY(field_metric(&f, c, &c->fields[k], &metrics[count++]));
	}
	golden->duplicate_keys = list->duplicates;
	drop_twins(golden, metrics, count);
	return NULL;
}

static rg_error *read_golden(rg_golden *golden, const rg_input *in,
			     const rg_golden_options *options)
{
	rg_case_list list = {0};
	rg_error *err;

	(void)options;
	err = rg_case_list_add(&list, in->data, in->size);
	if (!err) {
		/* The fields stay with the golden. */
		rg_case_list_finish(&list);
		rg_arena_release(&golden->arena);
		golden->arena = list.arena;
		rg_arena_init(&list.arena);
		err = fill(golden, &list, in->size);
	}
	rg_case_list_release(&list);
	return err;
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
	.name = "backend-csv", .bid = bid_csv, .read = read_golden};
const rg_format rg_format_backend_json = {
	.name = "backend-json", .bid = bid_json, .read = read_golden};
