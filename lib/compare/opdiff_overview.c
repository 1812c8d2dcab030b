/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/opdiff_overview.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static void add_problem(rg_opdiff_overview *out, const rg_opdiff_item *item)
{
	rg_opdiff_problem problem = {item->id, item->op, 0, 0};
	for (size_t i = 0; i < item->result_count; i++)
		*(item->results[i].status == RG_OPDIFF_OK ? &problem.ok : &problem.bad) += 1;
	if (!problem.bad)
		return;
	rg_grow(&out->problems, &out->problem_capacity, out->problem_count + 1,
		sizeof(*out->problems));
	out->problems[out->problem_count++] = problem;
}

/* In the order of opdiff's report, ties included: its list is cut. */
static int compare_problems(const void *a, const void *b)
{
	const rg_opdiff_problem *left = a, *right = b;
	int order = (right->bad > left->bad) - (right->bad < left->bad);

	if (!order)
		order = (right->ok > left->ok) - (right->ok < left->ok);
	return order ? order : strcmp(right->id, left->id);
}

/* Both lists are in order. */
static void count_overlaps(rg_opdiff_overview *out, const rg_opdiff_item *item)
{
	size_t places[RG_OPDIFF_MATRIX_MAX], count = 0, k = 0;
	bool ok[RG_OPDIFF_MATRIX_MAX];

	for (size_t i = 0; i < item->result_count && k < out->backend_count; i++) {
		while (k < out->backend_count &&
		       strcmp(out->backends[k], item->results[i].backend) < 0)
			k++;
		if (k == out->backend_count ||
		    strcmp(out->backends[k], item->results[i].backend) != 0)
			continue;
		places[count] = k++;
		ok[count++] = item->results[i].status == RG_OPDIFF_OK;
	}
	for (size_t i = 0; i < count; i++)
		for (k = 0; k < count; k++) {
			rg_opdiff_overlap *cell =
				&out->overlaps[places[i] * out->backend_count + places[k]];

			cell->seen++;
			cell->ok += ok[i] && ok[k] ? 1 : 0;
		}
}

void rg_opdiff_overview_make(rg_opdiff_overview *out, const rg_opdiff_run *run,
			     const char *const *backends, size_t count)
{
	size_t shown = count < RG_OPDIFF_MATRIX_MAX ? count : RG_OPDIFF_MATRIX_MAX;
	*out = (rg_opdiff_overview){.backend_count = shown, .left_out = count - shown};
	out->backends = rg_calloc(shown + 1, sizeof(*out->backends));
	out->overlaps = rg_calloc(shown * shown + 1, sizeof(*out->overlaps));
	for (size_t i = 0; i < shown; i++)
		out->backends[i] = backends[i];
	for (size_t i = 0; i < run->count; i++) {
		add_problem(out, &run->items[i]);
		count_overlaps(out, &run->items[i]);
	}
	if (out->problem_count)
		qsort(out->problems, out->problem_count, sizeof(*out->problems), compare_problems);
}

void rg_opdiff_overview_release(rg_opdiff_overview *overview)
{
	free(overview->problems);
	free(overview->backends);
	free(overview->overlaps);
	*overview = (rg_opdiff_overview){0};
}
