/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/zip.h"
#include "base/file.h"
#include "base/memory.h"
#include "golden/format.h"
#include "golden/npy.h"

#include <inttypes.h>
#include <string.h>

/*
 * NumPy's .npz: a zip of .npy files, of which each is a tensor called as it is without ".npy".
 * What is stored (numpy.savez) stays in the input; what is packed (numpy.savez_compressed) is
 * unpacked into memory.
 */

static rg_error *read_at(void *context, uint64_t offset, void *buffer, size_t length)
{
	const rg_input *in = context;
	memcpy(buffer, (const char *)in->data + offset, length);
	return NULL;
}

/* The member's bytes, whose checksum is right. */
static rg_error *open_member(rg_zip *zip, size_t index, const rg_input *in, rg_arena *arena,
			     rg_bytes *out)
{
	const rg_zip_member *member = rg_zip_at(zip, index);
	rg_range range;
	rg_buf bytes;

	if (!member->method) {
		RG_TRY(rg_zip_stored_range(zip, index, &range));
		RG_TRY(rg_zip_extract(zip, index, rg_zip_pass_over, NULL));
		*out = (rg_bytes){(const char *)in->data + range.offset, (size_t)range.length};
		return NULL;
	}
	rg_buf_init(&bytes, RG_UNPACKED_MAX);
	rg_error *err = rg_zip_extract(zip, index, rg_zip_append, &bytes);
	if (!err)
		err = rg_buf_check(&bytes, "a tensor");
	if (!err) {
		out->size = bytes.length;
		void *data = rg_buf_detach(&bytes);
		rg_arena_adopt(arena, data);
		out->data = data;
	}
	rg_buf_release(&bytes);
	return err;
}

static rg_error *add_bytes(rg_golden_builder *builder, const char *name, rg_bytes bytes,
			   rg_forget_fn *forget)
{
	rg_error *unread = rg_npy_add(builder, name, name, bytes.data, bytes.size, forget);
	return unread ? rg_tensor_add_unreadable(builder, name, bytes.data, bytes.size, unread)
		      : NULL;
}

static rg_error *add_member(rg_golden_builder *builder, rg_zip *zip, size_t index,
			    const rg_input *in)
{
	rg_arena *arena = &builder->golden->arena;
	const rg_zip_member *member = rg_zip_at(zip, index);
	size_t length = strlen(member->name);
	rg_bytes bytes;

	if (rg_ends_with(member->name, ".npy"))
		length -= 4;
	RG_TRY(open_member(zip, index, in, arena, &bytes));
	return add_bytes(builder, rg_arena_copy(arena, member->name, length), bytes,
			 member->method ? NULL : in->forget);
}

/* As much as all that is packed may take. */
static rg_error *check_room(const rg_zip *zip)
{
	uint64_t all = 0;
	for (size_t i = 0; i < rg_zip_count(zip); i++) {
		const rg_zip_member *member = rg_zip_at(zip, i);
		if (member->method && __builtin_add_overflow(all, member->size, &all))
			all = UINT64_MAX;
	}
	if (all <= RG_UNPACKED_MAX)
		return NULL;
	return rg_error_new(RG_E_LIMIT, "its tensors unpack to %" PRIu64 " bytes, more than %zu",
			    all, RG_UNPACKED_MAX);
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	/* The directory is in the input already, and what it claims is checked here. */
	const rg_zip_limits limits = {UINT64_MAX, UINT64_MAX, UINT64_MAX, 0, 0, 0};
	const rg_reader reader = {.name = in->name,
				  .size = in->size,
				  .read_at = read_at,
				  .context = (void *)(uintptr_t)in};
	rg_zip *zip;

	(void)options;
	RG_TRY(rg_zip_open(&zip, &reader, &limits, NULL));
	rg_error *err = check_room(zip);
	for (size_t i = 0; i < rg_zip_count(zip) && !err; i++)
		if (!rg_zip_at(zip, i)->folder)
			err = rg_error_wrap(add_member(builder, zip, i, in), "member '%s'",
					    rg_zip_at(zip, i)->name);
	rg_zip_free(zip);
	return err;
}

static int bid(const rg_input *in)
{
	/* Any other zip is not a golden's. */
	if (!rg_ends_with(in->name, ".npz"))
		return 0;
	return in->size && rg_zip_recognised(in->data, in->size) ? 100 : 10;
}

const rg_format rg_format_npz = {.name = "npz", .bid = bid, .read = read_golden, .in_place = true};
