/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_CMD_KEYS_H
#define REGILD_CMD_KEYS_H

#include "base/error.h"

#include <stdbool.h>

/*
 * Single keys from the terminal on stdin, which act at once. Only the wait for a key changes the
 * terminal's mode: whatever ends it (a key, Ctrl-C, Ctrl-\, SIGTERM, a hang-up) puts it back, and
 * Ctrl-Z does until the program goes on.
 */

/* Forgets what was typed so far: it cannot answer a question that nobody has seen. */
void keys_forget(void);

/*
 * Shows the question on stderr and waits for a key, which is shown after it. Enter is ignored. Of
 * an arrow or another key that sends several bytes, *key is the first byte, never a letter; the
 * others are dropped. RG_E_CANCELLED on Ctrl-C; *end tells that there is no key any more.
 */
RG_CHECKED rg_error *keys_read(const char *question, char *key, bool *end);

#endif
