/* SPDX-License-Identifier: Apache-2.0 */
/* For a const next_in. */
#define ZLIB_CONST

#include "support/zipmaker.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

void zipmaker_init(zipmaker *maker)
{
	*maker = (zipmaker){.entries = ZIPMAKER_HONEST,
			    .directory_size = ZIPMAKER_HONEST,
			    .directory_offset = ZIPMAKER_HONEST};
	maker->members = calloc(ZIPMAKER_MEMBERS, sizeof(*maker->members));
	if (!maker->members)
		abort();
}

void zipmaker_release(zipmaker *maker)
{
	free(maker->members);
	maker->members = NULL;
}

zipmaker_member *zipmaker_add(zipmaker *maker, const char *name, const void *bytes, size_t size)
{
	const zipmaker_claim honest = {ZIPMAKER_HONEST, ZIPMAKER_HONEST, ZIPMAKER_HONEST,
				       ZIPMAKER_HONEST, ZIPMAKER_HONEST};
	zipmaker_member *member;

	if (maker->count == ZIPMAKER_MEMBERS)
		abort();
	member = &maker->members[maker->count++];
	*member = (zipmaker_member){.name = name,
				    .name_length = strlen(name),
				    .bytes = bytes,
				    .size = size,
				    .made_by = 3 << 8 | 20,
				    .attributes = (uint32_t)0100644 << 16,
				    .offset = ZIPMAKER_HONEST,
				    .local = honest,
				    .entry = honest};
	return member;
}

void zipmaker_deflate(rg_buf *out, const void *bytes, size_t size)
{
	z_stream stream = {0};
	size_t room;

	if (deflateInit2(&stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK)
		abort();
	room = deflateBound(&stream, size);
	if (!rg_buf_reserve(out, room))
		abort();
	stream.next_in = (const Bytef *)bytes;
	stream.avail_in = (uInt)size;
	stream.next_out = (Bytef *)out->data + out->length;
	stream.avail_out = (uInt)room;
	if (deflate(&stream, Z_FINISH) != Z_STREAM_END)
		abort();
	out->length += room - stream.avail_out;
	deflateEnd(&stream);
}

static void put(rg_buf *out, uint64_t value, size_t size)
{
	size_t i;

	for (i = 0; i < size; i++)
		rg_buf_char(out, (char)(unsigned char)(value >> (8 * i)));
}

static uint64_t or_lie(uint64_t truth, uint64_t lie)
{
	return lie == ZIPMAKER_HONEST ? truth : lie;
}

static void pad(rg_buf *out, size_t size)
{
	while (size--)
		rg_buf_char(out, 0);
}

static void put_local(const zipmaker_member *m, rg_buf *out, uint64_t crc, size_t packed)
{
	const char *name = m->local_name ? m->local_name : m->name;
	size_t name_length = m->local_name ? strlen(m->local_name) : m->name_length;
	unsigned flags = m->flags | (m->descriptor ? 8 : 0);
	uint64_t claimed_packed = or_lie(m->descriptor ? 0 : packed, m->local.packed);
	uint64_t claimed_size = or_lie(m->descriptor ? 0 : m->size, m->local.size);

	put(out, 0x04034b50, 4);
	put(out, m->zip64 ? 45 : 20, 2);
	put(out, or_lie(flags, m->local.flags), 2);
	put(out, or_lie(m->method, m->local.method), 2);
	put(out, 0x00210000, 4);
	put(out, or_lie(m->descriptor ? 0 : crc, m->local.crc), 4);
	put(out, m->zip64 ? UINT32_MAX : claimed_packed, 4);
	put(out, m->zip64 ? UINT32_MAX : claimed_size, 4);
	put(out, name_length, 2);
	put(out, (m->zip64 ? 20 : 0) + m->local_extra, 2);
	rg_buf_add(out, name, name_length);
	if (m->zip64) {
		put(out, 1, 2);
		put(out, 16, 2);
		put(out, claimed_size, 8);
		put(out, claimed_packed, 8);
	}
	pad(out, m->local_extra);
}

static void put_descriptor(const zipmaker_member *m, rg_buf *out, uint64_t crc, size_t packed)
{
	put(out, 0x08074b50, 4);
	put(out, crc, 4);
	put(out, packed, m->zip64 ? 8 : 4);
	put(out, m->size, m->zip64 ? 8 : 4);
}

static void put_entry(const zipmaker_member *m, uint64_t base, rg_buf *out, uint64_t crc,
		      size_t packed)
{
	unsigned flags = m->flags | (m->descriptor ? 8 : 0);
	uint64_t claimed_packed = or_lie(packed, m->entry.packed);
	uint64_t claimed_size = or_lie(m->size, m->entry.size);
	uint64_t offset = or_lie(base + m->written_at, m->offset);

	put(out, 0x02014b50, 4);
	put(out, m->made_by, 2);
	put(out, m->zip64 ? 45 : 20, 2);
	put(out, or_lie(flags, m->entry.flags), 2);
	put(out, or_lie(m->method, m->entry.method), 2);
	put(out, 0x00210000, 4);
	put(out, or_lie(crc, m->entry.crc), 4);
	put(out, m->zip64 ? UINT32_MAX : claimed_packed, 4);
	put(out, m->zip64 ? UINT32_MAX : claimed_size, 4);
	put(out, m->name_length, 2);
	put(out, m->zip64 ? 28 : 0, 2);
	put(out, 0, 2 + 2 + 2);
	put(out, m->attributes, 4);
	put(out, m->zip64 ? UINT32_MAX : offset, 4);
	rg_buf_add(out, m->name, m->name_length);
	if (m->zip64) {
		put(out, 1, 2);
		put(out, 24, 2);
		put(out, claimed_size, 8);
		put(out, claimed_packed, 8);
		put(out, offset, 8);
	}
}

static uint64_t crc_of(const zipmaker_member *m)
{
	return crc32_z(crc32_z(0, NULL, 0), m->bytes, m->size);
}

/* Writes header and bytes; returns how many the packed bytes are. */
static size_t put_member(zipmaker_member *m, rg_buf *out)
{
	rg_buf deflated;
	const void *packed = m->packed ? m->packed : m->bytes;
	size_t size = m->packed ? m->packed_size : m->size;

	rg_buf_init(&deflated, SIZE_MAX / 4);
	if (m->method == 8 && !m->packed) {
		zipmaker_deflate(&deflated, m->bytes, m->size);
		packed = deflated.data;
		size = deflated.length;
	}
	if (!m->no_local) {
		pad(out, m->gap);
		m->written_at = out->length;
		put_local(m, out, crc_of(m), size);
		m->data_at = out->length;
		rg_buf_add(out, packed, size);
		if (m->descriptor)
			put_descriptor(m, out, crc_of(m), size);
	}
	rg_buf_release(&deflated);
	return size;
}

static void put_end(zipmaker *maker, rg_buf *out, size_t entries, uint64_t size)
{
	uint64_t count = or_lie(entries, maker->entries), at = maker->base + out->length;
	uint64_t offset = or_lie(maker->base + maker->written_directory, maker->directory_offset);

	size = or_lie(size, maker->directory_size);
	if (maker->zip64) {
		put(out, 0x06064b50, 4);
		put(out, 44, 8);
		put(out, 45 | 45 << 16, 4);
		put(out, 0, 8);
		put(out, count, 8);
		put(out, count, 8);
		put(out, size, 8);
		put(out, offset, 8);
		put(out, 0x07064b50, 4);
		put(out, 0, 4);
		put(out, at, 8);
		put(out, 1, 4);
	}
	put(out, 0x06054b50, 4);
	put(out, 0, 4);
	put(out, maker->zip64 ? UINT16_MAX : count, 2);
	put(out, maker->zip64 ? UINT16_MAX : count, 2);
	put(out, maker->zip64 ? UINT32_MAX : size, 4);
	put(out, maker->zip64 ? UINT32_MAX : offset, 4);
	put(out, maker->comment_size, 2);
	rg_buf_add(out, maker->comment, maker->comment_size);
}

void zipmaker_write(zipmaker *maker, rg_buf *out)
{
	size_t *packed = calloc(maker->count + 1, sizeof(*packed)), i, entries = 0;
	rg_buf_add(out, maker->prefix, maker->prefix_size);
	for (i = 0; i < maker->count; i++)
		packed[i] = put_member(&maker->members[i], out);
	maker->written_directory = out->length;
	for (i = 0; i < maker->count; i++) {
		if (maker->members[i].no_entry)
			continue;
		put_entry(&maker->members[i], maker->base, out, crc_of(&maker->members[i]),
			  packed[i]);
		entries++;
	}
	put_end(maker, out, entries, out->length - maker->written_directory);
	free(packed);
	if (out->is_full)
		abort();
}
