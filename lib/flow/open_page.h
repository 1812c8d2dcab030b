/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_OPEN_PAGE_H
#define REGILD_FLOW_OPEN_PAGE_H

#include "base/buf.h"

/* A page that a browser is to show. */

/* Makes a folder beside the cache, which is kept for a day, for a page whose file nobody has named.
 * Both are the caller's to free. */
RG_CHECKED rg_error *rg_page_place(char **folder, char **file);
/* Appends "file://PATH", with everything escaped that a URL would read otherwise. */
RG_CHECKED rg_error *rg_page_address(rg_buf *out, const char *path);

#endif
