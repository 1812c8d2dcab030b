#ifndef REGILD_CMD_FORMAT_REPORTS_H
#define REGILD_CMD_FORMAT_REPORTS_H

#include "command.h"
#include "compare/parallel.h"
#include "report/format_report.h"

/*
 * What particular formats say beside rows (report/format_report.h), gathered while pairs are
 * loaded: reports of backend tests, all files together, and opdiff results, a file each.
 */
typedef struct {
	struct format_pair *pairs; /* by the pair's index */
	size_t count;
	int run_index;
	const char *old_backend, *new_backend;
} format_reports;

/* Before pairs are loaded; `reports` starts all zero but for its last three fields. */
RG_CHECKED rg_error *format_reports_begin(format_reports *reports, size_t pairs);
/* On any thread, once a pair. A file that cannot be read is the comparison's to tell. */
RG_CHECKED rg_error *format_reports_collect(format_reports *reports, size_t index,
					    const rg_pair *pair);
/* Appends nothing where no file was of such a format. */
RG_CHECKED rg_error *format_reports_render(const format_reports *reports, rg_buf *out,
					   rg_format_report_kind kind);
void format_reports_release(format_reports *reports);

#endif
