#ifndef REGILD_AUDIT_POLICY_TEXT_H
#define REGILD_AUDIT_POLICY_TEXT_H

#include "audit/audit.h"

/*
 * Recommended tolerances as [metric "NAME"] entries of `.regild`: kind = combined with rtol and
 * atol, aggregated as the tests do it.
 */
#define RG_POLICY_ENTRIES 5

typedef struct {
	const char *key;
	char value[32];
} rg_policy_entry;

/* How many of `out` are filled in. */
size_t rg_policy_entries(rg_policy_entry out[static RG_POLICY_ENTRIES],
			 const rg_tolerance *tolerance);
/* A metric's name as a pattern that matches it alone: wildcards and backslashes are escaped. The
 * caller frees. */
RG_CHECKED rg_error *rg_policy_pattern(char **out, const char *metric);

/* Metrics with an entry, and those with a comment instead. */
typedef struct {
	size_t metrics, left_out;
} rg_policy_written;

/*
 * Puts the tolerances of a group's metrics into the text of a `.regild`: a block between two
 * comment lines, behind everything else or where an earlier block stands; the text's line ends
 * stay. Where a series broke, the newest regime counts. `when`: the date for the evidence. A metric
 * that fewer than two runs measure, or whose name no section can have (a line end, too long for
 * RG_CONFIG_NAME_MAX), gets a comment instead. Levels that the audit's policy has under the very
 * same pattern are set anew, in shares of the tolerance. RG_E_USAGE where no metric gets an entry,
 * or where a level would be tighter than the spread that was measured, or where the line in front
 * of the block goes on in the next; RG_E_LIMIT where there would be more settings than are read
 * (RG_CONFIG_SETTINGS_MAX); RG_E_PARSE where an earlier block has no end.
 */
RG_CHECKED rg_error *rg_policy_write(rg_buf *out, rg_policy_written *written, const char *config,
				     size_t length, const rg_audit *audit, size_t group,
				     const char *when);
/* Whether it will find a place for the block: the errors that are the text's. */
RG_CHECKED rg_error *rg_policy_check(const char *config, size_t length);

#endif
