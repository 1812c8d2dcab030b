/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_SHORTEN_H
#define REGILD_BASE_SHORTEN_H

#include "base/buf.h"

/*
 * Appends text from outside for a person (see rg_utf8_add_safe) in at most `width` columns. What is
 * too long loses its middle: "tests/…/golden_values_dev.json". The end says most in a path, and
 * gets three quarters of the width or more. An escape and a character with its marks stay whole.
 * Returns the columns that it took.
 */
size_t rg_text_shorten(rg_buf *out, const char *text, size_t length, size_t width);

#endif
