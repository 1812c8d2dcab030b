/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/merge_gate.h"

#include "base/memory.h"
#include "base/json.h"
#include "base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- precision --- */

/* Is a file there that the check asks? */
static rg_error *is_known_test(bool *out, const rg_checks_check *check, rg_check_folder *folder)
{
	*out = false;
	if (check->listed.file)
		RG_TRY(rg_check_folder_has(folder, check->listed.file, out));
	for (size_t i = 0; i < check->unless_count && !*out; i++)
		RG_TRY(rg_check_folder_has(folder, check->unless[i].file, out));
	return NULL;
}

/* `applies`: the metrics that the check looks at. */
static bool rounds_one(const rg_checks_check *check, const rg_golden *golden, const bool *applies)
{
	rg_checks_limits limits;
	for (size_t i = 0; i < golden->count; i++) {
		if (!applies[i] || golden->metrics[i].precision == RG_PRECISION_NOT_SAID)
			continue;
		rg_checks_resolve(check, golden->metrics[i].name, &limits);
		if (rg_checks_limits_are_exact(&limits) && limits.decimals >= 0)
			return true;
	}
	return false;
}

static rg_error *ask(bool *out, const rg_checks_check *check, const rg_golden *golden,
		     rg_check_folder *folder, const rg_checks_beside *beside)
{
	bool known, any, *applies;
	*out = false;
	if (!check->exact)
		return NULL;
	RG_TRY(is_known_test(&known, check, folder));
	if (!known)
		return NULL;
	applies = rg_calloc(golden->count + 1, sizeof(*applies));
	rg_error *err = rg_checks_select(check, golden, beside, applies, &any);
	*out = !err && any && rounds_one(check, golden, applies);
	free(applies);
	return err;
}

rg_error *rg_check_wants_precision(bool *out, const rg_checks *checks, const rg_golden *golden,
				   const rg_check_place *place)
{
	rg_check_folder folder;
	rg_checks_beside beside;
	rg_error *err = NULL;

	*out = false;
	rg_check_folder_open(&folder, place, &beside);
	for (size_t i = 0; !err && !*out && i < checks->count; i++)
		err = ask(out, &checks->items[i], golden, &folder, &beside);
	rg_check_folder_release(&folder);
	return err;
}

/* --- values that are not finite --- */

typedef struct {
	const rg_golden *golden;
	rg_buf path;
	rg_buf *out; /* the first one, and what it is */
	size_t count;
} refusal;

/* Is what the path's first `length` bytes name a series? */
static bool is_series_at(const refusal *r, size_t length)
{
	char *end = r->path.data + length, kept = *end;
	*end = '\0';
	const rg_metric *metric = rg_golden_find(r->golden, r->path.data);
	*end = kept;
	return metric && metric->kind == RG_METRIC_SERIES;
}

/* Is the value at the path, in what has a name of `parent` bytes, a series' that was looked at? */
static bool is_known(const refusal *r, size_t parent)
{
	static const char values[] = "/values";
	const size_t tail = sizeof(values) - 1;

	return is_series_at(r, r->path.length) || (parent && is_series_at(r, parent)) ||
	       (parent > tail && !memcmp(r->path.data + parent - tail, values, tail) &&
		is_series_at(r, parent - tail));
}

static bool is_nonfinite(const cJSON *item, double *out)
{
	const char *text = cJSON_GetStringValue(item);
	*out = NAN;
	if (cJSON_IsNumber(item))
		*out = item->valuedouble;
	else if (!text ||
		 (strcmp(text, RG_JSON_NAN) != 0 && !rg_double_parse(text, strlen(text), out)))
		return false;
	return !isfinite(*out);
}

static void look_below(refusal *r, const cJSON *object);

/* `parent` is the path's length without the item's own name. */
static void look_at_item(refusal *r, const cJSON *item, size_t parent)
{
	double value;
	if (item->child) {
		look_below(r, item);
		return;
	}
	if (!is_nonfinite(item, &value) || is_known(r, parent))
		return;
	if (!r->count++)
		rg_buf_printf(r->out, "%s: %s", r->path.data,
			      isnan(value) ? "nan"
			      : value > 0  ? "inf"
					   : "-inf");
}

static void look_below(refusal *r, const cJSON *object)
{
	size_t parent = r->path.length, index = 0;
	for (const cJSON *item = object->child; item; item = item->next, index++) {
		if (item->string)
			rg_buf_printf(&r->path, "%s%s", parent ? "/" : "", item->string);
		else
			rg_buf_printf(&r->path, "%s%zu", parent ? "/" : "", index);
		if (!r->path.is_full)
			look_at_item(r, item, parent);
		rg_buf_truncate(&r->path, parent);
	}
}

rg_error *rg_find_refused(rg_buf *out, const rg_golden *golden, const rg_input *in)
{
	refusal r = {.golden = golden, .out = out};
	cJSON *root;

	if (strcmp(golden->format, "json") != 0)
		return NULL;
	RG_TRY(rg_json_parse(&root, in->data, in->size));
	rg_buf_init(&r.path, SIZE_MAX / 4);
	look_below(&r, root);
	if (r.count > 1)
		rg_buf_printf(out, " (and %zu more)", r.count - 1);
	rg_error *err = rg_error_first(rg_buf_check(&r.path, "names"), rg_buf_check(out, "values"));
	rg_buf_release(&r.path);
	cJSON_Delete(root);
	return err;
}
