/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html.h"

#include "base/json.h"
#include "base/memory.h"
#include "report/json.h"
#include "report/template_data.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
	const char **items; /* sorted */
	size_t count;
} row_ids;

static int compare_ids(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void list_ids(row_ids *out, const rg_page_table *table)
{
	out->items = rg_malloc((table->count + 1) * sizeof(*out->items));
	for (out->count = 0; out->count < table->count; out->count++)
		out->items[out->count] = table->rows[out->count].id;
	qsort(out->items, out->count, sizeof(*out->items), compare_ids);
}

/* Of something that the story names, by its file and a metric, where the table has such a row. */
static void link_name(cJSON *item, const char *metric, const row_ids *ids)
{
	const char *file = cJSON_GetStringValue(rg_json_member(item, "file"));
	char id[RG_PAGE_ROW_ID];
	const char *wanted = id;

	rg_build_remove(item, "row");
	if (!file || !metric)
		return;
	rg_page_row_id(id, file, metric);
	if (bsearch(&wanted, ids->items, ids->count, sizeof(*ids->items), compare_ids))
		rg_build_text(item, "row", id);
}

static void link_list(cJSON *list, const row_ids *ids)
{
	cJSON *item;
	cJSON_ArrayForEach(item, list)
		link_name(item, cJSON_GetStringValue(rg_json_member(item, "metric")), ids);
}

/* A metric that is gone has no row: then to the golden's first one. */
static void link_shape(cJSON *item, const rg_page_table *table, const row_ids *ids)
{
	const char *file = cJSON_GetStringValue(rg_json_member(item, "file"));

	link_name(item, cJSON_GetStringValue(rg_json_member(item, "first_metric")), ids);
	for (size_t i = 0; file && i < table->count && !rg_json_member(item, "row"); i++)
		if (!strcmp(table->rows[i].file, file))
			rg_build_text(item, "row", table->rows[i].id);
}

void rg_page_link_story(cJSON *view, const rg_page_table *table)
{
	cJSON *item;
	row_ids ids;

	list_ids(&ids, table);
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(view, "shapes"))
		link_shape(item, table, &ids);
	link_list(cJSON_GetObjectItemCaseSensitive(view, "apart"), &ids);
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(view, "groups"))
		link_name(cJSON_GetObjectItemCaseSensitive(item, "worst"),
			  cJSON_GetStringValue(rg_json_member(item, "metric")), &ids);
	cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(view, "exact"))
		link_list(cJSON_GetObjectItemCaseSensitive(item, "differ"), &ids);
	free(ids.items);
}
