/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_ATTRIBUTES_H
#define REGILD_BASE_ATTRIBUTES_H

/* Promises about functions that compilers check. */

#define RG_CHECKED __attribute__((warn_unused_result))
#if defined(__clang__)
#define RG_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define RG_PRINTF(fmt, args) __attribute__((format(gnu_printf, fmt, args)))
#endif

/* The function never returns NULL. */
#define RG_NEVER_NULL __attribute__((returns_nonnull))

#endif
