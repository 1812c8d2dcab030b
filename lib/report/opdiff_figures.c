/* SPDX-License-Identifier: Apache-2.0 */
#include "report/opdiff_figures.h"

#include "base/memory.h"
#include "base/json.h"
#include "report/svg.h"
#include "report/template_data.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

/* As many lines as the page has colours for, and values that a line is drawn of. */
enum { LINES_MAX = 8, DRAWN_MAX = 400 };

/* Where the `i`th drawn one of `count` values is in their list, in order of size. */
static size_t drawn_place(size_t i, size_t count)
{
	return count > DRAWN_MAX ? (size_t)((double)i * (double)(count - 1) / (DRAWN_MAX - 1)) : i;
}

void rg_opdiff_put_drawn(cJSON *object, const rg_opdiff_values *values)
{
	cJSON *list = rg_build_list(object, "drawn");
	for (size_t i = 0; i < values->count && i < DRAWN_MAX; i++)
		cJSON_AddItemToArray(
			list, cJSON_CreateNumber(values->sorted[drawn_place(i, values->count)]));
}

/* The share of values up to each that is drawn, from 0 on; on a logarithmic axis from the share of
 * zeros on. The points are the caller's to free, whatever comes back. */
static void distribution_line(rg_svg_line *line, rg_svg_point **owned, const cJSON *values)
{
	const cJSON *drawn = rg_json_member(values, "drawn"), *item;
	size_t count = (size_t)cJSON_GetArraySize(drawn), at = 0, i = 0, made = 0;
	rg_svg_point *points = rg_malloc((count + 1) * sizeof(*points));
	uint64_t n;

	*owned = points;
	if (!rg_json_is_count(rg_json_member(values, "n"), SIZE_MAX, &n) || !n)
		return;
	cJSON_ArrayForEach(item, drawn)
	{
		double x = cJSON_IsNumber(item) ? item->valuedouble : NAN;
		size_t below = i ? at + 1 : 0;

		at = drawn_place(i++, (size_t)n);
		if (!(x > 0))
			continue;
		if (!made)
			points[made++] = (rg_svg_point){x, (double)below / (double)n};
		points[made++] = (rg_svg_point){x, (double)(at + 1) / (double)n};
	}
	*line = (rg_svg_line){.points = points, .count = made};
}

typedef struct {
	const char *list; /* of the view */
	const char *part; /* of a column */
	const char *title, *x_label;
	rg_svg_area equal; /* x NaN: nothing to mark */
} kind_of_figure;

/* Where both sides take the same time. */
#define AT_ONE                                                                                   \
	{                                                                                        \
		.left = 1, .right = 1, .low = -INFINITY, .high = INFINITY, .class_name = "mark", \
		.text = "equal"                                                                  \
	}

static const kind_of_figure times = {.list = "time_figures",
				     .part = "times",
				     .title = "Cumulative distribution of times to the baseline's",
				     .x_label = "time ratio (log)",
				     .equal = AT_ONE};
static const kind_of_figure errors = {.list = "error_figures",
				      .part = "max_abs",
				      .title = "Cumulative distribution of max_abs",
				      .x_label = "max_abs (log)",
				      .equal = {.left = NAN}};
static const kind_of_figure sides = {.list = "new_to_old_figures",
				     .title = "Cumulative distribution of new times to old ones",
				     .x_label = "time ratio (log)",
				     .equal = AT_ONE};

/* The cumulative distributions of several lists of values, as "figure"; an empty one where there
 * are no values to draw. */
static rg_error *put_distribution(cJSON *object, const kind_of_figure *kind,
				  const cJSON *const *values, size_t count)
{
	rg_svg_line lines[LINES_MAX] = {{0}};
	rg_svg_point *points[LINES_MAX] = {0};
	const rg_svg_plot plot = {.lines = lines,
				  .line_count = count,
				  .title = kind->title,
				  .x_label = kind->x_label,
				  .y_label = "share of operators",
				  .log_x = true,
				  .low = 0,
				  .high = 1,
				  .areas = &kind->equal,
				  .area_count = 1};
	size_t total = 0;
	rg_buf text;
	rg_buf_init(&text, RG_BUF_TEXT);

	rg_error *err = NULL;
	for (size_t i = 0; i < count && !err; i++) {
		distribution_line(&lines[i], &points[i], values[i]);
		total += lines[i].count;
	}
	if (!err && total)
		rg_svg_plot_write(&text, &plot);
	if (!err)
		err = rg_buf_check(&text, kind->title);
	if (!err)
		rg_build_markup(object, "figure", &text);
	for (size_t i = 0; i < count; i++)
		free(points[i]);
	rg_buf_release(&text);
	return err;
}

/* The columns from *column on, as many as a figure has colours for, with a legend. */
static rg_error *put_figure(cJSON *list, const cJSON **column, bool alone,
			    const kind_of_figure *kind)
{
	const cJSON *values[LINES_MAX];
	cJSON *figure = rg_build_item(list), *legend = rg_build_list(figure, "legend");
	size_t count = 0;

	for (; *column && count < LINES_MAX; *column = (*column)->next) {
		const char *backend = cJSON_GetStringValue(rg_json_member(*column, "backend"));
		const char *side = cJSON_GetStringValue(rg_json_member(*column, "side"));
		const cJSON *part = rg_json_member(*column, kind->part);
		cJSON *item;

		/* Nothing is no line: a baseline has no errors. */
		if (!cJSON_GetArraySize(rg_json_member(part, "drawn")))
			continue;
		item = rg_build_item(legend);
		rg_build_count(item, "line", count);
		if (alone)
			rg_build_text(item, "name", backend ? backend : "");
		else
			rg_build_textf(item, "name", "%s (%s)", backend ? backend : "",
				       side ? side : "");
		values[count++] = part;
	}
	return put_distribution(figure, kind, values, count);
}

static rg_error *put_columns(cJSON *view, const kind_of_figure *kind)
{
	const cJSON *columns = rg_json_member(view, "columns"),
		    *column = columns ? columns->child : NULL;
	bool alone = cJSON_IsTrue(rg_json_member(view, "alone"));

	rg_build_remove(view, kind->list);
	cJSON *list = rg_build_list(view, kind->list);
	while (column)
		RG_TRY(put_figure(list, &column, alone, kind));
	return NULL;
}

/* What the page has a colour for: 5 % each. */
enum { SHADES = 20 };

/* Beside every share in percent how dark its cell is. */
static void put_shades(cJSON *item)
{
	const cJSON *share = cJSON_IsObject(item) ? rg_json_member(item, "share") : NULL;
	if (share && cJSON_IsNumber(share)) {
		const double shade = round(fmin(fmax(share->valuedouble, 0), 100) / 100 * SHADES);
		rg_build_remove(item, "shade");
		rg_build_count(item, "shade", (size_t)shade);
	}
	for (item = item->child; item; item = item->next)
		put_shades(item);
}

rg_error *rg_opdiff_put_figures(cJSON *view)
{
	const cJSON *both = rg_json_member(view, "new_to_old");
	put_shades(view);
	RG_TRY(put_columns(view, &errors));
	RG_TRY(put_columns(view, &times));
	rg_build_remove(view, sides.list);
	cJSON *list = rg_build_list(view, sides.list);
	RG_TRY(put_distribution(rg_build_item(list), &sides, &both, 1));
	return NULL;
}
