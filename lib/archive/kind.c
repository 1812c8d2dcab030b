/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/kind.h"

#include "archive/zip.h"
#include "base/bytes.h"

#include <string.h>

/* A tar's header (POSIX.1-2017, pax, "ustar Interchange Format"; older tars have the same sum). */
enum { TAR_HEADER = 512, TAR_SUM = 148, TAR_SUM_END = 156 };

/* Digits in base 8, with blanks or a NUL around them; -1 for anything else. */
static long octal(const unsigned char *p, size_t length)
{
	long value = 0;
	size_t i = 0, digits = 0;

	while (i < length && p[i] == ' ')
		i++;
	for (; i < length && p[i] >= '0' && p[i] <= '7'; i++, digits++)
		value = value * 8 + (p[i] - '0');
	while (i < length && (p[i] == ' ' || p[i] == '\0'))
		i++;
	return digits && i == length ? value : -1;
}

/* The sum counts its own field as blanks; some old tars added up signed bytes. */
static bool is_tar(const unsigned char *p, size_t length)
{
	long sum = 0, signed_sum = 0;
	if (length < TAR_HEADER || !p[0])
		return false;
	for (size_t i = 0; i < TAR_HEADER; i++) {
		unsigned char byte = i >= TAR_SUM && i < TAR_SUM_END ? ' ' : p[i];
		sum += byte;
		signed_sum += byte < 128 ? byte : byte - 256;
	}
	long claimed = octal(p + TAR_SUM, TAR_SUM_END - TAR_SUM);
	return claimed == sum || (claimed >= 0 && claimed == signed_sum);
}

rg_archive_kind rg_archive_kind_of(const void *bytes, size_t length)
{
	const unsigned char *p = bytes;
	if (rg_zip_recognised(p, length))
		return RG_ARCHIVE_ZIP;
	if (length >= 3 && p[0] == 0x1f && p[1] == 0x8b && p[2] == 8)
		return RG_ARCHIVE_GZIP;
	/* RFC 8878: a frame, or one to be skipped, with which parallel packers begin. */
	if (length >= 4 && (rg_le32(p) == 0xfd2fb528 || (rg_le32(p) & ~0xfu) == 0x184d2a50))
		return RG_ARCHIVE_ZSTD;
	if (length >= 6 && !memcmp(p,
				   "\xfd"
				   "7zXZ",
				   6))
		return RG_ARCHIVE_XZ;
	return is_tar(p, length) ? RG_ARCHIVE_TAR : RG_ARCHIVE_NONE;
}

rg_error *rg_archive_kind_read(rg_archive_kind *out, const rg_reader *reader)
{
	unsigned char start[RG_ARCHIVE_KIND_BYTES];
	size_t length = reader->size < sizeof(start) ? (size_t)reader->size : sizeof(start);

	*out = RG_ARCHIVE_NONE;
	RG_TRY(rg_reader_read(reader, 0, start, length));
	*out = rg_archive_kind_of(start, length);
	return NULL;
}
