/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/record_pair.h"

#include "base/memory.h"
#include "base/order.h"
#include "compare/text_pair.h"
#include "golden/records.h"

#include <stdlib.h>
#include <string.h>

/* A table as lines of numbers, a record each. */
typedef struct {
	const rg_golden *golden;
	size_t count;
	rg_text_line *lines;
	uint64_t *whole, *texts; /* of each record: hashes of all its cells, and of its texts */
	uint32_t *ids, *text_ids;
	uint32_t *metrics, *places; /* of each number */
	const rg_metric **by_metric;
	const char **names;
	rg_text_lines source;
	size_t *partners;
	rg_text_fate *fates;
} lines;

static bool has_numbers(const rg_metric *metric)
{
	return metric->records && metric->kind == RG_METRIC_SERIES;
}

static uint64_t hash_cell(const rg_metric *metric, const void *bytes, size_t length)
{
	const uint64_t hash = rg_hash_bytes(RG_HASH_NONE, metric->name, strlen(metric->name) + 1);
	return rg_hash_bytes(hash, bytes, length);
}

/* Adds the hashes of a metric's cells to those of their records; the sums do not depend on the
 * order of columns. */
static size_t hash_metric(lines *l, const rg_metric *metric)
{
	const size_t numbers = has_numbers(metric) ? metric->count : 0;
	for (size_t i = 0; i < numbers; i++) {
		const int64_t record = rg_metric_step(metric, i);
		l->lines[record].numbers++;
		l->whole[record] += hash_cell(metric, &metric->values[i], sizeof(double));
		l->texts[record] += hash_cell(metric, "", 0);
	}
	for (size_t i = 0; metric->records && i < metric->text_count; i++) {
		const rg_record_text *text = &metric->texts[i];
		const uint64_t hash = hash_cell(metric, text->text, strlen(text->text) + 1);
		l->whole[text->step] += hash;
		l->texts[text->step] += hash;
	}
	return numbers;
}

/* Lists the numbers of each record, in the order of the metrics. */
static void list_numbers(lines *l, size_t all)
{
	size_t next = 0;
	l->metrics = rg_calloc(all + 1, sizeof(*l->metrics));
	l->places = rg_calloc(all + 1, sizeof(*l->places));
	for (size_t k = 0; k < l->count; k++) {
		l->lines[k].first = next;
		next += l->lines[k].numbers;
		l->lines[k].numbers = 0;
	}
	for (size_t m = 0; m < l->golden->count; m++) {
		const rg_metric *metric = &l->golden->metrics[m];
		l->by_metric[m] = metric;
		l->names[m] = metric->name;
		for (size_t i = 0; has_numbers(metric) && i < metric->count; i++) {
			rg_text_line *line = &l->lines[rg_metric_step(metric, i)];
			const size_t at = line->first + line->numbers++;
			l->metrics[at] = (uint32_t)m;
			l->places[at] = (uint32_t)i;
		}
	}
}

static void open_lines(lines *l, const rg_golden *golden)
{
	static const rg_text_skeleton none = {"", 0};
	const size_t count = golden->records->count;
	size_t numbers = 0;

	*l = (lines){.golden = golden, .count = count};
	l->lines = rg_calloc(count + 1, sizeof(*l->lines));
	l->whole = rg_calloc(2 * count + 1, sizeof(*l->whole));
	l->texts = l->whole + count;
	l->ids = rg_calloc(2 * count + 1, sizeof(*l->ids));
	l->text_ids = l->ids + count;
	l->partners = rg_calloc(count + 1, sizeof(*l->partners));
	l->fates = rg_calloc(count + 1, sizeof(*l->fates));
	l->by_metric = rg_calloc(golden->count + 1, sizeof(*l->by_metric));
	l->names = rg_calloc(golden->count + 1, sizeof(*l->names));
	for (size_t m = 0; m < golden->count; m++)
		numbers += hash_metric(l, &golden->metrics[m]);
	list_numbers(l, numbers);
	l->source = (rg_text_lines){.lines = l->lines,
				    .count = count,
				    .skeletons = &none,
				    .skeleton_count = 1,
				    .metrics = l->metrics,
				    .names = l->names,
				    .name_count = golden->count};
}

static void lines_release(lines *l)
{
	free(l->lines);
	free(l->whole);
	free(l->ids);
	free(l->partners);
	free(l->fates);
	free(l->by_metric);
	free(l->names);
	free(l->metrics);
	free(l->places);
}

typedef struct {
	uint64_t hash;
	uint32_t *id;
} numbered;

RG_ORDER(compare_numbered, numbered, RG_RISING(hash));

/* Gives lines of equal hashes the same number on both sides. */
static void number_alike(const uint64_t *old, uint32_t *old_ids, size_t old_count,
			 const uint64_t *fresh, uint32_t *fresh_ids, size_t fresh_count)
{
	const size_t all = old_count + fresh_count;
	RG_AUTO_FREE numbered *sorted = rg_calloc(all + 1, sizeof(*sorted));
	uint32_t id = 0;

	for (size_t i = 0; i < all; i++)
		sorted[i] = i < old_count
				    ? (numbered){old[i], &old_ids[i]}
				    : (numbered){fresh[i - old_count], &fresh_ids[i - old_count]};
	qsort(sorted, all, sizeof(*sorted), compare_numbered);
	for (size_t i = 0; i < all; i++) {
		id += i && sorted[i].hash != sorted[i - 1].hash;
		*sorted[i].id = id;
	}
}

static rg_text_side side_of(const lines *l)
{
	return (rg_text_side){.count = l->count,
			      .lines = l->ids,
			      .skeletons = l->text_ids,
			      .source = &l->source,
			      .metrics = l->by_metric,
			      .places = l->places,
			      .partners = l->partners,
			      .fates = l->fates};
}

void rg_records_pair(const rg_golden *old, const rg_golden *fresh, size_t *places)
{
	RG_AUTO(lines) a = {0};
	RG_AUTO(lines) b = {0};

	open_lines(&a, old);
	open_lines(&b, fresh);
	number_alike(a.whole, a.ids, a.count, b.whole, b.ids, b.count);
	number_alike(a.texts, a.text_ids, a.count, b.texts, b.text_ids, b.count);
	const rg_text_side sides[2] = {side_of(&a), side_of(&b)};
	rg_text_sides_pair(&sides[0], &sides[1]);
	memcpy(places, b.partners, b.count * sizeof(*places));
}
