/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FORGET_AFTER = 8 << 20 };

static void send_all(int fd, const char *bytes, size_t size)
{
	while (size) {
		const ssize_t sent = send(fd, bytes, size, MSG_NOSIGNAL);
		if (sent < 0 && errno == EINTR)
			continue;
		if (sent <= 0)
			_exit(0); /* nobody listens any more */
		bytes += sent;
		size -= (size_t)sent;
	}
}

void rg_wire_flush(rg_wire *wire)
{
	send_all(wire->fd, wire->buffer, wire->used);
	wire->used = 0;
}

static void put(rg_wire *wire, const void *bytes, size_t size)
{
	if (size > sizeof(wire->buffer) - wire->used)
		rg_wire_flush(wire);
	if (size > sizeof(wire->buffer)) {
		send_all(wire->fd, bytes, size);
	} else if (size) {
		memcpy(wire->buffer + wire->used, bytes, size);
		wire->used += size;
	}
}

static void put_item(rg_wire *wire, const rg_wire_item *item, const char *path, const char *text,
		     size_t text_size)
{
	rg_wire_item head = *item;
	head.path_size = (uint32_t)strnlen(path, RG_WIRE_PATH_MAX + 1);
	head.text_size = (uint32_t)text_size;
	put(wire, &head, sizeof(head));
	put(wire, path, head.path_size);
	put(wire, text, text_size);
}

void rg_wire_begin(rg_wire *wire, const rg_wire_item *item, const char *path, const char *names,
		   size_t names_size, uint64_t size)
{
	rg_wire_item head = *item;
	head.size = size;
	put_item(wire, &head, path, names, names_size);
}

void rg_wire_run(rg_wire *wire, uint64_t at, const void *bytes, size_t size)
{
	const rg_wire_piece piece = {at, size};
	if (!size)
		return;
	put(wire, &piece, sizeof(piece));
	put(wire, bytes, size);
	if ((wire->sent += size) >= FORGET_AFTER && wire->file.forget) {
		wire->file.forget(wire->file.data, wire->file.size);
		wire->sent = 0;
	}
}

void rg_wire_fail(rg_wire *wire, const char *why)
{
	const rg_wire_piece piece = {strnlen(why, RG_WIRE_TEXT_MAX), 0};
	put(wire, &piece, sizeof(piece));
	put(wire, why, (size_t)piece.at);
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
	put_item(wire, &head, path, names, names_size);
}

void rg_wire_say(rg_wire *wire, rg_wire_kind kind, const char *path, const char *text)
{
	const rg_wire_item item = {.kind = kind, .values = RG_WIRE_NOTHING};
	put_item(wire, &item, path, text, strnlen(text, RG_WIRE_TEXT_MAX));
}
