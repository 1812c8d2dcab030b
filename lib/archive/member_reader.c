/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/member_reader.h"

#include "base/file.h"
#include "base/temporary.h"

rg_error *rg_member_reader_open(rg_member_reader *out, rg_zip *zip, size_t index)
{
	const rg_zip_member *member = rg_zip_at(zip, index);
	rg_range range;
	int fd;

	*out = (rg_member_reader){0};
	if (member->method == 0) {
		RG_TRY(rg_zip_stored_range(zip, index, &range));
		rg_reader_part_init(&out->stored, rg_zip_reader(zip), member->name, range);
		out->reader = &out->stored.reader;
		return NULL;
	}
	RG_TRY(rg_file_unnamed(&fd, rg_temporary_folder()));
	rg_reader_file_init(&out->unpacked, fd, member->name, member->size);
	out->reader = &out->unpacked.reader;
	return rg_zip_extract(zip, index, rg_unnamed_write, &out->unpacked.fd);
}

void rg_member_reader_release(rg_member_reader *member)
{
	rg_reader_file_release(&member->unpacked);
}
