/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_BASE_BYTES_H
#define REGILD_BASE_BYTES_H

#include <stdint.h>

/* Numbers at any place in memory, little-endian where nothing else is said. */

static inline uint16_t rg_le16(const unsigned char *p)
{
	return (uint16_t)(p[0] | p[1] << 8);
}

static inline uint32_t rg_le32(const unsigned char *p)
{
	return (uint32_t)rg_le16(p) | (uint32_t)rg_le16(p + 2) << 16;
}

static inline uint64_t rg_le64(const void *bytes)
{
	const unsigned char *p = bytes;
	return (uint64_t)rg_le32(p) | (uint64_t)rg_le32(p + 4) << 32;
}

/* How many bytes of rg_le64 are zero before the first one that is not. */
static inline unsigned rg_zero_bytes(uint64_t bytes)
{
	return bytes ? (unsigned)__builtin_ctzll(bytes) / 8 : 8;
}

/* Big-endian. */
static inline uint32_t rg_be32(const unsigned char *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

#endif
