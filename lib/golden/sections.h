/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_SECTIONS_H
#define REGILD_GOLDEN_SECTIONS_H

#include "golden/golden.h"

/* The sections of .regild that say how goldens are read. */

/* The section for the file, out of `count` structs of `size` bytes that begin with their pattern:
 * if several match, the most specific one, or the last of equally specific ones. NULL: there is
 * none. A pattern that is NULL matches all. */
const void *rg_section_of(const void *sections, size_t count, size_t size, const char *name);

/* The [table] for the file. NULL: there is none. */
const rg_table_rule *rg_table_rule_of(const rg_golden_options *options, const char *name);
/* The keys that a [table] has. */
unsigned rg_settings_of(const rg_table_rule *rule);

/* RG_E_USAGE where a section that names the file says what the golden, which was read, does not
 * heed, and no other does (rg_golden_options.heeded_elsewhere); if others do, it gets a note. A
 * pattern that has all files of a folder names none. */
RG_CHECKED rg_error *rg_settings_refuse_ignored(rg_golden *golden,
						const rg_golden_options *options);

#endif
