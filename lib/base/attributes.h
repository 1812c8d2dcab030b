/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_ATTRIBUTES_H
#define REGILD_BASE_ATTRIBUTES_H

/* What compilers hold of functions. */

#define RG_CHECKED __attribute__((warn_unused_result))
#if defined(__clang__)
#define RG_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define RG_PRINTF(fmt, args) __attribute__((format(gnu_printf, fmt, args)))
#endif

/* What it returns is never NULL. */
#define RG_NEVER_NULL __attribute__((returns_nonnull))

#endif
