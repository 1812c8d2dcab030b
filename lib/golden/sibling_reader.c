/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/sibling_reader.h"

#include "base/path.h"

#include <errno.h>
#include <stdlib.h>

rg_error *rg_sibling_read(void *beside, const char *name, rg_bytes *out)
{
	rg_sibling_reader *b = beside;
	RG_AUTO_FREE char *path = rg_path_sibling(b->path, name);

	*out = (rg_bytes){0};
	rg_buf_clear(&b->bytes);
	RG_AUTO_PTR(rg_error) err = b->read(b->context, path, &b->bytes);
	if (!err)
		*out = (rg_bytes){b->bytes.data, b->bytes.length};
	else if (rg_error_get_code(err) != RG_E_NOTFOUND && rg_error_errno(err) != ENOENT)
		return RG_TAKE(err);
	return NULL;
}

rg_error *rg_golden_read_with_siblings(rg_golden **out, const char *name, const char *path,
				       const rg_buf *bytes, rg_read_path_fn *read, void *context,
				       const rg_golden_options *options)
{
	rg_sibling_reader beside = {path, read, context, rg_buf_of(bytes->max)};
	const rg_input in = {.name = name,
			     .data = bytes->data,
			     .size = bytes->length,
			     .sibling = rg_sibling_read,
			     .sibling_context = &beside};
	rg_error *err = rg_golden_read(out, &in, options);
	rg_buf_release(&beside.bytes); /* the golden borrows nothing of it */
	return err;
}
