/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/policy_text.h"

#include "base/median.h"
#include "base/number.h"
#include "base/utf8.h"
#include "config/config.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BEGIN "# regild audit: measured tolerances begin (made by --write-policy)"
#define BLOCK_END   "# regild audit: measured tolerances end"

/* What the block leaves of all the settings there may be to whatever else is set. */
enum { OTHER_SETTINGS = 1000 };

/* As git's configuration has it inside quotes. */
static void add_quoted(rg_buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			rg_buf_char(out, '\\');
		rg_buf_char(out, *text);
	}
}

/* Where a series broke, the newest regime counts. */
static const rg_tolerance *tolerance_of(const rg_audit_summary *summary)
{
	return summary->broken ? &summary->regime_tolerance : &summary->tolerance;
}

static rg_error *refuse_tighter(const rg_audit_summary *summary)
{
	const rg_tolerance *tolerance = tolerance_of(summary);

	if (!rg_tolerance_is_tighter_than_spread(tolerance))
		return NULL;
	return rg_error_new(
		RG_E_USAGE,
		"metric '%s': a tolerance of %g (relative) and %g (absolute) is tighter than the "
		"measured spread, %g and %g; raise --confidence-multiplier",
		summary->metric, tolerance->relative, tolerance->absolute, tolerance->max_relative,
		tolerance->max_absolute);
}

static rg_error *too_few_runs(const rg_audit_summary *summary)
{
	size_t runs = tolerance_of(summary)->runs;

	return rg_error_new(RG_E_USAGE,
			    "metric '%s': %zu run%s finite values in the steps that count; a "
			    "tolerance needs %d",
			    summary->metric, runs, runs == 1 ? " has" : "s have",
			    RG_TOLERANCE_RUNS_MIN);
}

/* Why a metric gets no entry; NULL where it gets one. */
static rg_error *refusal(const rg_audit_summary *summary, const char *pattern)
{
	if (strpbrk(pattern, "\r\n"))
		return rg_error_new(
			RG_E_USAGE,
			"metric '%s': no section of .regild can have a line end in its name",
			summary->metric);
	if (strlen("metric..aggregate") + strlen(pattern) > RG_CONFIG_NAME_MAX)
		return rg_error_new(RG_E_USAGE,
				    "metric '%s': its name is too long for a section of .regild",
				    summary->metric);
	if (!rg_tolerance_is_measured(tolerance_of(summary)))
		return too_few_runs(summary);
	if (tolerance_of(summary)->relative > 1)
		return rg_error_new(RG_E_USAGE,
				    "metric '%s': a tolerance of %g would let anything pass",
				    summary->metric, tolerance_of(summary)->relative);
	return NULL;
}

/* What the file says in a section of its own of the same metric is in another kind's unit, and
 * would count anyway: to git's configuration both are one section. Returns how many. */
static size_t add_levels(rg_buf *out, const rg_policy *policy, const char *pattern)
{
	static const rg_policy_entry levels[] = {{"noise", "0"}, {"flag", "1"}, {"fail", "1"}};
	size_t added = 0, i;

	for (i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		if (rg_policy_has(policy, pattern, levels[i].key)) {
			rg_buf_printf(out, "\t%s = %s\n", levels[i].key, levels[i].value);
			added++;
		}
	return added;
}

/* A file whose tolerance is so many times the median of its metric's files is none to take the
 * maximum of; the least that counts as a median; files that a median is of; files that are named.
 */
#define OUTLIER    3.0
#define MEDIAN_MIN 0.001
enum { MEDIAN_FILES = 3, OUTLIERS_NAMED = 5 };

/* A metric's series, those of outliers last. */
typedef struct {
	const rg_audit_series **items;
	size_t count, kept;
} metric_series;

static bool is_outlier(const rg_audit_series *series, double limit)
{
	const rg_tolerance *tolerance = rg_audit_recommended(series);

	return tolerance && tolerance->relative > limit;
}

/* Over what a tolerance is an outlier's; infinite where there are too few files. */
static rg_error *outlier_limit(double *out, const metric_series *all)
{
	double *values = calloc(all->count + 1, sizeof(*values));
	size_t n = 0, i;

	*out = INFINITY;
	if (!values)
		return rg_error_nomem();
	for (i = 0; i < all->count; i++)
		if (rg_audit_recommended(all->items[i]))
			values[n++] = rg_audit_recommended(all->items[i])->relative;
	if (n >= MEDIAN_FILES)
		*out = OUTLIER * fmax(rg_median(values, n), MEDIAN_MIN);
	free(values);
	return NULL;
}

/* The metric without its outliers; `out->items` is the caller's to free. */
static rg_error *set_apart(metric_series *out, rg_audit_summary *kept, const rg_audit *audit,
			   const rg_audit_summary *summary)
{
	const rg_audit_series **all = NULL;
	size_t total = 0, count = 0, i;
	double limit = INFINITY;

	*kept = *summary;
	*out = (metric_series){0};
	if (summary->files < MEDIAN_FILES)
		return NULL;
	RG_TRY(rg_audit_all_series(audit, &all, &total));
	for (i = 0; i < total; i++)
		if (all[i]->group == summary->group && !strcmp(all[i]->metric, summary->metric))
			all[count++] = all[i];
	*out = (metric_series){all, count, 0};
	RG_TRY(outlier_limit(&limit, out));
	for (i = 0; i < count; i++) {
		const rg_audit_series *series = all[i];

		if (is_outlier(series, limit))
			continue;
		memmove(&all[out->kept + 1], &all[out->kept],
			(i - out->kept) * sizeof(const rg_audit_series *));
		all[out->kept++] = series;
	}
	if (out->kept == count)
		return NULL;
	*kept = (rg_audit_summary){
		.metric = summary->metric, .derived = summary->derived, .group = summary->group};
	return rg_audit_pool(kept, audit, all, out->kept);
}

/* The files that the tolerance is not for. */
static void name_outliers(rg_buf *out, const metric_series *all)
{
	size_t n = all->count - all->kept, i;

	for (i = 0; i < n && i < OUTLIERS_NAMED; i++) {
		const rg_audit_series *series = all->items[all->kept + i];

		rg_buf_str(out, "\t# not for ");
		rg_utf8_add_safe(out, series->file, strlen(series->file));
		rg_buf_printf(out, ", which needs an rtol of %.3g\n",
			      rg_audit_recommended(series)->relative);
	}
	if (n > OUTLIERS_NAMED)
		rg_buf_printf(out, "\t# nor for %zu more files\n", n - OUTLIERS_NAMED);
}

/* Returns how many settings the entry has. */
static size_t add_entry(rg_buf *out, const rg_audit *audit, const rg_audit_summary *summary,
			const metric_series *series, const char *pattern, const char *when)
{
	const rg_tolerance *tolerance = tolerance_of(summary);
	rg_policy_entry entries[RG_POLICY_ENTRIES];
	size_t count = rg_policy_entries(entries, tolerance);
	char relative[RG_DOUBLE_REPR_SIZE];
	size_t i;

	rg_double_repr(tolerance->max_relative, relative);
	rg_buf_str(out, "[metric \"");
	add_quoted(out, pattern);
	rg_buf_printf(out, "\"]\n\t# %zu run%s of %zu file%s%s, %s: largest deviation %s by %s",
		      tolerance->runs, tolerance->runs == 1 ? "" : "s", summary->files,
		      summary->files == 1 ? "" : "s",
		      summary->broken ? " since the newest break" : "", when, relative,
		      rg_tolerance_kind_text(tolerance->kind));
	if (tolerance->by_rate)
		rg_buf_printf(out, "; fresh runs fail at %.2g to %.2g %%%s",
			      100 * tolerance->fail_low, 100 * tolerance->fail_high,
			      tolerance->by_theory ? ", if the noise is lognormal" : "");
	rg_buf_char(out, '\n');
	name_outliers(out, series);
	for (i = 0; i < count; i++)
		rg_buf_printf(out, "\t%s = %s\n", entries[i].key, entries[i].value);
	return count + add_levels(out, audit->options.policy, pattern);
}

/* The entries under way. */
typedef struct {
	rg_buf text;
	rg_policy_written written;
	size_t settings;
	rg_error *refused; /* the first metric that is left out */
} entry_list;

/* An entry, or a comment that says why there is none; of the metric as it is without outliers. */
static rg_error *add_kept(entry_list *list, const rg_audit *audit, const rg_audit_summary *summary,
			  const metric_series *series, const char *when)
{
	rg_error *why, *err = NULL;
	char *pattern;

	RG_TRY(rg_policy_pattern(&pattern, summary->metric));
	if ((why = refusal(summary, pattern)) != NULL) {
		rg_buf_str(&list->text, "# ");
		rg_utf8_add_safe(&list->text, rg_error_message(why), strlen(rg_error_message(why)));
		rg_buf_char(&list->text, '\n');
		list->refused = rg_error_first(list->refused, why);
		list->written.left_out++;
	} else if ((err = refuse_tighter(summary)) == NULL) {
		list->settings += add_entry(&list->text, audit, summary, series, pattern, when);
		list->written.metrics++;
	}
	free(pattern);
	return err;
}

static rg_error *add_metric(entry_list *list, const rg_audit *audit,
			    const rg_audit_summary *summary, const char *when)
{
	rg_audit_summary kept;
	metric_series series;
	rg_error *err = set_apart(&series, &kept, audit, summary);

	if (!err)
		err = add_kept(list, audit, &kept, &series, when);
	free(series.items);
	return err;
}

/* The metrics of a group but those that the audit derived, which are not compare's. */
static rg_error *add_entries(entry_list *list, const rg_audit *audit, size_t group,
			     const char *when)
{
	const int room = RG_CONFIG_SETTINGS_MAX - OTHER_SETTINGS;
	rg_error *first;
	size_t i;

	for (i = 0; i < audit->metric_count; i++)
		if (audit->metrics[i].group == group && !audit->metrics[i].derived)
			RG_TRY(add_metric(list, audit, &audit->metrics[i], when));
	if (list->settings > (size_t)room)
		return rg_error_new(RG_E_LIMIT,
				    "the tolerances of %zu metrics are %zu settings, and .regild "
				    "has room for %d; take them from --json, with patterns that "
				    "stand for many metrics",
				    list->written.metrics, list->settings, room);
	if (list->written.metrics)
		return rg_buf_check(&list->text, "measured tolerances");
	first = list->refused;
	list->refused = NULL;
	return first ? first
		     : rg_error_new(RG_E_USAGE, "no metric has a series to take a tolerance from");
}

static void add_lines(rg_buf *out, const char *text, const char *line_end)
{
	for (; *text; text++) {
		if (*text == '\n')
			rg_buf_str(out, line_end);
		else
			rg_buf_char(out, *text);
	}
}

/* A line of a configuration without its comment and the blanks around. *quoted: inside a value's
 * quotes, before and after it. */
static size_t content_length(const char *line, size_t length, bool *quoted)
{
	bool escaped = false;
	size_t i;

	for (i = 0; i < length; i++) {
		if (!escaped && !*quoted && strchr("#;", line[i]))
			break;
		*quoted ^= !escaped && line[i] == '"';
		escaped = !escaped && line[i] == '\\';
	}
	while (i && strchr(" \t\r\n", line[i - 1]))
		i--;
	return i;
}

/* The number of the line whose value libgit2 reads on in what follows the text, past blank lines
 * and comments; 0: all are complete. */
static size_t open_line(const char *text, size_t length)
{
	size_t open = 0, number = 0, at, size, used, slashes;
	bool quoted = false;

	for (at = 0; at < length; at += size) {
		const char *line = text + at, *newline = memchr(line, '\n', length - at);

		size = newline ? (size_t)(newline - line) + 1 : length - at;
		number++;
		quoted &= open != 0;
		used = content_length(line, size, &quoted);
		if (!used)
			continue;
		for (slashes = 0; slashes < used && line[used - slashes - 1] == '\\';)
			slashes++;
		open = slashes % 2 ? number : 0;
	}
	return open;
}

static rg_error *add_block(rg_buf *out, const char *entries, const char *line_end)
{
	size_t open = open_line(out->data, out->length);

	if (open)
		return rg_error_new(RG_E_USAGE,
				    "line %zu ends in a backslash, which would make what is "
				    "written behind it a part of its value; complete the line",
				    open);
	if (out->length && out->data[out->length - 1] != '\n')
		rg_buf_str(out, line_end);
	add_lines(out, BLOCK_BEGIN "\n", line_end);
	add_lines(out, entries, line_end);
	add_lines(out, BLOCK_END "\n", line_end);
	return NULL;
}

/* "\n" or "\r\n", as the text's first line has it. */
static const char *line_end_of(const char *text, size_t length)
{
	const char *newline = length ? memchr(text, '\n', length) : NULL;

	return newline && newline > text && newline[-1] == '\r' ? "\r\n" : "\n";
}

/* Is the line, but for its end, just this? */
static bool line_is(const char *line, size_t length, const char *wanted)
{
	if (length && line[length - 1] == '\n')
		length--;
	if (length && line[length - 1] == '\r')
		length--;
	return length == strlen(wanted) && !memcmp(line, wanted, length);
}

/* Copies the text with `entries` in place of the block that was there, or after everything. A merge
 * may have left two blocks: one comes back. */
static rg_error *replace_block(rg_buf *out, const char *config, size_t length, const char *entries)
{
	const char *line_end = line_end_of(config, length), *tail = config + length, *line, *next;
	bool inside = false, placed = false;

	for (line = config; line < tail; line = next) {
		const char *newline = memchr(line, '\n', (size_t)(tail - line));
		bool begins;

		next = newline ? newline + 1 : tail;
		begins = line_is(line, (size_t)(next - line), BLOCK_BEGIN);
		if (begins && inside)
			break;
		if (begins && !placed)
			RG_TRY(add_block(out, entries, line_end));
		placed |= begins;
		if (!begins && !inside)
			rg_buf_add(out, line, (size_t)(next - line));
		inside = begins || (inside && !line_is(line, (size_t)(next - line), BLOCK_END));
	}
	if (inside)
		return rg_error_new(RG_E_PARSE,
				    "the block of measured tolerances has lost its end; remove it");
	if (!placed)
		RG_TRY(add_block(out, entries, line_end));
	return rg_buf_check(out, ".regild");
}

rg_error *rg_policy_check(const char *config, size_t length)
{
	rg_error *err;
	rg_buf out;

	rg_buf_init(&out, RG_BUF_TEXT);
	err = replace_block(&out, config, length, "");
	rg_buf_release(&out);
	return err;
}

rg_error *rg_policy_write(rg_buf *out, rg_policy_written *written, const char *config,
			  size_t length, const rg_audit *audit, size_t group, const char *when)
{
	entry_list list = {.written = {0, 0}};
	rg_error *err;

	rg_buf_init(&list.text, RG_BUF_TEXT);
	err = add_entries(&list, audit, group, when);
	if (!err)
		err = replace_block(out, config, length, list.text.data);
	*written = list.written;
	rg_error_free(list.refused);
	rg_buf_release(&list.text);
	return err;
}
