/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/open_page.h"

#include "base/path.h"
#include "net/url.h"
#include "store/scratch.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

rg_error *rg_page_place(char **folder, char **file)
{
	RG_TRY(rg_scratch_make_default(folder));
	*file = rg_path_join(*folder, "report.html");
	return NULL;
}

rg_error *rg_page_address(rg_buf *out, const char *path)
{
	RG_AUTO_FREE char *absolute = realpath(path, NULL);
	char *rest;

	if (!absolute)
		return rg_error_io(errno, "%s", path);
	rg_buf_str(out, "file://");
	for (char *part = strtok_r(absolute, "/", &rest); part; part = strtok_r(NULL, "/", &rest)) {
		RG_AUTO_FREE char *escaped = NULL;
		RG_TRY(rg_url_escape(&escaped, part));
		rg_buf_printf(out, "/%s", escaped);
	}
	return rg_buf_check(out, "the page's address");
}
