/* SPDX-License-Identifier: Apache-2.0 */
#include "compare/condition.h"

#include "base/buf.h"
#include "base/nearest.h"
#include "compare/checks.h"

#include <math.h>
#include <string.h>

static double lost(const rg_condition_subject *subject)
{
	const rg_row *row = subject->row;

	if (row && row->gap == RG_GAP_OLD_ONLY)
		return (double)row->lost;
	return row && row->left_out.old_only ? (double)row->left_out.old_only : NAN;
}

static double nonfinite(const rg_condition_subject *subject)
{
	const rg_row *row = subject->row;

	return row && row->nonfinite ? (double)row->nonfinite : NAN;
}

/* By however little. */
static double changed(const rg_condition_subject *subject)
{
	const rg_row *row = subject->row;
	bool both = row && (row->gap == RG_GAP_NONE || row->gap == RG_GAP_NO_STEPS);

	return both && !row->identical ? 1 : NAN;
}

static double has_status(const rg_condition_subject *subject, rg_file_status status)
{
	return !subject->row && subject->file->status == status ? 1 : NAN;
}

static double removed(const rg_condition_subject *subject)
{
	return has_status(subject, RG_FILE_REMOVED);
}

static double unreadable(const rg_condition_subject *subject)
{
	return has_status(subject, RG_FILE_UNREADABLE);
}

static double over_tolerance(const rg_condition_subject *subject)
{
	const rg_row *row = subject->row;

	if (!row || !row->over.count)
		return NAN;
	return isnan(row->over.off) ? INFINITY : row->over.off;
}

/* A check that nobody could hold does not pass. */
static double fails_check(const rg_condition_subject *subject)
{
	size_t check = rg_checks_find(subject->checks, subject->argument);
	uint32_t fails = subject->row ? subject->row->check_fails
				      : subject->file->check_fails | subject->file->unchecked;

	return check < RG_CHECKS_MAX && fails >> check & 1 ? 1 : NAN;
}

const rg_condition rg_conditions[] = {
	{.name = "changed",
	 .help = "a metric, or an opaque golden, is not the same on both sides",
	 .kind = RG_BREACH_CHANGED,
	 .test = changed},
	{.name = "check",
	 .argument = "NAME",
	 .help = "the new values fail this check of the project ([check \"NAME\"])",
	 .kind = RG_BREACH_CHECK,
	 .test = fails_check},
	{.name = "lost",
	 .help = "the new side lost metrics or steps",
	 .kind = RG_BREACH_LOST,
	 .test = lost},
	{.name = "nonfinite",
	 .help = "a finite value became NaN or infinite",
	 .kind = RG_BREACH_NONFINITE,
	 .test = nonfinite},
	{.name = "removed",
	 .help = "a golden was removed as a whole",
	 .kind = RG_BREACH_REMOVED,
	 .test = removed},
	{.name = "tolerance",
	 .help = "a table's record differs by more than its own tolerance",
	 .kind = RG_BREACH_TOLERANCE,
	 .test = over_tolerance},
	{.name = "unreadable",
	 .help = "a golden could not be read (exit code 4)",
	 .kind = RG_BREACH_UNREADABLE,
	 .test = unreadable},
	{0},
};

static rg_error *unknown(const rg_condition *table, const char *name)
{
	rg_nearest nearest;
	rg_error *err;
	rg_buf text;

	rg_nearest_init(&nearest, name);
	rg_buf_init(&text, RG_BUF_TEXT);
	rg_buf_printf(&text, "'%s' is not a condition; there are", name);
	for (; table->name; table++) {
		rg_nearest_offer(&nearest, table->name);
		rg_buf_printf(&text, " %s%s%s%s", table->name, table->argument ? ":" : "",
			      table->argument ? table->argument : "", table[1].name ? "," : "");
	}
	if (rg_nearest_name(&nearest))
		rg_buf_printf(&text, "; did you mean '%s'?", rg_nearest_name(&nearest));
	err = rg_buf_check(&text, "conditions");
	if (!err)
		err = rg_error_new(RG_E_USAGE, "%s", text.data);
	rg_buf_release(&text);
	return err;
}

static const rg_condition *named(const rg_condition *table, const char *name, size_t length)
{
	while (table->name && (strlen(table->name) != length || memcmp(table->name, name, length)))
		table++;
	return table->name ? table : NULL;
}

rg_error *rg_condition_find(const rg_condition **out, const char **argument,
			    const rg_condition *table, const char *text)
{
	size_t length = strcspn(text, ":");

	*argument = text[length] ? text + length + 1 : NULL;
	*out = named(table, text, length);
	if (!*out)
		return unknown(table, text);
	if ((*out)->argument && (!*argument || !**argument))
		return rg_error_new(RG_E_USAGE, "'%s' needs an argument: %s:%s", text, (*out)->name,
				    (*out)->argument);
	if (!(*out)->argument && *argument)
		return rg_error_new(RG_E_USAGE, "'%s': %s takes no argument", text, (*out)->name);
	return NULL;
}
