#include "audit/policy_text.h"

#include "base/number.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BLOCK_BEGIN "# regild audit: measured tolerances begin (made by --write-policy)\n"
#define BLOCK_END   "# regild audit: measured tolerances end\n"

static void set_entry(rg_policy_entry *entry, const char *key, double value)
{
	char text[RG_DOUBLE_REPR_SIZE];

	entry->key = key;
	rg_double_repr(value, text);
	snprintf(entry->value, sizeof(entry->value), "%s", text);
}

size_t rg_policy_entries(rg_policy_entry out[static RG_POLICY_ENTRIES],
			 const rg_tolerance *tolerance, int64_t start_step)
{
	size_t count = 0;

	out[count++] = (rg_policy_entry){"kind", "combined"};
	set_entry(&out[count++], "rtol", tolerance->relative);
	set_entry(&out[count++], "atol", tolerance->absolute);
	if (tolerance->kind == RG_TOLERANCE_BY_MEDIAN)
		out[count++] = (rg_policy_entry){"aggregate", "median"};
	if (tolerance->kind == RG_TOLERANCE_BY_MAX)
		out[count++] = (rg_policy_entry){"aggregate", "max"};
	if (start_step > 0 && tolerance->kind != RG_TOLERANCE_BY_MAX) {
		out[count].key = "steps";
		snprintf(out[count].value, sizeof(out[count].value), "%" PRId64 "..", start_step);
		count++;
	}
	return count;
}

rg_error *rg_policy_pattern(char **out, const char *metric)
{
	rg_error *err;
	rg_buf text;

	rg_buf_init(&text, RG_BUF_TEXT);
	for (; *metric; metric++) {
		if (strchr("*?[\\", *metric))
			rg_buf_char(&text, '\\');
		rg_buf_char(&text, *metric);
	}
	err = rg_buf_check(&text, "metric name");
	*out = err ? NULL : rg_buf_detach(&text);
	if (!err && !*out)
		err = rg_error_nomem();
	rg_buf_release(&text);
	return err;
}

/* As git's configuration has it inside quotes. */
static void add_quoted(rg_buf *out, const char *text)
{
	for (; *text; text++) {
		if (*text == '"' || *text == '\\')
			rg_buf_char(out, '\\');
		rg_buf_char(out, *text);
	}
}

static rg_error *check(const rg_audit_summary *summary, const rg_tolerance *tolerance)
{
	if (summary->runs < 2)
		return rg_error_new(RG_E_USAGE,
				    "metric '%s': %zu run is no measurement; audit at least 2",
				    summary->metric, summary->runs);
	if (rg_tolerance_is_tighter_than_spread(tolerance))
		return rg_error_new(
			RG_E_USAGE,
			"metric '%s': a tolerance of %g (relative) and %g (absolute) is tighter "
			"than the measured spread, %g and %g; raise --confidence-multiplier",
			summary->metric, tolerance->relative, tolerance->absolute,
			tolerance->max_relative, tolerance->max_absolute);
	return NULL;
}

static rg_error *add_entry(rg_buf *out, const rg_audit *audit, const rg_audit_summary *summary,
			   const char *when)
{
	const rg_tolerance *tolerance = summary->broken ? &summary->regime_tolerance
							: &summary->tolerance;
	rg_policy_entry entries[RG_POLICY_ENTRIES];
	size_t count = rg_policy_entries(entries, tolerance, audit->options.tolerance.start_step);
	char *pattern, relative[RG_DOUBLE_REPR_SIZE];
	size_t i;

	RG_TRY(check(summary, tolerance));
	RG_TRY(rg_policy_pattern(&pattern, summary->metric));
	rg_double_repr(tolerance->max_relative, relative);
	rg_buf_str(out, "[metric \"");
	add_quoted(out, pattern);
	free(pattern);
	rg_buf_printf(out, "\"]\n\t# %zu runs of %zu file%s%s, %s: largest deviation %s by %s\n",
		      summary->runs, summary->files, summary->files == 1 ? "" : "s",
		      summary->broken ? " since the newest break" : "", when, relative,
		      rg_tolerance_kind_text(tolerance->kind));
	for (i = 0; i < count; i++)
		rg_buf_printf(out, "\t%s = %s\n", entries[i].key, entries[i].value);
	return NULL;
}

/* A section cannot name it: git's configuration has no line ends in subsections. */
static bool is_nameable(const rg_audit_summary *summary)
{
	return *summary->metric && !strpbrk(summary->metric, "\r\n");
}

rg_error *rg_policy_write(rg_buf *out, const char *config, size_t length, const rg_audit *audit,
			  size_t group, const char *when)
{
	const char *begin = NULL, *end = NULL, *tail = config + length;
	size_t i;

	if (length) {
		begin = strstr(config, BLOCK_BEGIN);
		end = begin ? strstr(begin, BLOCK_END) : NULL;
	}
	if (begin && !end)
		return rg_error_new(RG_E_PARSE,
				    "the block of measured tolerances has lost its end; remove it");
	rg_buf_add(out, config, (size_t)((begin ? begin : tail) - config));
	if (out->length && out->data[out->length - 1] != '\n')
		rg_buf_char(out, '\n');
	rg_buf_str(out, BLOCK_BEGIN);
	for (i = 0; i < audit->metric_count; i++) {
		const rg_audit_summary *summary = &audit->metrics[i];

		if (summary->group == group && is_nameable(summary))
			RG_TRY(add_entry(out, audit, summary, when));
	}
	rg_buf_str(out, BLOCK_END);
	if (end)
		rg_buf_add(out, end + strlen(BLOCK_END), (size_t)(tail - end) - strlen(BLOCK_END));
	return rg_buf_check(out, ".regild");
}
