/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_MEMORY_READER_H
#define REGILD_TESTS_MEMORY_READER_H

#include "base/reader.h"

#include <string.h>

static inline rg_error *memory_read_at(void *context, uint64_t offset, void *buffer, size_t length)
{
	memcpy(buffer, (const char *)context + offset, length);
	return NULL;
}

/* A reader over memory, which is borrowed. Nothing to release. */
static inline rg_reader memory_reader(const char *name, const void *bytes, size_t length)
{
	return (rg_reader){.name = name,
			   .size = length,
			   .read_at = memory_read_at,
			   .context = (void *)(uintptr_t)bytes};
}

#endif
