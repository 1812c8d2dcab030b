/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_GOLDEN_BINARY_SANDBOX_H
#define REGILD_GOLDEN_BINARY_SANDBOX_H

#include "base/error.h"

/*
 * The bounds of a process that reads what is hostile. From here it may use the descriptors that it
 * has, memory up to a limit and the time of one alarm after another; it can open no file, write to
 * none, start no program and reach no network. libseccomp enforces this where it is installed,
 * limits on resources do elsewhere.
 */
void rg_sandbox_close(void);
/* "libseccomp" or "rlimits": what the sandbox is made of here. */
const char *rg_sandbox_name(void);

/* The part of libseccomp, if it is there: loads it; lets through the calls that a reader needs. */
RG_CHECKED rg_error *rg_seccomp_load(void);
void rg_seccomp_close(void);

#endif
