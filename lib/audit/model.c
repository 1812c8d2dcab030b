#include "audit/model.h"

#include <stdlib.h>
#include <string.h>

static const char *last_parts(const char *file, size_t *parts)
{
	const char *behind = strstr(file, " vs ");

	/* "OLDNAME vs NEWNAME": the new one. */
	if (behind)
		file = behind + 4;
	*parts = 1;
	for (behind = file; *behind; behind++)
		*parts += *behind == '/' ? 1 : 0;
	return file;
}

static int compare_key(const rg_noise_series *series, const char *file, const char *metric)
{
	int order = strcmp(series->file, file);

	return order ? order : strcmp(series->metric, metric);
}

static const rg_noise_series *find_exact(const rg_noise_model *model, const char *file,
					 const char *metric)
{
	size_t low = 0, high = model->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int order = compare_key(&model->series[middle], file, metric);

		if (!order)
			return &model->series[middle];
		if (order < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return NULL;
}

const rg_noise_series *rg_noise_model_find(const rg_noise_model *model, const char *file,
					   const char *metric)
{
	size_t parts;
	const char *name = last_parts(file, &parts);
	bool bare = parts == 1 || name != file;

	/* From the whole path to its last two parts, or the last. */
	for (;;) {
		const rg_noise_series *series = find_exact(model, name, metric);
		const char *slash = strchr(name, '/');

		if (series)
			return series;
		if (!slash || (parts <= 2 && !bare))
			return NULL;
		name = slash + 1;
		parts--;
	}
}

void rg_noise_model_release(rg_noise_model *model)
{
	rg_arena_release(&model->arena);
	*model = (rg_noise_model){0};
}
