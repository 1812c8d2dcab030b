/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "format_reader.h"

#include "base/file.h"
#include "golden/executorch/formats.h"
#include "golden/executorch/ptd.h"

static rg_input load(rg_buf *buf)
{
	rg_buf_init(buf, RG_BUF_TEXT);
	assert_success(rg_file_read(buf, "tests/formats/data.ptd"));
	return (rg_input){.name = "data.ptd", .data = buf->data, .size = buf->length};
}

TEST(reads_everything)
{
	const rg_external_data *found;
	rg_external_file file;
	double values[4];
	rg_input in;
	rg_buf buf;

	in = load(&buf);
	assert_success(rg_external_read(&file, in.data, in.size));
	assert_int_equal(file.count, 4);
	found = rg_external_find(&file, "fc.weight");
	assert_int_equal(found->as.scalar_type, RG_DTYPE_FLOAT32);
	/* In columns. */
	rg_tensor_values(&found->tensor, 0, 4, values);
	assert_true(values[0] == 1 && values[1] == 3 && values[2] == 2 && values[3] == 4);
	/* Its data are the same, which is no mistake. */
	assert_ptr_equal(rg_external_find(&file, "tied")->tensor.data, found->tensor.data);
	assert_string_equal(rg_external_find(&file, "bits")->unreadable,
			    "tensors of ScalarType 22 cannot be read");
	found = rg_external_find(&file, "blob");
	assert_false(found->is_tensor);
	assert_int_equal(found->tensor.size, 3);
	assert_memory_equal(found->tensor.data, "abc", 3);
	assert_null(rg_external_find(&file, "fc"));
	rg_external_file_release(&file);
	rg_buf_release(&buf);
}

TEST(hostile_bytes)
{
	rg_buf buf;

	assert_survives(&rg_format_ptd, load(&buf));
	rg_buf_release(&buf);
}

TEST(names_beside_a_program)
{
	static const char *const wanted[] = {"m.ptd", "_default_external_constant.ptd",
					     "model.ptd"};
	size_t i;

	for (i = 0; i < 3; i++) {
		char *name = rg_external_file_name("m.pte", i);
		assert_string_equal(name, wanted[i]);
		free(name);
		assert_null(rg_external_file_name("m.pte", 3));
	}
}

TEST(bids)
{
	rg_input in = {.name = "a.ptd", .data = "\0\0\0\0FT01", .size = 8};

	assert_int_equal(rg_format_ptd.bid(&in), 100);
	in.name = "a";
	assert_int_equal(rg_format_ptd.bid(&in), 50);
}
