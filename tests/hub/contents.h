/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_CONTENTS_H
#define REGILD_TESTS_HUB_CONTENTS_H

#include "base/error.h"

#include <cjson/cJSON.h>
#include <stdbool.h>
#include <stddef.h>

/* Does the job say what its log is? */
bool contents_has_log(const cJSON *job);

/* What the bytes of an artifact, or of a job's log, are made from, as text: equal keys, equal
 * bytes. The caller frees it. */
RG_CHECKED rg_error *contents_key(char **out, const cJSON *artifact);
/* Makes them: the log, the zip of its members, or the one file as it is, whose name goes to *name
 * then (NULL for a zip). *bytes and *name are the caller's to free, but *bytes that are *kept
 * (hub/kept.h). */
RG_CHECKED rg_error *contents_make(unsigned char **bytes, size_t *length, char **name, bool *kept,
				   const char *folder, const cJSON *artifact);

#endif
