/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_PACK_H
#define REGILD_TESTS_HUB_PACK_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Zips made in memory, the same bytes for the same input: members in the order given, dates fixed.
 */
typedef struct pack pack;

void pack_new(pack **out);
/* `deflate` false: stored. */
RG_CHECKED rg_error *pack_add(pack *zip, const char *name, const void *bytes, size_t length,
			      bool deflate);
/* *bytes is the caller's to free. The pack can take no more. */
RG_CHECKED rg_error *pack_finish(pack *zip, unsigned char **bytes, size_t *length);
void pack_free(pack *zip);

/* Fills with lines of text that no compressor makes much smaller, the same for every call: what
 * stands in for a job's logs. */
void filler_fill(unsigned char *out, size_t length);

#endif
