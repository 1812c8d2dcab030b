/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_SUPPORT_SCHEMA_H
#define REGILD_TESTS_SUPPORT_SCHEMA_H

/* As much of JSON Schema as our own schemas and GitHub's OpenAPI description use. A keyword
 * that is not known here is a failure: nothing is passed over in silence. */

#include "base/buf.h"

#include <cjson/cJSON.h>
#include <stdbool.h>

/* A NULL `message` stays silent; else it gets the place and what is wrong there:
 * "/rows/0/metric: it is not of its type". */
bool schema_fits(const cJSON *schema, const cJSON *value, rg_buf *message);

/* The schema of one of our documents, "regild-compare"; the caller deletes it. */
cJSON *schema_of_document(const char *name);

#endif
