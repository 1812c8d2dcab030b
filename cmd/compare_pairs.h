#ifndef REGILD_CMD_COMPARE_PAIRS_H
#define REGILD_CMD_COMPARE_PAIRS_H

#include "compare.h"
#include "compare/compare.h"
#include "report/filter.h"

/* Reads and compares what `source` asks for into an initialised, empty comparison: files that a
 * filter leaves out are not read. RG_E_USAGE for a source that contradicts itself. */
RG_CHECKED rg_error *compare_pairs(environment *env, const compare_source *source,
				   const rg_policy *policy, const rg_filter *filter,
				   const rg_column_context *context, rg_comparison *out);

#endif
