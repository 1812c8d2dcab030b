/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/records.h"

#include "base/json.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/utf8.h"
#include "golden/text_token.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Keys that are named in brief. */
enum { RECORDS_BRIEF = 8 };

static int compare_named(const void *a, const void *b)
{
	const char *const *left = *(const char *const *const *)a;
	const char *const *right = *(const char *const *const *)b;
	int order = strcmp(*left, *right);

	return order ? order : (left > right) - (left < right);
}

const char *const **rg_names_sorted(const char *const *names, size_t count)
{
	const char *const **sorted = rg_malloc((count + 1) * sizeof(*sorted));
	for (size_t i = 0; i < count; i++)
		sorted[i] = &names[i];
	qsort(sorted, count, sizeof(*sorted), compare_named);
	return sorted;
}

rg_error *rg_records_new(rg_records **out, rg_arena *arena, const char *const *names, size_t count)
{
	rg_records *records = rg_arena_alloc(arena, sizeof(*records));
	size_t *order = rg_arena_alloc(arena, count * sizeof(*order));
	bool ascend = true;

	*out = records;
	*records = (rg_records){.names = names, .order = order, .count = count};
	for (size_t i = 0; i < count; i++) {
		ascend &= !i || strcmp(names[i - 1], names[i]) < 0;
		order[i] = i;
	}
	if (ascend)
		return NULL;
	RG_AUTO_FREE const char *const **sorted = rg_names_sorted(names, count);
	for (size_t i = 0; i < count; i++) {
		order[i] = (size_t)(sorted[i] - names);
		if (i && !strcmp(*sorted[i - 1], *sorted[i]))
			return rg_error_new(RG_E_PARSE, "two records are both '%s'", *sorted[i]);
	}
	return NULL;
}

const char *rg_records_share_name(const rg_records *like, size_t place, const char *name,
				  size_t length)
{
	const char *shared = like && length && place < like->count ? like->names[place] : NULL;
	return shared && !strncmp(shared, name, length) && !shared[length] ? shared : NULL;
}

bool rg_records_share(rg_records **out, rg_arena *arena, const rg_records *like,
		      const char *const *names, size_t count)
{
	if (!like || !count || like->count != count ||
	    memcmp(like->names, names, count * sizeof(*names)))
		return false;
	*out = rg_arena_alloc(arena, sizeof(**out));
	**out = (rg_records){.names = like->names, .order = like->order, .count = count};
	return true;
}

void rg_records_write(rg_buf *out, const rg_records *records)
{
	rg_json_out json;
	rg_json_out_init(&json, out);
	rg_json_open_flat(&json, '[');
	for (size_t i = 0; i < records->count; i++)
		rg_json_path(&json, records->names[i]);
	rg_json_close(&json, ']');
}

rg_error *rg_records_read(rg_records **out, rg_arena *arena, const char *json, size_t length,
			  size_t count)
{
	const char **names = rg_arena_alloc(arena, (count + 1) * sizeof(*names));
	const cJSON *item;
	cJSON *list;
	size_t n = 0;
	RG_TRY(rg_json_parse_bytes(&list, json, length));
	cJSON_ArrayForEach(item, list)
	{
		if (n == count || !cJSON_IsString(item)) {
			n = count + 1;
			break;
		}
		names[n++] = rg_arena_text(arena, item->valuestring);
	}
	cJSON_Delete(list);
	return n == count ? rg_records_new(out, arena, names, count)
			  : rg_error_new(RG_E_PARSE, "the records are not %zu texts", count);
}

bool rg_records_find(const rg_records *records, const char *name, size_t *place)
{
	size_t low = 0, high = records->count;
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = strcmp(records->names[records->order[middle]], name);

		if (!order) {
			*place = records->order[middle];
			return true;
		}
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return false;
}

const char *rg_step_name(const rg_records *records, int64_t step, char number[static RG_STEP_TEXT])
{
	if (records && step >= 0 && (uint64_t)step < records->count)
		return records->names[step];
	snprintf(number, RG_STEP_TEXT, "%" PRId64, step);
	return number;
}

size_t rg_records_count_shared(const rg_metric *metric)
{
	size_t count = metric->count;
	for (size_t i = 0; metric->records && i < metric->count; i++)
		count -= rg_record_is_alone(metric->records, metric->kind == RG_METRIC_TEXTS
								     ? metric->texts[i].step
								     : rg_metric_step(metric, i));
	return count;
}

/* How many bytes the cells have that all keys begin with, or, if `end`, end with. The first `from`
 * bytes of each key are left out. A comma in quotes does not separate cells. */
static size_t shared_cells(const rg_records *records, size_t from, bool end)
{
	const char *first = records->count ? records->names[0] + from : "";
	size_t length = strlen(first), shared = length, kept = 0;
	bool quoted = false;

	for (size_t k = 1; k < records->count; k++) {
		const char *name = records->names[k] + from;
		size_t other = strlen(name), i = 0;
		while (i < shared && i < other &&
		       first[end ? length - 1 - i : i] == name[end ? other - 1 - i : i])
			i++;
		shared = i;
	}
	for (size_t i = 0; records->count > 1 && i < shared; i++) {
		const char byte = first[end ? length - 1 - i : i];
		quoted ^= byte == '"';
		if (byte == ',' && !quoted)
			kept = i + 1;
	}
	return kept;
}

void rg_records_alone_find(rg_records_alone *out, rg_arena *arena, const rg_records *records,
			   unsigned char side)
{
	const size_t before = shared_cells(records, 0, false);
	const size_t after = shared_cells(records, before, true);
	RG_AUTO(rg_buf) brief = rg_buf_of(RG_BUF_ANY);
	RG_AUTO(rg_buf) names = rg_buf_of(RG_BUF_ANY);

	*out = (rg_records_alone){0};
	for (size_t i = 0; i < records->count; i++) {
		const char *name = records->names[i];
		const size_t length = strlen(name);
		out->of += records->sides ? (records->sides[i] & side) != 0 : 1;
		if (!rg_record_is_of(records, (int64_t)i, side))
			continue;
		rg_buf_str(&names, out->count ? ", " : "");
		rg_utf8_add_safe(&names, name, length);
		if (out->count++ < RECORDS_BRIEF) {
			rg_buf_str(&brief, brief.length ? ", " : "");
			rg_utf8_add_safe(&brief, name + before, length - before - after);
		}
	}
	if (out->count > RECORDS_BRIEF)
		rg_buf_str(&brief, ", …");
	out->names = names.length ? rg_arena_text(arena, names.data) : NULL;
	out->brief = brief.length ? rg_arena_text(arena, brief.data) : NULL;
}

const char *rg_step_word(const rg_records *records, bool one)
{
	return records ? (one ? "record" : "records") : (one ? "step" : "steps");
}

void rg_record_key_add(rg_buf *key, const char *cell, size_t length, size_t at, size_t count)
{
	if (at)
		rg_buf_char(key, ',');
	if (count > 1 && (memchr(cell, ',', length) || memchr(cell, '"', length)))
		rg_buf_quoted(key, cell, length);
	else
		rg_buf_add(key, cell, length);
}

/* --- columns --- */

/* The last so many values stay in memory; those that were added before them need not. */
enum { WINDOW = 8 * 1024, SPILLED = 4 * WINDOW, MANY = 2 * SPILLED };

/* The window goes, and the file that it is written to. */
static void release_window(rg_record_column *column)
{
	if (column->window && column->file >= 0)
		close(column->file); /* it is in the map, too */
	free(column->window);
	column->window = NULL;
}

static void release_values(rg_record_column *column)
{
	release_window(column);
	if (column->spilled)
		rg_spill_free(column->values, column->spilled);
	else
		free(column->values);
}

void rg_record_column_settle(const rg_record_column *c)
{
	const size_t pending = c->window ? (size_t)(c->next - c->window) : 0;
	if (pending)
		rg_spill_write(c->values, c->file, (c->count - pending) * sizeof(*c->values),
			       c->window, pending * sizeof(*c->values));
}

static void grow_values(rg_record_column *c)
{
	/* Each map is a file of its own, so that growing copies all of it. */
	const size_t capacity = (c->count < MANY ? 16 : 2) * c->count,
		     size = capacity * sizeof(*c->values), used = c->count * sizeof(*c->values);
	int file;
	double *larger = c->count < SPILLED ? NULL : rg_spill_new(size, &file);
	if (!larger && !c->spilled) {
		rg_grow(&c->values, &c->capacity, c->count + 1, sizeof(*c->values));
		return;
	}
	const bool spilled = larger;
	if (spilled)
		rg_spill_write(larger, file, 0, c->values, used);
	else
		larger = memcpy(rg_malloc(size), c->values, used);
	release_values(c);
	c->values = larger;
	c->capacity = capacity;
	c->spilled = spilled ? size : 0;
	c->window = spilled ? rg_malloc(WINDOW * sizeof(*c->window)) : NULL;
	c->file = spilled ? file : -1;
}

static void make_room(rg_record_column *c)
{
	rg_record_column_settle(c);
	if (c->count == c->capacity)
		grow_values(c);
	const size_t room = c->capacity - c->count;
	c->next = c->window ? c->window : c->values + c->count;
	c->end = c->next + (c->window && room > WINDOW ? WINDOW : room);
}

void rg_record_column_release(rg_record_column *column)
{
	free(column->steps);
	release_values(column);
	free(column->tolerances);
	free(column->errors);
	free(column->texts);
	free(column->digits);
	free(column->units);
	*column = (rg_record_column){0};
}

void rg_record_column_number(rg_record_column *column, int64_t step, double value)
{
	const bool first = !column->steps;
	if (column->next == column->end)
		make_room(column);
	/* Steps are kept from the first one on that is not its value's place. */
	if (!first || step != (int64_t)column->count) {
		rg_grow(&column->steps, &column->step_capacity, column->count + 1,
			sizeof(*column->steps));
		for (size_t i = 0; first && i < column->count; i++)
			column->steps[i] = (int64_t)i;
		column->steps[column->count] = step;
	}
	*column->next++ = value;
	column->count++;
}

/* Makes room for what is beside `count` values: NaN until it is set. */
static void grow_beside(double **list, size_t *capacity, size_t count)
{
	size_t known = *capacity;
	rg_grow(list, capacity, count, sizeof(**list));
	for (size_t i = known; i < *capacity; i++)
		(*list)[i] = NAN;
}

static void keep_beside(double **list, size_t *capacity, size_t count, double value)
{
	if (isnan(value) && !*list)
		return;
	grow_beside(list, capacity, count);
	(*list)[count - 1] = value;
}

void rg_record_column_tolerance(rg_record_column *column, double tolerance)
{
	keep_beside(&column->tolerances, &column->tolerance_capacity, column->count, tolerance);
}

void rg_record_column_error(rg_record_column *column, double error)
{
	keep_beside(&column->errors, &column->error_capacity, column->count, error);
}

void rg_record_column_text(rg_record_column *column, int64_t step, const char *text)
{
	*RG_PUSH(column->texts, column->text_count, column->text_capacity) =
		(rg_record_text){step, text};
}

void rg_record_column_digits(rg_record_column *column, int64_t step, const char *digits)
{
	if (digits)
		*RG_PUSH(column->digits, column->digit_count, column->digit_capacity) =
			(rg_record_text){step, digits};
}

static void keep_unit(rg_record_column *column, int64_t step, const char *unit)
{
	*RG_PUSH(column->units, column->unit_count, column->unit_capacity) =
		(rg_record_text){step, unit};
}

void rg_record_column_keep_unit(rg_record_column *column, const char *unit)
{
	const size_t last = column->count - 1;
	if (!column->many_units) {
		if (!last)
			column->unit = unit;
		if (column->unit == unit)
			return;
		for (size_t i = 0; column->unit && i < last; i++)
			keep_unit(column, column->steps ? column->steps[i] : (int64_t)i,
				  column->unit);
		column->many_units = true;
		column->unit = NULL;
	}
	if (unit)
		keep_unit(column, column->steps ? column->steps[last] : (int64_t)last, unit);
}

void rg_record_column_cell(rg_record_column *column, int64_t step, const char *cell, size_t length,
			   const double *known, bool comma, rg_arena *arena)
{
	rg_text_number number = {.value = known ? *known : 0, .length = length};
	if (known || rg_cell_number_parse(&number, cell, length, comma)) {
		const char *unit = number.unit ? number.unit : column->named_unit;
		rg_record_column_number(column, step, number.value);
		if (fabs(number.value) >= 0x1p53)
			rg_record_column_digits(
				column, step,
				rg_whole_digits(arena, cell, number.length, number.value));
		rg_record_column_unit(column, unit);
	} else if (length) {
		rg_record_column_text(column, step, rg_arena_copy(arena, cell, length));
	}
}

/* A list of so few bytes is copied. */
enum { SHORT = 256 };

/* Hands an array, by the address of its pointer, over to the arena, without the room that it does
 * not need. */
static const void *adopt(rg_arena *arena, void *array, size_t size)
{
	RG_AUTO_FREE void *items = rg_take(array);
	if (!items)
		return NULL;
	if (size <= SHORT)
		return memcpy(rg_arena_alloc(arena, size), items, size);
	void *kept = rg_realloc(RG_TAKE(items), size);
	rg_arena_adopt(arena, kept);
	return kept;
}

void rg_record_column_hand_over(rg_record_column *c, rg_metric *metric, rg_arena *arena)
{
	if (c->tolerances)
		grow_beside(&c->tolerances, &c->tolerance_capacity, c->count);
	if (c->errors)
		grow_beside(&c->errors, &c->error_capacity, c->count);
	rg_record_column_settle(c);
	release_window(c);
	if (c->spilled) {
		rg_arena_adopt_map(arena, c->values, c->spilled);
		metric->spilled =
			(rg_span){c->values, c->count * sizeof(*c->values), rg_map_forget};
		rg_metric_forget(metric);
		metric->values = RG_TAKE(c->values);
		c->spilled = 0;
	} else {
		metric->values = adopt(arena, &c->values, c->count * sizeof(*c->values));
	}
	metric->steps = adopt(arena, &c->steps, c->count * sizeof(*c->steps));
	metric->tolerances = adopt(arena, &c->tolerances, c->count * sizeof(*c->tolerances));
	metric->errors = adopt(arena, &c->errors, c->count * sizeof(*c->errors));
	metric->texts = adopt(arena, &c->texts, c->text_count * sizeof(*c->texts));
	metric->text_count = c->text_count;
	metric->digits = adopt(arena, &c->digits, c->digit_count * sizeof(*c->digits));
	metric->digit_count = c->digit_count;
	metric->units = adopt(arena, &c->units, c->unit_count * sizeof(*c->units));
	metric->unit_count = c->unit_count;
	metric->unit = c->unit;
	metric->count = metric->values ? c->count : c->text_count;
	rg_record_column_release(c);
}

rg_error *rg_record_column_finish(rg_record_column *column, rg_golden_builder *builder,
				  const rg_records *records, const char *name)
{
	rg_metric_kind kind = column->count ? RG_METRIC_SERIES : RG_METRIC_TEXTS;
	rg_metric *metric;

	RG_TRY(rg_golden_builder_metric(builder, name, strlen(name), kind, &metric));
	rg_record_column_hand_over(column, metric, &builder->golden->arena);
	metric->records = records;
	return NULL;
}

rg_error *rg_records_add_keys(rg_golden_builder *builder, const rg_records *records,
			      const char *name)
{
	RG_AUTO(rg_record_column) keys = {0};
	for (size_t i = 0; i < records->count; i++)
		rg_record_column_text(&keys, (int64_t)i, records->names[i]);
	return rg_record_column_finish(&keys, builder, records, name);
}
