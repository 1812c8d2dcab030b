#ifndef REGILD_ARCHIVE_DIRECTORY_H
#define REGILD_ARCHIVE_DIRECTORY_H

#include "archive/zip.h"
#include "base/memory.h"

/* A zip's central directory, found, read and checked; for zip.c. Layouts are APPNOTE.TXT's
 * 4.3.12 (entry), 4.3.14 … 4.3.16 (end records), 4.5.3 (zip64 extra field). */
typedef struct {
	rg_zip_member *members; /* in the directory's order */
	size_t count;
	uint64_t offset, size; /* where it lies in the file */
	rg_arena arena;        /* owns members and their texts */
} rg_zip_directory;

/* As rg_zip_open. `out` needs no release after an error. */
RG_CHECKED rg_error *rg_zip_directory_read(rg_zip_directory *out, const rg_reader *reader,
					   const rg_zip_limits *limits);
void rg_zip_directory_release(rg_zip_directory *directory);

#define RG_ZIP_LOCAL_SIGNATURE   0x04034b50u
#define RG_ZIP_ENTRY_SIGNATURE   0x02014b50u
#define RG_ZIP_END_SIGNATURE     0x06054b50u
#define RG_ZIP_END64_SIGNATURE   0x06064b50u
#define RG_ZIP_LOCATOR_SIGNATURE 0x07064b50u
#define RG_ZIP_LOCAL_SIZE        30
#define RG_ZIP_ENTRY_SIZE        46
#define RG_ZIP_END_SIZE          22

/* Little-endian numbers, unaligned. */
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
