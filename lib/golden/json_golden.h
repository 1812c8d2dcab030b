/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_JSON_GOLDEN_H
#define REGILD_GOLDEN_JSON_GOLDEN_H

#include "base/json.h"
#include "golden/builder.h"

/* Adds the metrics of a document, wherever it was parsed. */
RG_CHECKED rg_error *rg_json_golden_read(rg_golden_builder *builder, const rg_input *in,
					 const rg_golden_options *options, const cJSON *document);

/* json_lines.c: a text that is a list of objects or has one of benchmarks, read one by one. False
 * where it is anything else, or anything is wrong with it: the reader of the whole says what. */
bool rg_json_list_read(rg_golden_builder *builder, const rg_input *in,
		       const rg_golden_options *options);

#endif
