/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_BYTES_H
#define REGILD_BASE_BYTES_H

#include <stdint.h>

/* Little-endian numbers at any place in memory. */

static inline uint16_t rg_le16(const unsigned char *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t rg_le32(const unsigned char *p)
{
	return (uint32_t)rg_le16(p) | (uint32_t)rg_le16(p + 2) << 16;
}

static inline uint64_t rg_le64(const unsigned char *p)
{
	return (uint64_t)rg_le32(p) | (uint64_t)rg_le32(p + 4) << 32;
}

#endif
