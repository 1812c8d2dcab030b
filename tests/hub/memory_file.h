/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_TESTS_HUB_MEMORY_FILE_H
#define REGILD_TESTS_HUB_MEMORY_FILE_H

#include <minizip/ioapi.h>
#include <stddef.h>

/* A block of memory that minizip reads, or writes into as it grows. */
typedef struct {
	unsigned char *bytes;
	size_t length, capacity, position;
} memory_file;

/* minizip's operations on `file`, which must stay where it is. */
zlib_filefunc64_def memory_file_functions(memory_file *file);

#endif
