/* SPDX-License-Identifier: Apache-2.0 */
#include "report/html.h"

#include "base/json.h"
#include "base/memory.h"
#include "report/json.h"
#include "report/template_data.h"

#include <ctype.h>
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

/* Is what begins there a name by itself, and not a part of a longer one? */
static bool is_whole(const char *text, const char *at, size_t length)
{
	const unsigned char after = (unsigned char)at[length];
	const unsigned char before = at > text ? (unsigned char)at[-1] : ' ';
	return !isalnum(before) && !strchr("_-/.", before) && !isalnum(after) &&
	       !(after && strchr("_-/", after));
}

/* A golden's name in a text, and the row that it leads to. */
typedef struct {
	const char *at;
	size_t length;
	const char *row;
	bool has_metric; /* the text names the row's metric as well */
} mention;

/* The first one from `from` on: of several there the longest, of its rows the first whose metric
 * the text has, else the first. Rows that the page's text has not are not looked for. */
static mention first_mention(const char *text, const char *from, const cJSON *rows)
{
	mention found = {0};
	const cJSON *row;

	cJSON_ArrayForEach(row, rows)
	{
		const char *name = cJSON_GetStringValue(rg_json_member(row, "name"));
		const char *metric = cJSON_GetStringValue(
			rg_json_member(rg_json_member(row, "facts"), "metric"));
		const size_t length = name ? strlen(name) : 0;
		const char *at = length ? strstr(from, name) : NULL;
		const bool has = at && metric && strstr(text, metric);

		if (!at || !is_whole(text, at, length) || (found.at && at > found.at))
			continue;
		if (!found.at || at < found.at || length > found.length ||
		    (length == found.length && has && !found.has_metric))
			found = (mention){at, length,
					  cJSON_GetStringValue(rg_json_member(row, "id")), has};
	}
	return found;
}

static void add_part(cJSON *parts, const char *text, size_t length, const char *row)
{
	cJSON *part = length ? rg_build_item(parts) : NULL;
	if (part)
		rg_build_textf(part, "text", "%.*s", (int)length, text);
	if (part && row)
		rg_build_text(part, "row", row);
}

/* The bottom line, in parts: names that lead to their rows, and what is between them. */
static void link_lines(cJSON *lines, const cJSON *rows)
{
	cJSON *item;
	cJSON_ArrayForEach(item, lines)
	{
		const char *text = cJSON_GetStringValue(rg_json_member(item, "text")), *at = text;
		rg_build_remove(item, "parts");
		cJSON *parts = rg_build_list(item, "parts");
		while (at) {
			const mention next = first_mention(text, at, rows);
			add_part(parts, at, next.at ? (size_t)(next.at - at) : strlen(at), NULL);
			add_part(parts, next.at, next.length, next.row);
			at = next.at ? next.at + next.length : NULL;
		}
	}
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
	link_lines(cJSON_GetObjectItemCaseSensitive(view, "lines"),
		   rg_json_member(table->head, "rows"));
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
