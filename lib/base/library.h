/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_LIBRARY_H
#define REGILD_BASE_LIBRARY_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

/*
 * A shared library that few commands need, and that loads many others: it is loaded when it is
 * first asked for. It is looked for where it was when regild was compiled, never by the
 * environment.
 */
typedef struct {
	const char *path;
	const char *package; /* Debian's, which has it */
	const char *const *names;
	size_t count;
	void *functions; /* a struct of so many pointers to functions, which those names have */
	bool loaded;
} rg_library;

/* Fills `functions`, once; of several threads one does. RG_E_IO where it is not installed. */
RG_CHECKED rg_error *rg_library_load(rg_library *library);

#endif
