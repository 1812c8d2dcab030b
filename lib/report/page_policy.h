/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_REPORT_PAGE_POLICY_H
#define REGILD_REPORT_PAGE_POLICY_H

#include "base/error.h"

#include <cJSON.h>

/*
 * What templates/page-head.html needs for a page's Content-Security-Policy: "style_hash" and
 * "script_hash" in the view, the digests of templates/page.css and templates/page.js in base64. No
 * other style or script counts on such a page, so there are no attributes for them either.
 */
RG_CHECKED rg_error *rg_page_policy_put(cJSON *view);

#endif
