/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_FLOW_TEXTCONV_H
#define REGILD_FLOW_TEXTCONV_H

#include "base/error.h"

#include <stddef.h>

/* A golden as lines, for git diff: "METRIC STEP VALUE" by metric and step. No setting counts, and
 * nothing beside the file: git hands over a copy, under another name and in another folder. */

/* Takes the next bytes of the text. An error ends it. */
typedef rg_error *rg_textconv_fn(void *context, const void *bytes, size_t length);

/*
 * A file that no reader takes, or in which none finds a metric, comes as it is. RG_E_IO where it
 * cannot be read, RG_E_USAGE where `path` is a folder or empty.
 */
RG_CHECKED rg_error *rg_textconv(const char *path, rg_textconv_fn *write, void *context);

#endif
