/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_SANDBOX_H
#define REGILD_GOLDEN_BINARY_SANDBOX_H

/*
 * The bounds of a process that reads what is hostile. From here on it uses the descriptors under
 * `files`, memory up to a limit and the time of one alarm after another; it opens and writes no
 * file, starts no program and reaches no network. libseccomp enforces this where it is installed,
 * limits on resources do elsewhere.
 */
void rg_sandbox_close(int files);
/* "libseccomp" or "rlimits": what the sandbox is made of here. */
const char *rg_sandbox_name(void);

#endif
