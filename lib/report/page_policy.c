/* SPDX-License-Identifier: Apache-2.0 */
#include "report/page_policy.h"

#include "base/base64.h"
#include "base/digest.h"
#include "base/templates.h"
#include "report/template_data.h"

#include <string.h>

static rg_error *put_hash(cJSON *view, const char *key, const char *template_name)
{
	const char *text = rg_template_text(template_name);
	unsigned char hash[RG_SHA256_SIZE];
	rg_buf encoded;

	RG_TRY(rg_sha256_raw(text, strlen(text), hash));
	rg_buf_init(&encoded, RG_BUF_TEXT);
	rg_base64_add(&encoded, hash, sizeof(hash));
	rg_build_markup(view, key, &encoded);
	rg_buf_release(&encoded);
	return NULL;
}

rg_error *rg_page_policy_put(cJSON *view)
{
	RG_TRY(put_hash(view, "style_hash", "page.css"));
	return put_hash(view, "script_hash", "page.js");
}
