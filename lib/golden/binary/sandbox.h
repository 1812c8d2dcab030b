/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_SANDBOX_H
#define REGILD_GOLDEN_BINARY_SANDBOX_H

#include <stdint.h>

/*
 * The bounds of a process that reads what is hostile. From here on it uses the descriptors under
 * `files`, memory up to a limit and the time of one alarm after another. It writes `size` bytes to
 * an open file at most; it opens no file, starts no program and reaches no network. libseccomp
 * enforces this where it is installed, limits on resources do elsewhere.
 */
void rg_sandbox_close(int files, uint64_t size);
/* "libseccomp", or "rlimits" and why: what the sandbox is made of here. */
const char *rg_sandbox_name(void);

#endif
