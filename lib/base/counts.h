/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_COUNTS_H
#define REGILD_BASE_COUNTS_H

/*
 * How often this process has hashed, parsed and compared goldens. Each golden is to be hashed and
 * parsed once on its way through a command, and each pair compared once: -vv shows the counts, and
 * a test holds them.
 */
typedef enum {
	RG_COUNT_HASHED,
	RG_COUNT_PARSED,
	RG_COUNT_COMPARED, /* pairs */
	RG_COUNT_KINDS,
} rg_count;

/* From any thread. */
void rg_count_up(rg_count which);
unsigned long rg_count_of(rg_count which);

#endif
