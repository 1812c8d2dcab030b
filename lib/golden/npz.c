/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/zip.h"
#include "base/path.h"
#include "base/memory.h"
#include "golden/format.h"
#include "golden/npy.h"

#include <inttypes.h>
#include <string.h>

/*
 * NumPy's .npz: a zip of .npy files. Each is a tensor, named as the file without ".npy". Stored
 * ones (numpy.savez) stay in the input; packed ones (numpy.savez_compressed) are unpacked into
 * memory.
 */

static rg_error *read_at(void *context, uint64_t offset, void *buffer, size_t length)
{
	const rg_input *in = context;
	memcpy(buffer, (const char *)in->data + offset, length);
	return NULL;
}

static rg_error *append_member(rg_golden_builder *builder, rg_zip *zip, size_t index,
			       const rg_input *in)
{
	rg_arena *arena = &builder->golden->arena;
	const rg_zip_member *member = rg_zip_at(zip, index);
	size_t length = strlen(member->name), size;
	RG_AUTO(rg_buf) unpacked = rg_buf_of(RG_UNPACKED_MAX);
	const char *data;
	rg_range range;

	if (rg_ends_with(member->name, ".npy"))
		length -= 4;
	if (member->method) {
		RG_TRY(rg_zip_extract(zip, index, rg_zip_append, &unpacked));
		RG_TRY(rg_buf_check(&unpacked, "a tensor"));
		size = unpacked.length;
		char *bytes = rg_buf_detach(&unpacked);
		rg_arena_adopt(arena, bytes);
		data = bytes;
	} else {
		RG_TRY(rg_zip_stored_range(zip, index, &range));
		/* The checksum has to be right. */
		RG_TRY(rg_zip_extract(zip, index, rg_zip_pass_over, NULL));
		data = (const char *)in->data + range.offset;
		size = (size_t)range.length;
	}
	const char *name = rg_arena_copy(arena, member->name, length);
	rg_error *unread =
		rg_npy_add(builder, name, name, data, size, member->method ? NULL : in->forget);
	return unread ? rg_tensor_add_unreadable(builder, name, data, size, unread) : NULL;
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
	RG_AUTO_PTR(rg_zip) zip = NULL;
	uint64_t all = 0;

	(void)options;
	RG_TRY(rg_zip_open(&zip, &reader, &limits, NULL));
	for (size_t i = 0; i < rg_zip_count(zip); i++)
		if (rg_zip_at(zip, i)->method &&
		    __builtin_add_overflow(all, rg_zip_at(zip, i)->size, &all))
			all = UINT64_MAX;
	if (all > RG_UNPACKED_MAX)
		return rg_error_new(RG_E_LIMIT,
				    "its tensors unpack to %" PRIu64 " bytes, more than %zu", all,
				    RG_UNPACKED_MAX);
	for (size_t i = 0; i < rg_zip_count(zip); i++)
		if (!rg_zip_at(zip, i)->folder)
			RG_TRY(rg_error_wrap(append_member(builder, zip, i, in), "member '%s'",
					     rg_zip_at(zip, i)->name));
	return NULL;
}

static int bid(const rg_input *in)
{
	/* Any other zip is not a golden's. */
	if (!rg_ends_with(in->name, ".npz"))
		return 0;
	return in->size && rg_zip_recognised(in->data, in->size) ? 100 : 10;
}

const rg_format rg_format_npz = {.name = "npz", .bid = bid, .read = read_golden, .in_place = true};
