/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_COMPLETION_H
#define REGILD_CMD_COMPLETION_H

#include "command.h"

/* The scripts that `regild completion` prints ask `regild __complete WORD... CURRENT`: the words
 * that follow "regild" on the line, up to the one under way, which may be empty. */
#define COMPLETE "__complete"

/* Prints "nothing", "files" or "folders", which the shell is to offer too, then a line for each
 * word that may be in that place: "WORD<Tab>HELP". */
void complete(const command *of, char *const *words, int count);

#endif
