/* SPDX-License-Identifier: Apache-2.0 */
#include "place/program_map.h"

#include "base/file.h"
#include "base/temporary.h"
#include "golden/pte.h"

#include <errno.h>
#include <unistd.h>

/* A program's beginning on its way into a file without a name. */
typedef struct {
	int fd;
	uint64_t size, wanted, written;
	bool enough;
} program_head;

static rg_error *take_head(void *context, const void *bytes, size_t length)
{
	program_head *head = context;
	if (!head->written)
		head->wanted = rg_program_head_size(bytes, length, head->size);
	if (length > head->wanted - head->written)
		length = (size_t)(head->wanted - head->written);
	RG_TRY(rg_write_all(head->fd, bytes, length, rg_temporary_folder()));
	head->written += length;
	head->enough = head->written == head->wanted;
	return head->enough ? rg_error_new(RG_E_CANCELLED, "the head is there") : NULL;
}

static rg_error *unpack_head(rg_map *out, const rg_zip_packed *packed)
{
	program_head head = {.size = packed->size};
	uint64_t unpacked = 0;

	RG_TRY(rg_file_unnamed(&head.fd, rg_temporary_folder()));
	rg_error *err = rg_zip_unpack(packed, &unpacked, take_head, &head);
	if (head.enough) {
		rg_error_free(err);
		err = NULL;
	}
	if (!err && ftruncate(head.fd, (off_t)head.size))
		err = rg_error_io(errno, "%s", rg_temporary_folder());
	if (!err)
		err = rg_map_descriptor(out, head.fd, rg_temporary_folder());
	close(head.fd); /* only the map needs it */
	return err;
}

rg_error *rg_program_map(rg_map *out, const rg_zip_packed *packed)
{
	uint64_t start;
	int fd = rg_reader_descriptor(packed->reader, &start);

	*out = (rg_map){.data = ""};
	return packed->method == 0 && fd >= 0 ? rg_map_range(out, fd, start + packed->range.offset,
							     packed->size, packed->reader->name)
					      : unpack_head(out, packed);
}
