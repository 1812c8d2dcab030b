/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_SCRIPTS_JSON_SCHEMA_H
#define REGILD_SCRIPTS_JSON_SCHEMA_H

#include "base/fields.h"

/* Appends the JSON Schema of a document, made of the tables that write it. */
void json_schema_write(rg_buf *out, const rg_json_document_kind *document);

#endif
