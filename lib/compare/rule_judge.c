/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "compare/rules.h"
#include "golden/records.h"
#include "golden/tensor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WINDOW = 512, STRETCHED_MAX = 1 << 28 };

/* --- an array --- */

/* A metric's values as a tool gets them: in the file's order, and NaN for a table's record without
 * a number. */
typedef struct {
	const rg_metric *metric;
	size_t count, dimensions;
	const int64_t *shape;
	rg_dtype type; /* a tensor's, or what it is unpacked to; of all others float64 */
	bool is_raw;
	bool whole;     /* every value is a whole number */
	size_t *places; /* a table's records', or SIZE_MAX; NULL: their positions */
	size_t base, filled;
	double values[WINDOW], rests[WINDOW];
	int64_t own_shape;
} array;

/* Puts the values of a table's side back into the order of its records. */
static void find_places(array *a, const rg_metric *metric, unsigned char side, bool by_name)
{
	const rg_records *records = metric->records;
	const bool moved = side == RG_RECORD_NEW && records->new_order && !by_name;
	RG_AUTO_FREE size_t *at = rg_malloc((records->count + 1) * sizeof(*at));

	memset(at, 0xff, records->count * sizeof(*at)); /* SIZE_MAX */
	for (size_t i = 0; i < metric->count; i++)
		at[rg_metric_step(metric, i)] = i;
	a->places = rg_malloc((records->count + 1) * sizeof(*a->places));
	a->count = 0;
	for (size_t i = 0; i < (moved ? records->new_count : records->count); i++) {
		const size_t place = moved ? records->new_order[i] : i;
		if (!records->sides || records->sides[place] & side)
			a->places[a->count++] = at[place];
	}
}

static rg_error *fill(array *a, size_t at)
{
	const rg_metric *m = a->metric;
	unsigned char bytes[WINDOW * RG_DTYPE_SIZE_MAX];

	a->base = at;
	a->filled = m->count - at < WINDOW ? m->count - at : WINDOW;
	memset(a->rests, 0, sizeof(a->rests));
	for (size_t i = 0; m->kind == RG_METRIC_TOKENS && i < a->filled; i++) {
		a->values[i] = (double)m->tokens[at + i];
		a->rests[i] = (double)((long double)m->tokens[at + i] - (long double)a->values[i]);
	}
	if (m->kind == RG_METRIC_TOKENS)
		return NULL;
	if (m->tensor && (rg_dtype_is_wide(a->type) || a->is_raw))
		rg_tensor_bytes(m->tensor, at, a->filled, bytes);
	if (m->tensor && rg_dtype_is_wide(a->type))
		rg_dtype_rest(a->type, bytes, a->filled, a->rests);
	if (m->tensor && a->is_raw) {
		rg_dtype_to_double(a->type, !rg_dtype_is_host_order(a->type, false), bytes,
				   a->filled, a->values);
		return NULL;
	}
	return rg_metric_read(m, at, a->filled, a->values);
}

/* The nearest double, and with all digits of a whole number. */
static rg_error *value_at(array *a, size_t at, double *value, long double *exact)
{
	const rg_metric *m = a->metric;

	at = a->places ? a->places[at] : at;
	*value = NAN;
	*exact = NAN;
	if (at == SIZE_MAX)
		return NULL;
	if (at < a->base || at >= a->base + a->filled)
		RG_TRY(fill(a, at));
	*value = a->values[at - a->base];
	*exact = (long double)*value + (long double)a->rests[at - a->base];
	const char *digits = rg_record_text_at(m->digits, m->digit_count, rg_metric_step(m, at));
	if (digits)
		*exact = strtold(digits, NULL);
	return NULL;
}

static rg_error *open_array(array *a, const rg_metric *metric, unsigned char side,
			    const rg_checks_limits *limits)
{
	const rg_tensor *tensor = metric->tensor;
	double value = 0;
	long double exact;

	a->metric = metric;
	a->count = metric->count;
	a->is_raw = limits->rule->traits & RG_TOOL_RAW;
	a->type = !tensor ? RG_DTYPE_FLOAT64 : tensor->dtype;
	if (tensor && rg_tensor_is_packed(tensor) && !a->is_raw)
		a->type = tensor->convention->as_float ? RG_DTYPE_FLOAT32 : RG_DTYPE_FLOAT64;
	if (metric->records)
		find_places(a, metric, side, limits->parameters[RG_TOOL_BY_NAME] != 0);
	a->own_shape = (int64_t)a->count;
	a->dimensions = tensor ? tensor->dimensions : 1;
	a->shape = tensor ? tensor->shape : &a->own_shape;
	a->whole = true;
	for (size_t i = 0; rg_dtype_is_float(a->type) && i < a->count && a->whole; i++) {
		RG_TRY(value_at(a, i, &value, &exact));
		/* A CSV file has no exponent up to 1e17. */
		a->whole = isfinite(value) && value == rint(value) &&
			   (fabs(value) < 1e17 || exact != (long double)value);
	}
	return NULL;
}

/* Dimension k from the last; 1 beyond the first. */
static size_t dimension(const array *a, size_t k)
{
	return k < a->dimensions ? (size_t)a->shape[a->dimensions - 1 - k] : 1;
}

/* --- two arrays --- */

typedef struct {
	array old, fresh;
	rg_tool_sums all;
	bool stretched; /* to this shape, of which the last dimension comes first */
	size_t shape[RG_METRIC_DIMENSIONS], dimensions, count;
} judgement;

static void judgement_free(judgement *j)
{
	if (j)
		free(j->old.places);
	if (j)
		free(j->fresh.places);
	free(j);
}
RG_FREE_AT(judgement)

/* Dimensions of 1 are stretched, and the shape with fewer gets them in front. */
static bool stretch(judgement *j)
{
	const size_t old = j->old.dimensions, fresh = j->fresh.dimensions;

	j->stretched = true;
	j->dimensions = old > fresh ? old : fresh;
	j->count = 1;
	for (size_t k = 0; k < j->dimensions; k++) {
		const size_t a = dimension(&j->old, k), b = dimension(&j->fresh, k);
		j->shape[k] = a == 1 ? b : a;
		/* numpy has no memory for so many either. */
		if ((a != b && a != 1 && b != 1) ||
		    __builtin_mul_overflow(j->count, j->shape[k], &j->count) ||
		    j->count > STRETCHED_MAX)
			return false;
	}
	return true;
}

static size_t place(const judgement *j, const array *a, size_t i)
{
	size_t at = 0, step = 1;
	for (size_t k = 0; j->stretched && k < j->dimensions; k++) {
		const size_t own = dimension(a, k);
		at += own == 1 ? 0 : i % j->shape[k] * step;
		i /= j->shape[k];
		step *= own;
	}
	return j->stretched ? at : i;
}

/* One NaN is not another here: R writes NA as a NaN of its own. */
static bool has_same_bits(double a, double b)
{
	uint64_t x, y;

	memcpy(&x, &a, sizeof(x));
	memcpy(&y, &b, sizeof(y));
	return x == y;
}

static bool has_same_shape(const judgement *j)
{
	const size_t a = j->old.dimensions;
	return a == j->fresh.dimensions &&
	       !memcmp(j->old.shape, j->fresh.shape, a * sizeof(*j->old.shape));
}

/* Are the arrays compared, element by element? */
static bool shapes_fit(judgement *j, const rg_tool_rule *rule)
{
	const bool has_scalar = !j->old.dimensions || !j->fresh.dimensions;

	j->count = j->old.count < j->fresh.count ? j->old.count : j->fresh.count;
	if (rule->types && !rule->types(j->old.type, j->fresh.type))
		return false;
	return has_same_shape(j) || ((rule->shape == RG_SHAPE_STRETCHED ||
				      (rule->shape == RG_SHAPE_SCALAR && has_scalar)) &&
				     stretch(j));
}

/* Counts what only one side has, by the names of records and by steps, and what changed its place,
 * shape or type. */
static void count_alone(rg_checks_result *out, const judgement *j, const rg_metric *old,
			const rg_metric *fresh)
{
	const rg_records *records = old->records;
	size_t a = 0, b = 0, both = 0;

	for (size_t i = 0; records && i < records->count; i++) {
		out->lost += rg_record_is_of(records, (int64_t)i, RG_RECORD_OLD);
		out->gained += rg_record_is_of(records, (int64_t)i, RG_RECORD_NEW);
	}
	while (!records && (old->steps || fresh->steps) && a < old->count && b < fresh->count) {
		const int64_t was = rg_metric_step(old, a), is = rg_metric_step(fresh, b);
		a += was <= is;
		b += is <= was;
		both += was == is;
	}
	if (!records && !old->steps && !fresh->steps)
		both = old->count < fresh->count ? old->count : fresh->count;
	if (!records) {
		out->lost = old->count - both;
		out->gained = fresh->count - both;
	}
	if (out->lost || out->gained)
		return;
	for (size_t i = 0; records && records->new_order && i < records->new_count; i++)
		out->moved += records->new_order[i] != i;
	out->reshaped = !has_same_shape(j);
	out->retyped = j->old.type != j->fresh.type;
}

static rg_error *compare_values(rg_checks_result *out, judgement *j, const rg_checks_limits *limits)
{
	const bool old_f32 = j->old.type == RG_DTYPE_FLOAT32 && j->old.dimensions;
	const bool new_f32 = j->fresh.type == RG_DTYPE_FLOAT32 && j->fresh.dimensions;
	rg_tool_pair v = {.from = j->old.type,
			  .to = j->fresh.type,
			  .old_f32 = old_f32,
			  .both_f32 = old_f32 && new_f32,
			  .both_whole = j->old.whole && j->fresh.whole,
			  .new_whole = j->fresh.whole,
			  .alone = j->count == 1,
			  .typed = j->old.metric->tensor && j->fresh.metric->tensor};

	const rg_tool_rule *rule = limits->rule;
	j->all.same_bits = true;
	for (size_t i = 0; i < j->count; i++) {
		RG_TRY(value_at(&j->old, place(j, &j->old, i), &v.old, &v.was));
		RG_TRY(value_at(&j->fresh, place(j, &j->fresh, i), &v.fresh, &v.is));
		const bool was_masked = rg_is_masked(v.old), is_masked = rg_is_masked(v.fresh);
		out->now_masked += is_masked && !was_masked;
		out->now_nan += isnan(v.fresh) && !is_masked && (!isnan(v.old) || was_masked);
		out->now_inf += isinf(v.fresh) && !(isinf(v.old) && v.old == v.fresh);
		out->now_finite += isfinite(v.fresh) && !isfinite(v.old);
		j->all.same_bits &= has_same_bits(v.old, v.fresh) &&
				    (v.was == v.is || isnan(v.old));
		if (out->why == RG_WHY_SHAPE ||
		    (rule->traits & RG_TOOL_MASKS && (was_masked || is_masked)) ||
		    rule->equal(&v, limits->parameters))
			continue;
		out->failed++;
		j->all.old += fabs(v.old);
		j->all.off += fabs(v.old - v.fresh);
	}
	out->steps = j->count;
	j->all.count = out->failed;
	return NULL;
}

/* Does the tool pass over "/a/x@units", or "/a/x(dimensions)", of NetCDF and HDF5? */
static bool is_passed_over(const char *name, unsigned traits)
{
	const char *dimensions = strstr(name, "(dimensions)");
	if (*name != '/' && *name != '@')
		return false;
	return dimensions ? traits & RG_TOOL_DATA && !(traits & RG_TOOL_DIMENSIONS)
			  : traits & RG_TOOL_DATA && strchr(name, '@');
}

static bool is_numbers(const rg_metric *metric)
{
	return metric && (metric->kind == RG_METRIC_SERIES || metric->kind == RG_METRIC_TOKENS);
}

static size_t skip_na(const rg_metric *m, size_t at, const rg_tool_rule *rule)
{
	while (!(rule->traits & RG_TOOL_NA) && at < m->text_count &&
	       !strcmp(m->texts[at].text, "NA"))
		at++;
	return at;
}

/* Texts by record are equal or not; to most tools NA is a record without a number. */
static bool are_texts_equal(const rg_metric *old, const rg_metric *fresh, const rg_tool_rule *rule)
{
	size_t a = skip_na(old, 0, rule), b = skip_na(fresh, 0, rule);
	while (a < old->text_count && b < fresh->text_count) {
		if (old->texts[a].step != fresh->texts[b].step ||
		    strcmp(old->texts[a].text, fresh->texts[b].text) != 0)
			return false;
		a = skip_na(old, a + 1, rule);
		b = skip_na(fresh, b + 1, rule);
	}
	return a == old->text_count && b == fresh->text_count;
}

rg_error *rg_tool_rule_judge(rg_checks_result *out, const rg_checks_limits *limits,
			     const rg_metric *old, const rg_metric *fresh)
{
	const rg_tool_rule *rule = limits->rule;
	const bool both = old && fresh, same = both && old->kind == fresh->kind;
	const bool texts = same && old->kind == RG_METRIC_TEXTS;

	if (rule && both && is_passed_over(old->name, rule->traits)) {
		RG_TRY(rg_checks_metric(out, limits, old, fresh));
		out->attribute = !out->passes;
		out->passes = true;
		return NULL;
	}
	/* A text is equal or not, and a metric that one side lacks fails. */
	if (!rule || !rule->equal || !both || (same && !texts && !is_numbers(old)))
		return rg_checks_metric(out, limits, old, fresh);
	*out = (rg_checks_result){.why = RG_WHY_VALUES, .off = NAN};
	if (!is_numbers(old) || !is_numbers(fresh)) {
		out->why = RG_WHY_MEGATRON;
		out->retyped = !same;
		out->passes = texts ? are_texts_equal(old, fresh, rule) : rule->types != NULL;
		return NULL;
	}
	RG_AUTO_PTR(judgement)
	j = rg_calloc(1, sizeof(*j));
	RG_TRY(open_array(&j->old, old, RG_RECORD_OLD, limits));
	RG_TRY(open_array(&j->fresh, fresh, RG_RECORD_NEW, limits));
	count_alone(out, j, old, fresh);
	if (!shapes_fit(j, rule)) {
		out->why = RG_WHY_SHAPE;
		out->passes = rule->shape == RG_SHAPE_SKIPPED;
		return out->passes ? compare_values(out, j, limits) : NULL;
	}
	RG_TRY(compare_values(out, j, limits));
	out->passes =
		!out->failed ||
		(rule->traits & RG_TOOL_SCALARS && !j->old.dimensions && !j->fresh.dimensions) ||
		(rule->whole && rule->whole(&j->all, limits->parameters, &out->off));
	if (!isnan(out->off))
		out->why = RG_WHY_MEAN;
	return NULL;
}
