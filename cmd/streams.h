/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_STREAMS_H
#define REGILD_CMD_STREAMS_H

#define _GNU_SOURCE /* as in runner.c: in front of the first header */

#include <stdio.h>

/*
 * musl has no stdout and stderr that another stream can take the place of, as runner.h's guard
 * does. Where regild is linked with musl (the Makefile's STATIC), each file of cmd is compiled
 * with this in front of it.
 */
extern FILE *streams_out, *streams_err;

/* Before anything is printed. */
static inline void streams_start(void)
{
	streams_out = stdout;
	streams_err = stderr;
}

#undef stdout
#undef stderr
#define stdout        streams_out
#define stderr        streams_err
#define printf(...)   fprintf(stdout, __VA_ARGS__)
#define puts(text)    fprintf(stdout, "%s\n", text)
#define putchar(byte) fputc(byte, stdout)

#endif
