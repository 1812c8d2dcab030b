/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/wire.h"

#include "base/memory.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { FORGET_AFTER = 8 << 20, BOX = 1 << 20, ALIGNMENT = 8 };

static void write_at(rg_wire *wire, uint64_t at, const char *bytes, size_t size)
{
	while (size) {
		const ssize_t n = pwrite(wire->fd, bytes, size, (off_t)at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			rg_wire_finish(wire, n ? errno : EFBIG);
			_exit(0);
		}
		bytes += n;
		at += (uint64_t)n;
		size -= (size_t)n;
	}
}

static void flush(rg_wire *wire)
{
	const size_t used = wire->used;
	wire->used = 0;
	write_at(wire, wire->at, wire->buffer, used);
	wire->at += used;
}

void rg_wire_finish(rg_wire *wire, int failed)
{
	if (!failed)
		flush(wire);
	while (write(wire->socket, &failed, sizeof(failed)) < 0 && errno == EINTR)
		;
}

static void put(rg_wire *wire, uint64_t at, const void *bytes, size_t size)
{
	if (at != wire->at + wire->used || size > sizeof(wire->buffer) - wire->used) {
		flush(wire);
		wire->at = at;
	}
	if (size > sizeof(wire->buffer)) {
		write_at(wire, at, bytes, size);
		wire->at += size;
	} else if (size) {
		memcpy(wire->buffer + wire->used, bytes, size);
		wire->used += size;
	}
}

static void put_item(rg_wire *wire, rg_wire_item head, const char *path, const char *text,
		     size_t text_size)
{
	const uint64_t at = wire->end;
	head.path_size = (uint32_t)strnlen(path, RG_WIRE_PATH_MAX + 1);
	head.text_size = (uint32_t)text_size;
	wire->end += sizeof(head) + head.path_size + text_size;
	if (!(head.flags & RG_WIRE_IN_FILE) && head.size) {
		head.offset = wire->values = (wire->end + ALIGNMENT - 1) & -(uint64_t)ALIGNMENT;
		if (head.size > RG_WIRE_FILE_MAX - head.offset) {
			rg_wire_finish(wire, EFBIG);
			_exit(0);
		}
		wire->end = head.offset + head.size;
	}
	put(wire, at, &head, sizeof(head));
	put(wire, at + sizeof(head), path, head.path_size);
	put(wire, at + sizeof(head) + head.path_size, text, text_size);
}

void rg_wire_begin(rg_wire *wire, const rg_wire_item *item, const char *path, const char *names,
		   size_t names_size, uint64_t size)
{
	rg_wire_item head = *item;
	head.size = size;
	put_item(wire, head, path, names, names_size);
}

void rg_wire_run(rg_wire *wire, uint64_t at, const void *bytes, size_t size)
{
	put(wire, wire->values + at, bytes, size);
	if ((wire->sent += size) >= FORGET_AFTER && wire->file.forget) {
		wire->file.forget(wire->file.data, wire->file.size);
		wire->sent = 0;
	}
}

void rg_wire_fail(rg_wire *wire, const char *why)
{
	rg_wire_say(wire, RG_WIRE_FAILED, "", why);
}

void rg_wire_put(rg_wire *wire, const rg_wire_item *item, const char *path, const void *bytes,
		 size_t size)
{
	rg_wire_begin(wire, item, path, "", 0, size);
	rg_wire_run(wire, 0, bytes, size);
}

void rg_wire_in_file(rg_wire *wire, const rg_wire_item *item, const char *path, const char *names,
		     size_t names_size, uint64_t offset, uint64_t size)
{
	rg_wire_item head = *item;
	head.flags |= RG_WIRE_IN_FILE;
	head.offset = offset;
	head.size = size;
	put_item(wire, head, path, names, names_size);
}

void rg_wire_say(rg_wire *wire, rg_wire_kind kind, const char *path, const char *text)
{
	const rg_wire_item item = {.kind = kind, .values = RG_WIRE_NOTHING};
	put_item(wire, item, path, text, strnlen(text, RG_WIRE_TEXT_MAX));
}

/* --- boxes --- */

typedef size_t place[RG_METRIC_DIMENSIONS];

/* The next multiple of `step` inside `end`, in row-major order; false after the last one. */
static bool advance(place at, const place step, const place end, size_t rank)
{
	for (size_t i = rank; i-- > 0; at[i] = 0)
		if ((at[i] += step[i]) < end[i])
			return true;
	return false;
}

/* A box of whole chunks, which grows along the fastest dimensions first. Returns its bytes. */
static size_t choose_box(const rg_wire_source *from, const place shape, place box)
{
	size_t bytes = from->width;
	for (size_t i = 0; i < from->rank; i++) {
		const size_t chunk = from->chunk ? from->chunk[i] : 1;
		box[i] = chunk < shape[i] ? chunk : shape[i];
		bytes *= box[i];
	}
	for (size_t i = from->rank; i-- > 0 && bytes;) {
		const size_t times = bytes < BOX ? BOX / bytes : 1, was = box[i];
		box[i] = was > shape[i] / times ? shape[i] : was * times;
		bytes = bytes / was * box[i];
		if (box[i] < shape[i])
			break;
	}
	return bytes;
}

/* Writes a box row by row of what lies together. */
static void put_box(rg_wire *wire, const rg_wire_source *from, const place shape, const place at,
		    const place extent, const char *bytes)
{
	place row = {0}, step;
	size_t run = from->width, inner = from->rank;

	memcpy(step, extent, sizeof(step));
	while (inner > 0) {
		run *= extent[--inner];
		if (extent[inner] < shape[inner])
			break;
	}
	for (size_t i = 0; i < inner; i++)
		step[i] = 1;
	do {
		uint64_t to = 0;
		for (size_t i = 0; i < from->rank; i++)
			to = to * shape[i] + at[i] + row[i];
		rg_wire_run(wire, to * from->width, bytes, run);
		bytes += run;
	} while (advance(row, step, extent, from->rank));
}

void rg_wire_boxes(rg_wire *wire, const rg_wire_item *item, const char *path,
		   const rg_wire_source *source)
{
	place shape, at = {0}, box = {0}, extent = {0};
	uint64_t size = source->width;
	const char *why = NULL;

	for (size_t i = 0; i < source->rank; i++)
		size *= shape[i] = (size_t)item->shape[i];
	rg_wire_begin(wire, item, path, source->names, source->names_size, size);
	RG_AUTO_FREE char *room = size ? rg_malloc(choose_box(source, shape, box)) : NULL;
	do {
		for (size_t i = 0; i < source->rank; i++)
			extent[i] = box[i] < shape[i] - at[i] ? box[i] : shape[i] - at[i];
		if (size && !(why = source->read(source->context, at, extent, room)))
			put_box(wire, source, shape, at, extent, room);
	} while (size && !why && advance(at, box, shape, source->rank));
	if (why)
		rg_wire_fail(wire, why);
}
