#ifndef REGILD_CMD_COMPARE_PAIRS_H
#define REGILD_CMD_COMPARE_PAIRS_H

#include "audit/verdict.h"
#include "compare.h"
#include "compare/compare.h"
#include "format_reports.h"
#include "report/curve.h"
#include "report/filter.h"

/* What holds for the comparison. */
typedef struct {
	const rg_policy *policy;
	const rg_golden_options *old_options, *new_options; /* for readers, of each side */
	rg_noise_judge_context *judge;                      /* NULL: no noise model */
	format_reports *reports; /* gathers what formats say beside rows */
	const rg_filter *filter;
	const rg_column_context *context;
	rg_curve_list *curves; /* of the worst rows, for the page; NULL: not wanted */
} compare_rules;

/* What the two sides are called: "HEAD", "the working tree", a file's name. Borrowed. */
const char *compare_old_side(const compare_source *source);
const char *compare_new_side(const compare_source *source);

/* Reads and compares what `source` asks for into an initialised, empty comparison: files that a
 * filter leaves out are not read. RG_E_USAGE for a source that contradicts itself. */
RG_CHECKED rg_error *compare_pairs(environment *env, const compare_source *source,
				   const compare_rules *rules, rg_comparison *out);

#endif
