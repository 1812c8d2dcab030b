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
			 const rg_tolerance *tolerance, int64_t start_step);
/* A metric's name as a pattern that matches it alone: wildcards and backslashes are escaped. The
 * caller frees. */
RG_CHECKED rg_error *rg_policy_pattern(char **out, const char *metric);

/*
 * Puts the tolerances of a group's metrics into the text of a `.regild`: a block between two
 * comment lines, behind everything else or where an earlier block stands. Where a series broke, the
 * newest regime counts. `when`: the date for the evidence. RG_E_USAGE where a level would be
 * tighter than the spread that was measured, or where a metric was measured once only.
 */
RG_CHECKED rg_error *rg_policy_write(rg_buf *out, const char *config, size_t length,
				     const rg_audit *audit, size_t group, const char *when);

#endif
