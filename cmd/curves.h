#ifndef REGILD_CMD_CURVES_H
#define REGILD_CMD_CURVES_H

#include "compare/parallel.h"
#include "report/curve.h"

/* Where a comparison's pairs can be read again. */
typedef struct {
	size_t count;
	rg_pair_load_fn *load;                            /* on worker 0 */
	const char *(*name)(void *context, size_t index); /* what files[].file says */
	void *context;
	const rg_golden_options *old_options, *new_options;
} curve_source;

/* The curves of the comparison's worst rows: reads their files once more, one at a time. A file
 * that can no longer be read leaves its curves empty. */
RG_CHECKED rg_error *curves_read(rg_curve_list *out, const rg_comparison *comparison,
				 const curve_source *source);

#endif
