/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/model.h"

#include "base/base64.h"
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

static int compare_key(const void *key, const void *item)
{
	const rg_noise_series *wanted = key, *series = item;
	int order = strcmp(wanted->file, series->file);

	return order ? order : strcmp(wanted->metric, series->metric);
}

const rg_noise_series *rg_noise_model_find(const rg_noise_model *model, const char *file,
					   const char *metric)
{
	size_t parts;
	const char *name = last_parts(file, &parts);
	bool bare = parts == 1 || name != file;

	/* From the whole path to its last two parts, or the last. */
	for (;;) {
		const rg_noise_series key = {.file = name, .metric = metric};
		const rg_noise_series *series = model->count
							? bsearch(&key, model->series, model->count,
								  sizeof(key), compare_key)
							: NULL;
		const char *slash = strchr(name, '/');

		if (series)
			return series;
		if (!slash || (parts <= 2 && !bare))
			return NULL;
		name = slash + 1;
		parts--;
	}
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
