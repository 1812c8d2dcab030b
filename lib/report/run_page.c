/* SPDX-License-Identifier: Apache-2.0 */
#include "report/run_page.h"

#include <stddef.h>
#include <string.h>

rg_run_page rg_run_page_of(const char *url)
{
	const char *github = url ? strstr(url, "/actions/runs/") : NULL;
	const char *gitlab = url ? strstr(url, "/-/pipelines/") : NULL;

	if (github)
		return (rg_run_page){(int)(github - url), "", false};
	if (gitlab)
		return (rg_run_page){(int)(gitlab - url), "/-", true};
	return (rg_run_page){0, "", false};
}
