/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_RUN_PAGE_H
#define REGILD_REPORT_RUN_PAGE_H

#include <stdbool.h>

/* From a run's page to others of its repository: their addresses begin with the first `length`
 * bytes of the run's and `between`, "https://HOST/OWNER/NAME" and "", or on GitLab
 * "https://HOST/GROUP/PROJECT" and "/-". */
typedef struct {
	int length; /* 0: it is not a run's page */
	const char *between;
	bool gitlab;
} rg_run_page;

/* `url` may be NULL. */
rg_run_page rg_run_page_of(const char *url);

#endif
