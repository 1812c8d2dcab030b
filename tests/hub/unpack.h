/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_UNPACK_H
#define REGILD_TESTS_HUB_UNPACK_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What GitLab makes of an archive: a list of all that is in it, and single files. */

typedef struct {
	char *path; /* a folder's ends in '/' */
	uint64_t size;
	bool directory, implied; /* implied: no member of its own */
} unpack_entry;

typedef struct {
	unpack_entry *items; /* by path, none twice; parents are there though the zip has none */
	size_t count, capacity;
} unpack_list;

/* RG_E_PARSE where the bytes are no zip. Names that lead out of the archive are left out. */
RG_CHECKED rg_error *unpack_list_make(unpack_list *out, const unsigned char *bytes, size_t length);
void unpack_list_release(unpack_list *list);

/* One member's bytes, the caller's to free. `got` is less than *size where the member breaks off; a
 * checksum is not looked at. RG_E_NOTFOUND, RG_E_LIMIT. */
RG_CHECKED rg_error *unpack_file(char **out, size_t *size, size_t *got, const unsigned char *bytes,
				 size_t length, const char *name);

#endif
