/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_DOCUMENTS_H
#define REGILD_FLOW_DOCUMENTS_H

#include "base/fields.h"

/* Every kind of document that commands write; a NULL name ends it. */
extern const rg_json_document_kind rg_documents[];

#endif
