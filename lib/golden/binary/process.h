/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_PROCESS_H
#define REGILD_GOLDEN_BINARY_PROCESS_H

#include "golden/binary/child.h"

/*
 * The parent's side of a child (golden/binary/child.h): one for each reader, started when it is
 * first needed and kept for further goldens. Safe for several threads, which wait for each other.
 *
 *	rg_child_open(&child, reader, in);
 *	rg_child_take(child, &item, sizeof(item)); ...
 *	rg_child_close(child, whole);        or the child is killed, and another one started later
 */
typedef struct rg_child rg_child;

/* The program that is started again: main says so, once. Without one nothing can be read. */
void rg_child_program(const char *path);

/* Hands the file over. *out holds the reader's lock until rg_child_close, after errors not. */
RG_CHECKED rg_error *rg_child_open(rg_child **out, const rg_binary_reader *reader,
				   const rg_input *in);
/* The next bytes. RG_E_PARSE where the child has ended (with the signal) or was too slow. */
RG_CHECKED rg_error *rg_child_take(rg_child *child, void *out, size_t size);
/* `whole`: the end of the file was taken, so that the child can serve again. */
void rg_child_close(rg_child *child, bool whole);

#endif
