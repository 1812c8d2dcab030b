/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/zip_end_record.h"

#include "base/memory.h"
#include "archive/zip_format.h"
#include "base/bytes.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { LOCATOR_SIZE = 20, END64_SIZE = 56, COMMENT_MAX = 0xffff };
enum { TAIL_MOST = LOCATOR_SIZE + END64_SIZE + RG_ZIP_END_SIZE + COMMENT_MAX };

/* How many records are looked into: each may cost a read elsewhere in the file. */
enum { RECORDS_MAX = 8 };

/* The file's last bytes. */
typedef struct {
	const rg_reader *reader;
	unsigned char *bytes;
	size_t length;
	uint64_t start; /* of the first of them in the file */
} file_tail;

/* The zip64 end record that a locator points at, or none (*found false). */
static rg_error *read_end64(const file_tail *tail, uint64_t locator_at,
			    const unsigned char *locator, rg_zip_end *out)
{
	unsigned char record[END64_SIZE];
	uint64_t at = rg_le64(locator + 8);

	if (rg_le32(locator + 4) != 0 || rg_le32(locator + 16) > 1)
		return rg_error_new(RG_E_PARSE, "a zip of several parts is not supported");
	if (at > locator_at || locator_at - at < END64_SIZE)
		return rg_error_new(RG_E_PARSE, "its zip64 end record is outside the file");
	RG_TRY(rg_reader_read(tail->reader, at, record, sizeof(record)));
	if (rg_le32(record) != RG_ZIP_END64_SIGNATURE ||
	    rg_le64(record + 4) != locator_at - at - 12)
		return rg_error_new(RG_E_PARSE, "its zip64 end record is broken");
	if (rg_le32(record + 16) != 0 || rg_le32(record + 20) != 0 ||
	    rg_le64(record + 24) != rg_le64(record + 32))
		return rg_error_new(RG_E_PARSE, "a zip of several parts is not supported");
	*out = (rg_zip_end){.entries = rg_le64(record + 32),
			    .size = rg_le64(record + 40),
			    .offset = rg_le64(record + 48),
			    .at = at};
	return NULL;
}

/* A field of the old record says the same as zip64's, or that one should look there. */
static bool agrees(uint64_t old, uint64_t saturated, uint64_t zip64)
{
	return old == saturated || old == zip64;
}

/* Reads the end record at tail->bytes + at and checks that a directory can lie right before it. */
static rg_error *read_end(const file_tail *tail, size_t at, rg_zip_end *out)
{
	const unsigned char *record = tail->bytes + at;
	rg_zip_end old = {.entries = rg_le16(record + 10),
			  .size = rg_le32(record + 12),
			  .offset = rg_le32(record + 16),
			  .at = tail->start + at};

	*out = old;
	if (at >= LOCATOR_SIZE && rg_le32(record - LOCATOR_SIZE) == RG_ZIP_LOCATOR_SIGNATURE) {
		RG_TRY(read_end64(tail, old.at - LOCATOR_SIZE, record - LOCATOR_SIZE, out));
		if (!agrees(old.entries, 0xffff, out->entries) ||
		    !agrees(old.size, 0xffffffff, out->size) ||
		    !agrees(old.offset, 0xffffffff, out->offset))
			return rg_error_new(RG_E_PARSE,
					    "its two end records contradict each other");
	} else if (rg_le16(record + 4) || rg_le16(record + 6) ||
		   rg_le16(record + 8) != rg_le16(record + 10)) {
		return rg_error_new(RG_E_PARSE, "a zip of several parts is not supported");
	}
	if (out->size > out->at || out->offset != out->at - out->size)
		return rg_error_new(RG_E_PARSE,
				    "its directory (%" PRIu64 " bytes at %" PRIu64
				    ") does not end where the end record begins (%" PRIu64 ")",
				    out->size, out->offset, out->at);
	if (out->entries > out->size / RG_ZIP_ENTRY_SIZE || (!out->entries && out->size))
		return rg_error_new(RG_E_PARSE,
				    "its directory of %" PRIu64 " bytes cannot hold %" PRIu64
				    " members",
				    out->size, out->entries);
	return NULL;
}

/*
 * A comment may hold anything, another end record too. A record counts where its comment ends with
 * the file; where two of them count and both make sense, readers would differ on what is inside.
 */
static rg_error *find_end(const file_tail *tail, rg_zip_end *out, size_t *seen)
{
	/* A locator before the record must be in sight too. */
	size_t least = tail->start ? LOCATOR_SIZE : 0, found = 0;
	size_t at = tail->length - RG_ZIP_END_SIZE + 1;
	rg_error *trouble = NULL;

	while (at-- > least && *seen <= RECORDS_MAX) {
		const unsigned char *record = tail->bytes + at;
		rg_zip_end end;

		if (record[0] != 'P' || rg_le32(record) != RG_ZIP_END_SIGNATURE ||
		    rg_le16(record + 20) != tail->length - at - RG_ZIP_END_SIZE)
			continue;
		rg_error *err = ++*seen > RECORDS_MAX
					? rg_error_new(RG_E_PARSE, "it has too many end records")
					: read_end(tail, at, &end);
		if (err && rg_error_get_code(err) != RG_E_PARSE) {
			rg_error_free(trouble);
			return err;
		}
		if (!err && found++ == 0)
			*out = end;
		trouble = rg_error_first(trouble, err);
	}
	if (!found && !trouble)
		return rg_error_new(RG_E_PARSE, "there is no end record (cut off, or not a zip)");
	if (!found || *seen > RECORDS_MAX)
		return trouble;
	rg_error_free(trouble);
	if (found > 1)
		return rg_error_new(RG_E_PARSE, "it has two end records, each with a directory");
	return NULL;
}

/*
 * Looks for the end record in the last `length` bytes; *seen is how many records are there. Where
 * that is more than the tail, a tail's worth before it comes along: the directory is there.
 */
static rg_error *look_in_tail(rg_zip_end *out, const rg_reader *reader, size_t length, size_t *seen)
{
	file_tail tail = {.reader = reader, .length = length, .start = reader->size - length};
	size_t more = length <= RG_ZIP_TAIL      ? 0
		      : tail.start < RG_ZIP_TAIL ? (size_t)tail.start
						 : RG_ZIP_TAIL;
	rg_range wanted = {tail.start - more, length + more};

	tail.bytes = rg_malloc(length);
	rg_error *err = rg_reader_prefetch(reader, &wanted, 1);
	if (!err)
		err = rg_reader_read(reader, tail.start, tail.bytes, length);
	if (!err)
		err = find_end(&tail, out, seen);
	free(tail.bytes);
	return err;
}

rg_error *rg_zip_end_find(rg_zip_end *out, const rg_reader *reader)
{
	size_t most = reader->size < TAIL_MOST ? (size_t)reader->size : TAIL_MOST;
	size_t first = most < RG_ZIP_TAIL ? most : RG_ZIP_TAIL, seen = 0;

	if (most < RG_ZIP_END_SIZE)
		return rg_error_new(RG_E_PARSE, "%zu byte%s too few for a zip", most,
				    most == 1 ? " is" : "s are");
	rg_error *err = look_in_tail(out, reader, first, &seen);
	if (!err || rg_error_get_code(err) != RG_E_PARSE || seen || first == most)
		return err;
	rg_error_free(err);
	return look_in_tail(out, reader, most, &seen);
}
