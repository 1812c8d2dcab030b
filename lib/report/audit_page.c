/* SPDX-License-Identifier: Apache-2.0 */
#include "report/audit_page.h"

#include "base/memory.h"
#include "report/audit_view.h"
#include "report/template_data.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const rg_audit_finding_names[RG_FINDINGS] = {
	[RG_FINDING_BROKE] = "broke",
	[RG_FINDING_DRIFTS] = "drifts",
	[RG_FINDING_NOISY] = "noisy",
	[RG_FINDING_DETERMINISTIC] = "deterministic",
	[RG_FINDING_UNMEASURED] = "not measured",
};

static rg_audit_finding find_of(const rg_audit_series *series)
{
	if (series->break_count)
		return RG_FINDING_BROKE;
	if (series->drifts)
		return RG_FINDING_DRIFTS;
	if (series->noise.deterministic)
		return RG_FINDING_DETERMINISTIC;
	return series->noise.measured ? RG_FINDING_NOISY : RG_FINDING_UNMEASURED;
}

/* How clear its clearest break is. */
static double clearest(const rg_audit_series *series)
{
	double least = 1;
	for (size_t i = 0; i < series->break_count; i++)
		least = fmin(least, series->breaks[i].adjusted);
	return least;
}

static int compare_interest(const void *a, const void *b)
{
	const rg_audit_entry *x = a, *y = b;
	double p = clearest(x->series), q = clearest(y->series);

	if (x->finding != y->finding)
		return x->finding < y->finding ? -1 : 1;
	if (p != q)
		return p < q ? -1 : 1;
	return rg_audit_by_spread(&x->series, &y->series);
}

static int compare_families(const rg_audit_entry *x, const rg_audit_entry *y)
{
	if (x->series->group != y->series->group)
		return x->series->group < y->series->group ? -1 : 1;
	return strcmp(x->family, y->family);
}

static int compare_in_family(const void *a, const void *b)
{
	const rg_audit_entry *x = *(const rg_audit_entry *const *)a;
	const rg_audit_entry *y = *(const rg_audit_entry *const *)b;
	int order = compare_families(x, y);

	return order ? order : (x->row > y->row) - (x->row < y->row);
}

static int compare_kin(const void *a, const void *b)
{
	const rg_audit_kin *x = a, *y = b;
	const rg_audit_entry *p = x->entries[0], *q = y->entries[0];

	if (p->finding != q->finding)
		return p->finding < q->finding ? -1 : 1;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return (p->row > q->row) - (p->row < q->row);
}

static void group_families(rg_audit_page *page)
{
	const rg_audit_entry **list = page->by_family;
	size_t end;

	if (!page->count)
		return;
	qsort(list, page->count, sizeof(*list), compare_in_family);
	for (size_t start = 0; start < page->count; start = end) {
		for (end = start + 1;
		     end < page->count && !compare_families(list[start], list[end]);)
			end++;
		page->families[page->family_count++] = (rg_audit_kin){list + start, end - start};
	}
	qsort(page->families, page->family_count, sizeof(*page->families), compare_kin);
	while (page->noisy_families < page->family_count &&
	       page->families[page->noisy_families].entries[0]->finding < RG_FINDING_DETERMINISTIC)
		page->noisy_families++;
	page->drawn = page->noisy_families < RG_AUDIT_FAMILIES ? page->noisy_families
							       : RG_AUDIT_FAMILIES;
}

void rg_audit_page_make(rg_audit_page *out, rg_audit_build *b, const rg_column_context *context,
			const rg_audit_series *const *series, size_t count)
{
	const rg_audit *audit = b->audit;
	*out = (rg_audit_page){.build = b,
			       .context = context,
			       .entries = rg_calloc(count + 1, sizeof(*out->entries)),
			       .families = rg_calloc(count + 1, sizeof(*out->families)),
			       .odd = rg_calloc(audit->run_count + 1, sizeof(*out->odd)),
			       .by_family = rg_calloc(count + 1, sizeof(*out->by_family))};
	for (size_t i = 0; i < audit->odd_count; i++)
		out->odd[audit->odd_runs[i].run] = true;
	for (size_t i = 0; i < count; i++)
		out->entries[out->count++] =
			(rg_audit_entry){.series = series[i],
					 .family = rg_audit_family(series[i]->metric),
					 .finding = find_of(series[i])};
	if (count)
		qsort(out->entries, count, sizeof(*out->entries), compare_interest);
	for (size_t i = 0; i < count; i++) {
		out->entries[i].row = i;
		out->by_family[i] = &out->entries[i];
	}
	group_families(out);
}

void rg_audit_page_release(rg_audit_page *page)
{
	for (size_t i = 0; i < page->count; i++)
		free(page->entries[i].family);
	free(page->entries);
	free(page->families);
	free(page->odd);
	free(page->by_family);
}

void rg_audit_page_link(char out[static RG_AUDIT_LINK], const rg_audit_entry *entry)
{
	*out = '\0';
	if (entry->row < RG_AUDIT_ROWS)
		snprintf(out, RG_AUDIT_LINK, "series-%zu", entry->row + 1);
}

const double *rg_audit_page_values(const rg_figures *figures)
{
	return figures->figures ? figures->figures : figures->means;
}

const rg_tolerance *rg_audit_page_tolerance(const rg_audit_series *series)
{
	const rg_reliance held = rg_audit_rely(series);
	return held == RG_RELY_WITHIN || held == RG_RELY_THEORY ? &series->noise.tolerance : NULL;
}

void rg_audit_page_add_tolerance(const rg_audit_page *page, cJSON *item,
				 const rg_audit_series *series)
{
	const rg_tolerance *tolerance = rg_audit_page_tolerance(series);

	rg_audit_add_reliance(page->build, item, series);
	rg_build_text(item, "kind", rg_reliance_text(rg_audit_rely(series)));
	if (!tolerance)
		return;
	rg_build_textf(item, "rtol", "%.3g", tolerance->relative);
	rg_build_textf(item, "atol", "%.1e", tolerance->absolute);
	rg_audit_add_rate(item, tolerance);
}

void rg_audit_page_name_run(rg_buf *out, const rg_audit_run *run)
{
	rg_buf_printf(out, "%.*s", rg_audit_name_length(run->id), run->id);
	if (rg_audit_run_has_day(run))
		rg_buf_printf(out, ", %.10s", run->when);
}
