/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/model.h"

#include "base/base64.h"
#include "base/order.h"
#include "golden/series_text.h"
#include <stdlib.h>
#include <string.h>

static const char *last_parts(const char *file, size_t *parts)
{
	const char *after = strstr(file, " vs ");
	/* "OLDNAME vs NEWNAME": the new one. */
	if (after)
		file = after + 4;
	*parts = 1;
	for (after = file; *after; after++)
		*parts += *after == '/' ? 1 : 0;
	return file;
}

RG_ORDER(by_name, rg_noise_series, RG_BY_TEXT(file) || RG_BY_TEXT(metric));

/* A file's name from the whole path to its last two parts, or the last: the next one, or NULL. */
typedef struct {
	const char *name;
	size_t parts;
	bool bare;
} name_parts;

static name_parts first_parts(const char *file)
{
	name_parts at;
	at.name = last_parts(file, &at.parts);
	at.bare = at.parts == 1 || at.name != file;
	return at;
}

static bool next_parts(name_parts *at)
{
	const char *slash = strchr(at->name, '/');
	if (!slash || (at->parts <= 2 && !at->bare))
		return false;
	at->name = slash + 1;
	at->parts--;
	return true;
}

const rg_noise_series *rg_noise_model_find(const rg_noise_model *model, const char *file,
					   const char *metric)
{
	name_parts at = first_parts(file);
	const rg_noise_series *series = NULL;

	if (!model->count)
		return NULL;
	do {
		const rg_noise_series key = {.file = at.name, .metric = metric};
		series = bsearch(&key, model->series, model->count, sizeof(key), by_name);
	} while (!series && next_parts(&at));
	return series;
}

void rg_noise_model_mark(const rg_noise_model *model, const char *file, bool *marks)
{
	name_parts at = first_parts(file);
	size_t low, high;

	do {
		for (low = 0, high = model->count; low < high;) {
			size_t middle = low + (high - low) / 2;
			if (strcmp(model->series[middle].file, at.name) < 0)
				low = middle + 1;
			else
				high = middle;
		}
		for (; low < model->count && !strcmp(model->series[low].file, at.name); low++)
			marks[low] = true;
	} while (next_parts(&at));
}

rg_error *rg_noise_series_values(double *out, const rg_noise_series *series)
{
	rg_buf bytes;
	rg_buf_init(&bytes, RG_BUF_TEXT);
	rg_error *err = rg_base64_read(&bytes, series->values);
	if (!err)
		err = rg_series_unpack(out, series->run_count * series->count, bytes.data,
				       bytes.length);
	rg_buf_release(&bytes);
	/* Whatever is wrong with them, it is the model's text. */
	return err ? rg_error_wrap(err, "the noise model's values of '%s' in %s", series->metric,
				   series->file)
		   : NULL;
}

void rg_noise_model_release(rg_noise_model *model)
{
	rg_arena_release(&model->arena);
	*model = (rg_noise_model){0};
}
