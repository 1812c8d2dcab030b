/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/policy_text.h"

#include "base/file.h"
#include "base/median.h"
#include "base/memory.h"
#include "base/number.h"
#include "base/order.h"
#include "base/utf8.h"
#include "config/config.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* The block leaves room for so many other settings. */
enum { OTHER_SETTINGS = 1000 };

/* Writes the text as git's configuration has it inside quotes. */
static void append_quoted(rg_buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			rg_buf_char(out, '\\');
		rg_buf_char(out, *text);
	}
}

/* Why there is no entry under that section's name; NULL where there is one. */
static rg_error *refusal(const rg_audit_summary *summary, const char *name)
{
	if (strpbrk(name, "\r\n"))
		return rg_error_new(
			RG_E_USAGE,
			"metric '%s': no section of .regild can have a line end in its name",
			summary->metric);
	if (strlen("metric..aggregate") + strlen(name) > RG_CONFIG_NAME_MAX)
		return rg_error_new(RG_E_USAGE,
				    "metric '%s': its name is too long for a section of .regild",
				    summary->metric);
	if (!rg_tolerance_is_measured(&summary->tolerance)) {
		size_t runs = summary->tolerance.runs;
		return rg_error_new(
			RG_E_USAGE,
			"metric '%s': %zu run%s finite values in the steps that count, and a "
			"tolerance needs %d",
			summary->metric, runs, runs == 1 ? " has" : "s have",
			RG_TOLERANCE_RUNS_MIN);
	}
	if (!rg_tolerance_holds(&summary->tolerance))
		return rg_error_new(RG_E_USAGE,
				    "metric '%s': a tolerance over 1 would let anything pass",
				    summary->metric);
	return NULL;
}

/* Levels in a section of the file's own for the same metric are in another kind's unit, and
 * would count anyway: to git's configuration both are one section. Returns how many. */
static size_t append_levels(rg_buf *out, const rg_policy *policy, const char *pattern)
{
	static const rg_policy_entry levels[] = {{"noise", "0"}, {"flag", "1"}, {"fail", "1"}};
	size_t added = 0;

	for (size_t i = 0; i < sizeof(levels) / sizeof(*levels); i++)
		if (rg_policy_has(policy, pattern, levels[i].key)) {
			rg_buf_printf(out, "\t%s = %s\n", levels[i].key, levels[i].value);
			added++;
		}
	return added;
}

/* Files agree whose tolerances are within this factor of the median of their metric's files; the
 * least that counts as a median or as another tolerance. */
#define AGREES     3.0
#define MEDIAN_MIN 0.001

/* A metric's series: those that agree, then the others. */
typedef struct {
	const rg_audit_series **items;
	size_t count, agreeing;
} metric_series;

/* NaN where there is none. */
static double relative_of(const rg_audit_series *series)
{
	const rg_tolerance *tolerance = rg_audit_recommended(series);
	return tolerance ? fmax(tolerance->relative, MEDIAN_MIN) : NAN;
}

RG_ORDER_OF_POINTERS(by_group_and_metric, rg_audit_series,
		     RG_RISING(group) || RG_BY_TEXT(metric) || RG_BY_TEXT(file));

/* Summarises some of the metric's series alone. */
static void summarise(rg_audit_summary *out, const rg_audit *audit, const rg_audit_summary *of,
		      const rg_audit_series *const *series, size_t count)
{
	*out = (rg_audit_summary){.metric = of->metric, .derived = of->derived, .group = of->group};
	rg_audit_pool(out, audit, series, count);
}

/* "12 runs of 3 files, 2026-04-02: largest deviation 0.02 by step, fresh runs fail at ..." */
static void append_evidence(rg_buf *out, const rg_audit_summary *summary, const char *when)
{
	const rg_tolerance *tolerance = &summary->tolerance;
	char relative[RG_DOUBLE_REPR_SIZE];

	rg_double_repr(tolerance->max_relative, relative);
	rg_buf_printf(out, "\t# %zu run%s of %zu file%s%s, %s: largest deviation %s by %s",
		      tolerance->runs, rg_plural(tolerance->runs), summary->files,
		      rg_plural(summary->files), summary->broken ? " since the newest break" : "",
		      when, relative, rg_tolerance_kind_text(tolerance->kind));
	if (tolerance->failed_later)
		rg_buf_printf(out, ", %zu of %zu later runs failed that of the older ones",
			      tolerance->failed, tolerance->newer);
	else if (tolerance->not_bounded)
		rg_buf_str(out, ", runs drift and nothing bounds how often fresh ones fail");
	else if (tolerance->by_rate)
		rg_buf_printf(out, ", fresh runs fail at %.2g to %.2g %%%s",
			      100 * tolerance->fail_low, 100 * tolerance->fail_high,
			      tolerance->by_theory ? ", if the noise is lognormal" : "");
	rg_buf_char(out, '\n');
}

/* The entries under way. */
typedef struct {
	rg_buf *text;
	rg_policy_written *written;
	const rg_audit *audit;
	const char *when;
	size_t settings;
	rg_error *refused; /* the first that is left out */
} entry_list;

/* An entry of a golden where there is a `file`, else of a metric; or a comment instead. */
static rg_error *append_entry(entry_list *list, const rg_audit_summary *summary, const char *file,
			      const char *name)
{
	const rg_tolerance *tolerance = &summary->tolerance;
	const rg_policy *policy = list->audit->options.policy;
	rg_policy_entry entries[RG_POLICY_ENTRIES];
	rg_error *why = refusal(summary, name);

	if (why) {
		/* A comment says why there is no entry. */
		rg_buf_str(list->text, "# ");
		if (file) {
			rg_utf8_add_safe(list->text, file, strlen(file));
			rg_buf_str(list->text, ": ");
		}
		rg_utf8_add_safe(list->text, rg_error_message(why), strlen(rg_error_message(why)));
		rg_buf_char(list->text, '\n');
		list->refused = rg_error_first(list->refused, why);
		list->written->left_out++;
		return NULL;
	}
	if (rg_tolerance_is_tighter_than_spread(tolerance))
		return rg_error_new(
			RG_E_USAGE,
			"metric '%s': a tolerance of %g (relative) and %g (absolute) is tighter "
			"than the measured spread, %g and %g; raise --confidence-multiplier",
			summary->metric, tolerance->relative, tolerance->absolute,
			tolerance->max_relative, tolerance->max_absolute);
	const size_t count = rg_policy_entries(entries, tolerance);
	rg_buf_printf(list->text, "[%s \"", file ? "golden" : "metric");
	append_quoted(list->text, name);
	rg_buf_str(list->text, "\"]\n");
	append_evidence(list->text, summary, list->when);
	for (size_t i = 0; i < count; i++)
		rg_buf_printf(list->text, "\t%s = %s\n", entries[i].key, entries[i].value);
	list->settings += count + append_levels(list->text, policy, name);
	*(file ? &list->written->files : &list->written->metrics) += 1;
	return NULL;
}

/* "FILE:METRIC", in which a colon of the file's is any character. */
static rg_error *name_of_golden(char **out, const char *file, const char *metric)
{
	RG_AUTO_FREE char *files = NULL;
	RG_AUTO_FREE char *pattern = NULL;

	RG_TRY(rg_policy_pattern(&files, file));
	for (char *at = files; (at = strchr(at, ':')) != NULL;)
		*at = '?';
	RG_TRY(rg_policy_pattern(&pattern, metric));
	*out = rg_textf("%s:%s", files, pattern);
	return NULL;
}

static rg_error *append_metric(entry_list *list, const rg_audit_summary *summary,
			       metric_series series)
{
	rg_audit_summary agreeing = *summary;
	RG_AUTO_FREE char *pattern = NULL;

	/* The series that do not agree come after those that do, each in their order. */
	RG_AUTO_FREE double *values = rg_calloc(series.count + 1, sizeof(*values));
	RG_AUTO_FREE const rg_audit_series **others = rg_calloc(series.count + 1, sizeof(*others));
	size_t apart = 0, n = 0;

	for (size_t i = 0; i < series.count; i++)
		if (!isnan(relative_of(series.items[i])))
			values[n++] = relative_of(series.items[i]);
	/* NaN where no file has a tolerance. */
	const double median = n ? rg_median(values, n) : NAN;
	for (size_t i = series.agreeing = 0; i < series.count; i++) {
		double relative = relative_of(series.items[i]);
		if (relative > AGREES * median || relative < median / AGREES)
			others[apart++] = series.items[i];
		else
			series.items[series.agreeing++] = series.items[i];
	}
	for (size_t i = 0; i < apart; i++)
		series.items[series.agreeing + i] = others[i];
	if (series.agreeing < series.count)
		summarise(&agreeing, list->audit, summary, series.items, series.agreeing);
	RG_TRY(rg_policy_pattern(&pattern, agreeing.metric));
	RG_TRY(append_entry(list, &agreeing, NULL, pattern));
	for (size_t i = series.agreeing; i < series.count; i++) {
		rg_audit_summary own;
		RG_AUTO_FREE char *name = NULL;

		summarise(&own, list->audit, summary, &series.items[i], 1);
		RG_TRY(name_of_golden(&name, series.items[i]->file, series.items[i]->metric));
		RG_TRY(append_entry(list, &own, series.items[i]->file, name));
	}
	return NULL;
}

/* Appends the metrics of a group and their series, both by name. */
static rg_error *append_metrics(entry_list *list, size_t group, const rg_audit_series **all,
				size_t total)
{
	const rg_audit *audit = list->audit;
	size_t at = 0;

	qsort(all, total, sizeof(const rg_audit_series *), by_group_and_metric);
	for (size_t i = 0; i < audit->metric_count; i++) {
		const rg_audit_summary *summary = &audit->metrics[i];

		if (summary->group != group)
			continue;
		while (at < total &&
		       (all[at]->group != group || strcmp(all[at]->metric, summary->metric) < 0))
			at++;
		const size_t first = at;
		while (at < total && all[at]->group == group &&
		       !strcmp(all[at]->metric, summary->metric))
			at++;
		if (!summary->derived)
			RG_TRY(append_metric(list, summary,
					     (metric_series){&all[first], at - first, 0}));
	}
	return NULL;
}

static rg_error *check_entries(entry_list *list)
{
	const int room = RG_CONFIG_SETTINGS_MAX - OTHER_SETTINGS;
	rg_error *first = list->refused;

	if (list->settings > (size_t)room)
		return rg_error_new(RG_E_LIMIT,
				    "the tolerances of %zu metrics are %zu settings, and .regild "
				    "has room for %d; take them from --json, with patterns that "
				    "stand for many metrics",
				    list->written->metrics, list->settings, room);
	if (list->written->metrics)
		return rg_buf_check(list->text, "measured tolerances");
	list->refused = NULL;
	return first ? first
		     : rg_error_new(RG_E_USAGE, "no metric has a series to take a tolerance from");
}

/* Reads .regild, which was checked to be a file and not a link when it was read for settings; one
 * that is not there is empty. */
static rg_error *read_regild(const rg_flow *flow, rg_buf *out, const char **path)
{
	*path = rg_arena_path(flow->arena, rg_worktree_root(flow->worktree), ".regild");
	rg_error *err = rg_file_read(out, *path);
	if (!err || rg_error_errno(err) != ENOENT)
		return err;
	rg_error_free(err);
	return NULL;
}

rg_error *rg_audit_policy_check(const rg_flow *flow)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_TEXT);
	const char *path;

	if (!flow->worktree)
		return rg_error_new(RG_E_USAGE, "--write-policy: not inside a repository");
	RG_TRY(read_regild(flow, &text, &path));
	return rg_error_wrap(rg_policy_check(text.data, text.length), "%s", path);
}

/* The day of the newest run, or today. */
static void evidence_date(const rg_audit *audit, char out[static 11])
{
	time_t now = time(NULL);
	struct tm utc;

	for (size_t i = audit->run_count; i-- > 0;)
		if (rg_audit_run_has_day(&audit->runs[i])) {
			snprintf(out, 11, "%.10s", audit->runs[i].when);
			return;
		}
	if (!gmtime_r(&now, &utc) || !strftime(out, 11, "%Y-%m-%d", &utc))
		snprintf(out, 11, "undated");
}

rg_error *rg_audit_policy_write(rg_policy_written *out, const rg_flow *flow, const rg_audit *audit)
{
	RG_AUTO(rg_buf) before = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) after = rg_buf_of(RG_BUF_TEXT);
	const char *path;
	char when[11];

	*out = (rg_policy_written){0};
	if (audit->group_count != 1)
		return rg_error_new(RG_E_USAGE,
				    "--write-policy: the runs are in %zu groups; audit one of "
				    "them, or all as one with --by all",
				    audit->group_count);
	evidence_date(audit, when);
	RG_TRY(read_regild(flow, &before, &path));
	RG_TRY(rg_policy_write(&after, out, before.data, before.length, audit, 0, when));
	return rg_file_replace(path, after.data, after.length, 0666);
}

#define BLOCK_BEGIN "# regild audit: measured tolerances begin (made by --write-policy)"
#define BLOCK_END   "# regild audit: measured tolerances end"

static void append_lines(rg_buf *out, const char *text, const char *line_end)
{
	for (; *text; text++) {
		if (*text == '\n')
			rg_buf_str(out, line_end);
		else
			rg_buf_char(out, *text);
	}
}

/* The length of a configuration's line without its comment and the blanks around. *quoted: inside a
 * value's quotes, before and after it. */
static size_t content_length(const char *line, size_t size, bool *quoted)
{
	bool escaped = false;
	size_t i;

	for (i = 0; i < size; i++) {
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
	size_t open = 0, number = 0, size, slashes;
	bool quoted = false;

	for (size_t at = 0; at < length; at += size) {
		const char *line = text + at, *newline = memchr(line, '\n', length - at);
		size = newline ? (size_t)(newline - line) + 1 : length - at;
		number++;
		quoted &= open != 0;
		const size_t used = content_length(line, size, &quoted);
		if (!used)
			continue;
		for (slashes = 0; slashes < used && line[used - slashes - 1] == '\\';)
			slashes++;
		open = slashes % 2 ? number : 0;
	}
	return open;
}

static rg_error *append_block(rg_buf *out, const char *entries, const char *line_end)
{
	size_t open = open_line(out->data, out->length);
	if (open)
		return rg_error_new(RG_E_USAGE,
				    "line %zu ends in a backslash, which would make what is "
				    "written after it a part of its value; complete the line",
				    open);
	if (out->length && out->data[out->length - 1] != '\n')
		rg_buf_str(out, line_end);
	append_lines(out, BLOCK_BEGIN "\n", line_end);
	append_lines(out, entries, line_end);
	append_lines(out, BLOCK_END "\n", line_end);
	return NULL;
}

/* Compares a line without its end. */
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
	/* Lines end as the first one does. */
	const char *first = length ? memchr(config, '\n', length) : NULL;
	const char *line_end = first && first > config && first[-1] == '\r' ? "\r\n" : "\n";
	const char *tail = config + length, *next;
	bool inside = false, placed = false;

	for (const char *line = config; line < tail; line = next) {
		const char *newline = memchr(line, '\n', (size_t)(tail - line));
		next = newline ? newline + 1 : tail;
		bool begins = line_is(line, (size_t)(next - line), BLOCK_BEGIN);
		if (begins && inside)
			break;
		if (begins && !placed)
			RG_TRY(append_block(out, entries, line_end));
		placed |= begins;
		if (!begins && !inside)
			rg_buf_add(out, line, (size_t)(next - line));
		inside = begins || (inside && !line_is(line, (size_t)(next - line), BLOCK_END));
	}
	if (inside)
		return rg_error_new(RG_E_PARSE,
				    "the block of measured tolerances has lost its end; remove it");
	if (!placed)
		RG_TRY(append_block(out, entries, line_end));
	return rg_buf_check(out, ".regild");
}

rg_error *rg_policy_check(const char *config, size_t length)
{
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	return replace_block(&out, config, length, "");
}

rg_error *rg_policy_write(rg_buf *out, rg_policy_written *written, const char *config,
			  size_t length, const rg_audit *audit, size_t group, const char *when)
{
	RG_AUTO(rg_buf) entries = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO_FREE const rg_audit_series **all = NULL;
	entry_list list = {.text = &entries, .written = written, .audit = audit, .when = when};
	size_t total;

	*written = (rg_policy_written){0};
	rg_audit_all_series(audit, &all, &total);
	rg_error *err = append_metrics(&list, group, all, total);
	if (!err)
		err = check_entries(&list);
	rg_error_free(list.refused);
	RG_TRY(err);
	return replace_block(out, config, length, entries.data);
}
