/* SPDX-License-Identifier: Apache-2.0 */
/* Any text as the JSON of a comparison: what is rendered of it keeps its length, and runs nothing
 * of it.
 */
#include "page.h"

#include "flow/report.h"

#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(const rg_report *report, rg_report_document *document, rg_report_kind kind)
{
	rg_error *err;

	RG_AUTO(rg_buf) text = rg_buf_of(1 << 22);
	err = rg_report_again(&text, report, document, kind);
	if (!err && kind == RG_REPORT_HTML)
		require_page(text.data);
	rg_error_free(err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const rg_report_options options = {0};
	const rg_report report = {.options = &options};
	rg_report_document document;
	rg_error *err;

	err = rg_report_document_parse(&document, (const char *)data, size, "a document");
	if (!err) {
		check(&report, &document, RG_REPORT_MARKDOWN);
		check(&report, &document, RG_REPORT_HTML);
	}
	rg_error_free(err);
	rg_report_document_release(&document);
	return 0;
}
