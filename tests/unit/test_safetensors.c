/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "format_reader.h"

#include "base/buf.h"
#include "support/little.h"

static rg_input safetensors(rg_buf *buf, const char *header, const void *data, size_t size)
{
	size_t length = strlen(header);
	int i;

	rg_buf_clear(buf);
	for (i = 0; i < 8; i++)
		rg_buf_char(buf, (char)(i < 4 ? length >> 8 * i & 0xff : 0));
	rg_buf_str(buf, header);
	rg_buf_add(buf, data, size);
	assert_success(rg_buf_check(buf, "safetensors"));
	return (rg_input){.name = "x.safetensors", .data = buf->data, .size = buf->length};
}

static const unsigned char data[] = {0x80, 0x3f, 0x00, 0x40, 1, 2, 3, 0x38};
static const char usual[] =
	"{\"__metadata__\":{\"format\":\"pt\"},"
	"\"w\":{\"dtype\":\"BF16\",\"shape\":[2],\"data_offsets\":[0,4]},"
	"\"b\\u00e4\":{\"dtype\":\"U8\",\"shape\":[3,1],\"data_offsets\":[4,7]},"
	"\"s\":{\"dtype\":\"F8_E4M3\",\"shape\":[],\"data_offsets\":[7,8]}}   ";

TEST(reads_tensors)
{
	format_reading r;
	const rg_metric *m;
	double values[3];

	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	read_format(&r, &rg_format_safetensors, safetensors(&buf, usual, data, sizeof(data)), NULL);
	assert_success(r.err);
	assert_int_equal(r.golden.count, 3);
	m = find_metric(&r, "w");
	assert_success(m->block(m, 0, 2, values));
	assert_true(values[0] == 1 && values[1] == 2);
	m = find_metric(&r, "b\xc3\xa4");
	assert_int_equal(m->dimensions, 2);
	assert_success(m->block(m, 0, 3, values));
	assert_true(values[0] == 1 && values[2] == 3);
	m = find_metric(&r, "s");
	assert_success(m->block(m, 0, 1, values));
	assert_true(values[0] == 1);
	release_reading(&r);
}

/* One type that nobody reads is one tensor: what other libraries call F4 and U2 is another type. */
TEST(unreadable_beside_others)
{
	static const char header[] =
		"{\"four\":{\"dtype\":\"F4\",\"shape\":[4],\"data_offsets\":[0,2]},"
		"\"scale\":{\"dtype\":\"F8_E8M0\",\"shape\":[1],\"data_offsets\":[2,3]},"
		"\"two\":{\"dtype\":\"U2\",\"shape\":[4],\"data_offsets\":[3,4]},"
		"\"u\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,8]}}";
	const rg_metric *m;
	format_reading r;
	double values[4];

	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	read_format(&r, &rg_format_safetensors, safetensors(&buf, header, data, sizeof(data)),
		    NULL);
	assert_success(r.err);
	assert_int_equal(r.golden.count, 4);
	assert_int_equal(r.golden.note_count, 3);
	assert_string_equal(r.golden.notes[1].text,
			    "scale: elements of type 'F8_E8M0' cannot be read");
	m = find_metric(&r, "four");
	assert_int_equal(m->kind, RG_METRIC_UNREADABLE);
	assert_int_equal(m->count, 2);
	assert_memory_equal(m->text, data, 2);
	m = find_metric(&r, "u");
	assert_success(m->block(m, 0, 4, values));
	assert_true(values[0] == 1 && values[3] == 0x38);
	release_reading(&r);
}

/* Complex numbers are their parts, along one dimension more. */
TEST(complex)
{
	static const char header[] =
		"{\"z\":{\"dtype\":\"C64\",\"shape\":[2,1],\"data_offsets\":[0,16]}}";
	float parts[] = {1, -2, 3, 4.5F};
	const rg_metric *m;
	format_reading r;
	double values[4];

	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	read_format(&r, &rg_format_safetensors,
		    safetensors(&buf, header, little(parts, 4, 4), sizeof(parts)), NULL);
	assert_success(r.err);
	m = find_metric(&r, "z");
	assert_int_equal(m->dimensions, 3);
	assert_int_equal(m->shape[2], 2);
	assert_int_equal(m->tensor->dtype, RG_DTYPE_FLOAT32);
	assert_success(m->block(m, 0, 4, values));
	assert_true(values[1] == -2 && values[3] == 4.5);
	release_reading(&r);
}

/* Tensors without elements have a place too, in front of a tensor or after it; so has none at all.
 */
TEST(empty)
{
	static const char header[] =
		"{\"full\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]},"
		"\"before\":{\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]},"
		"\"behind\":{\"dtype\":\"F32\",\"shape\":[3,0],\"data_offsets\":[8,8]}}";
	format_reading r;

	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	read_format(&r, &rg_format_safetensors, safetensors(&buf, header, data, sizeof(data)),
		    NULL);
	assert_success(r.err);
	assert_int_equal(find_metric(&r, "full")->count, 8);
	assert_int_equal(find_metric(&r, "before")->count, 0);
	assert_int_equal(find_metric(&r, "behind")->count, 0);
	release_reading(&r);
	read_format(&r, &rg_format_safetensors, safetensors(&buf, "{}", "", 0), NULL);
	assert_success(r.err);
	assert_int_equal(r.golden.count, 0);
	release_reading(&r);
}

TEST(refused)
{
	static const struct {
		const char *header, *message;
		rg_error_code code;
	} cases[] = {
		{"[]", "safetensors: its header is not a JSON object", RG_E_PARSE},
		{"{nonsense", "safetensors: its header: not JSON: line 1, at 'onsense'",
		 RG_E_PARSE},
		{"{} {}", "safetensors: its header: not JSON: line 1, at ' {}'", RG_E_PARSE},
		{"{\"a\\u0000b\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]}}",
		 "safetensors: its header: a string has a NUL in it (byte 3)", RG_E_PARSE},
		{"{\"a\":1}", "tensor 'a': no dtype", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"C64\",\"shape\":[2],\"data_offsets\":[0,8]}}",
		 "tensor 'a': 8 bytes, but complex64 of shape [2] is 16", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"F4\",\"shape\":[8],\"data_offsets\":[0,4]},"
		 "\"b\":{\"dtype\":\"U8\",\"shape\":[6],\"data_offsets\":[2,8]}}",
		 "safetensors: tensor 'b' shares bytes with another", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[9],\"data_offsets\":[0,9]}}",
		 "tensor 'a': its data is outside the file", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[5,4]}}",
		 "tensor 'a': its data is outside the file", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,4]}}",
		 "tensor 'a': 4 bytes, but uint8 of shape [2] is 2", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[8],\"data_offsets\":[0,8]},"
		 "\"b\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[7,8]}}",
		 "safetensors: tensor 'b' shares bytes with another", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[2,6]},"
		 "\"b\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]}}",
		 "safetensors: tensor 'a' shares bytes with another", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[3],\"data_offsets\":[0,3]},"
		 "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":[4,8]}}",
		 "safetensors: byte 3 of its data belongs to no tensor", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[7],\"data_offsets\":[0,7]}}",
		 "safetensors: byte 7 of its data belongs to no tensor", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0]}}",
		 "tensor 'a': data_offsets are not two sizes", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[-1,1]}}",
		 "tensor 'a': data_offsets are not two sizes", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,1e300]}}",
		 "tensor 'a': data_offsets are not two sizes", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[\"0\",2]}}",
		 "tensor 'a': data_offsets are not two sizes", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[1.5],\"data_offsets\":[0,1]}}",
		 "tensor 'a': its shape has an item that is not a size", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":{},\"data_offsets\":[0,1]}}",
		 "tensor 'a': its shape is not a list", RG_E_PARSE},
		{"{\"a\":{\"dtype\":\"U8\",\"shape\":[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1],"
		 "\"data_offsets\":[0,1]}}",
		 "tensor 'a': more than 16 dimensions", RG_E_LIMIT},
	};
	static const unsigned char long_header[] = {0, 0, 0, 0, 1, 0, 0, 0, '{', '}'};
	size_t i;

	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		assert_refused(&rg_format_safetensors,
			       safetensors(&buf, cases[i].header, data, sizeof(data)),
			       cases[i].code, cases[i].message);
	assert_refused(&rg_format_safetensors,
		       (rg_input){.name = "x", .data = long_header, .size = sizeof(long_header)},
		       RG_E_PARSE, "safetensors: its header is outside the file");
}

/* Nesting as deep as the header allows must not overflow the stack. */
TEST(deep_nesting)
{
	enum { DEPTH = 200000 };
	char *deep = malloc(DEPTH + 1);

	assert_non_null(deep);
	memset(deep, '[', DEPTH);
	deep[DEPTH] = '\0';
	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	assert_refused(&rg_format_safetensors, safetensors(&buf, deep, "", 0), RG_E_PARSE,
		       "safetensors: its header: nested deeper than 256 (byte 256)");
	free(deep);
}

TEST(hostile_bytes)
{
	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	assert_survives(&rg_format_safetensors, safetensors(&buf, usual, data, sizeof(data)));
}

TEST(bids)
{
	rg_input in;

	RG_AUTO(rg_buf) buf = rg_buf_of(RG_BUF_TEXT);
	in = safetensors(&buf, usual, data, sizeof(data));
	assert_int_equal(rg_format_safetensors.bid(&in), 100);
	in.name = "x";
	assert_int_equal(rg_format_safetensors.bid(&in), 50);
	in.data = "{\"a\": {}, \"b\": 1}";
	in.size = 17;
	assert_int_equal(rg_format_safetensors.bid(&in), 0);
	in.name = "x.safetensors";
	assert_int_equal(rg_format_safetensors.bid(&in), 10);
}
