/* SPDX-License-Identifier: Apache-2.0 */
#include "base/bytes.h"
#include "base/json.h"
#include "base/order.h"
#include "base/path.h"
#include "golden/format.h"
#include "golden/tensor.h"

#include <stdlib.h>
#include <string.h>

/*
 * Hugging Face's .safetensors (github.com/huggingface/safetensors, "Format"): eight bytes of header
 * size, a JSON object {NAME: {"dtype", "shape", "data_offsets"}}, and the tensors. Each tensor is a
 * series under its name. The header may be as large as the format's own limit.
 */
enum { PREFIX_SIZE = 8, HEADER_MAX = 100000000 };

/* Its own names, and no other: NumPy calls a float of four bytes F4, and here it has four bits. */
static const char *const types[] = {
	"BOOL", "U8",   "I8",  "U16", "I16",     "U32",     "I32",         "U64",         "I64",
	"F16",  "BF16", "F32", "F64", "F8_E5M2", "F8_E4M3", "F8_E5M2FNUZ", "F8_E4M3FNUZ", "C64",
};

static rg_error *set_type(rg_tensor *tensor, const char *name)
{
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i], name))
			return rg_tensor_set_type(tensor, name);
	return rg_error_new(RG_E_PARSE, "elements of type '%s' cannot be read", name);
}

/* Reads all but its type. */
static rg_error *read_tensor(const cJSON *entry, const unsigned char *data, size_t size,
			     rg_tensor *out, const char **type)
{
	const cJSON *offsets = rg_json_member(entry, "data_offsets");
	const cJSON *shape = rg_json_member(entry, "shape"), *extent;
	uint64_t begin, end, value;

	*out = (rg_tensor){0};
	rg_tensor_row_major(out);
	*type = cJSON_GetStringValue(rg_json_member(entry, "dtype"));
	if (!*type)
		return rg_error_new(RG_E_PARSE, "no dtype");
	if (!cJSON_IsArray(shape))
		return rg_error_new(RG_E_PARSE, "its shape is not a list");
	cJSON_ArrayForEach(extent, shape)
	{
		if (out->dimensions == RG_METRIC_DIMENSIONS)
			return rg_error_new(RG_E_LIMIT, "more than %d dimensions",
					    RG_METRIC_DIMENSIONS);
		if (!rg_json_is_count(extent, RG_JSON_EXACT_MAX, &value))
			return rg_error_new(RG_E_PARSE, "its shape has an item that is not a size");
		out->shape[out->dimensions++] = (int64_t)value;
	}
	if (!cJSON_IsArray(offsets) || cJSON_GetArraySize(offsets) != 2 ||
	    !rg_json_is_count(cJSON_GetArrayItem(offsets, 0), RG_JSON_EXACT_MAX, &begin) ||
	    !rg_json_is_count(cJSON_GetArrayItem(offsets, 1), RG_JSON_EXACT_MAX, &end))
		return rg_error_new(RG_E_PARSE, "data_offsets are not two sizes");
	if (begin > end || end > size)
		return rg_error_new(RG_E_PARSE, "its data is outside the file");
	out->data = data + begin;
	out->size = (size_t)(end - begin);
	return NULL;
}

static rg_bytes place_of(const rg_metric *metric)
{
	if (metric->tensor)
		return (rg_bytes){metric->tensor->data, metric->tensor->size};
	return (rg_bytes){metric->text, metric->count};
}

RG_ORDER_OF_POINTERS(compare_places, rg_metric,
		     RG_BY((const unsigned char *)place_of(x).data,
			   (const unsigned char *)place_of(y).data) ||
			     RG_BY(place_of(x).size, place_of(y).size));

/* The format has every byte in one tensor. Shared bytes could make endless work out of a small
 * file, and bytes in no tensor mean that offsets are wrong. */
static rg_error *check_places(const rg_golden_builder *builder, const unsigned char *data,
			      size_t size)
{
	const rg_metric **order = rg_arena_alloc(&builder->golden->arena,
						 (builder->count + 1) * sizeof(const rg_metric *));
	size_t at = 0;
	for (size_t i = 0; i < builder->count; i++)
		order[i] = &builder->metrics[i];
	if (builder->count)
		qsort(order, builder->count, sizeof(*order), compare_places);
	for (size_t i = 0; i < builder->count; i++) {
		const rg_bytes place = place_of(order[i]);
		size_t begin = (size_t)((const unsigned char *)place.data - data);

		if (begin < at)
			return rg_error_new(RG_E_PARSE,
					    "safetensors: tensor '%s' shares bytes with another",
					    order[i]->name);
		if (begin > at)
			break;
		at += place.size;
	}
	if (at < size)
		return rg_error_new(RG_E_PARSE,
				    "safetensors: byte %zu of its data belongs to no tensor", at);
	return NULL;
}

/* False where the first eight bytes name no header inside the file. */
static bool header_length(const rg_input *in, size_t *length)
{
	const unsigned char *bytes = in->data;
	if (in->size < PREFIX_SIZE + 2)
		return false;
	uint64_t value = rg_le64(bytes);
	*length = (size_t)value;
	return value <= in->size - PREFIX_SIZE;
}

static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	const unsigned char *bytes = in->data;
	RG_AUTO_PTR(cJSON) header = NULL;
	size_t length;

	(void)options;
	if (!header_length(in, &length))
		return rg_error_new(RG_E_PARSE, "safetensors: its header is outside the file");
	if (length > HEADER_MAX)
		return rg_error_new(RG_E_LIMIT, "safetensors: a header of %zu bytes, more than %d",
				    length, HEADER_MAX);
	RG_TRY(rg_error_wrap(rg_json_parse(&header, (const char *)bytes + PREFIX_SIZE, length),
			     "safetensors: its header"));
	const unsigned char *data = bytes + PREFIX_SIZE + length;
	const size_t size = in->size - PREFIX_SIZE - length;
	const cJSON *entry;
	if (!cJSON_IsObject(header))
		return rg_error_new(RG_E_PARSE, "safetensors: its header is not a JSON object");
	cJSON_ArrayForEach(entry, header)
	{
		rg_tensor tensor;
		const char *type;

		if (!strcmp(entry->string, "__metadata__"))
			continue;
		RG_TRY(rg_error_wrap(read_tensor(entry, data, size, &tensor, &type), "tensor '%s'",
				     entry->string));
		tensor.forget = in->forget;
		rg_error *unread = set_type(&tensor, type);
		rg_error *err = unread ? rg_tensor_add_unreadable(builder, entry->string,
								  tensor.data, tensor.size, unread)
				       : rg_tensor_add(builder, entry->string, &tensor);
		RG_TRY(rg_error_wrap(err, "tensor '%s'", entry->string));
	}
	return check_places(builder, data, size);
}

static int bid(const rg_input *in)
{
	size_t header;
	bool known = header_length(in, &header) && header >= 2 &&
		     ((const char *)in->data)[PREFIX_SIZE] == '{';

	return rg_format_bid(rg_ends_with(in->name, ".safetensors"), known);
}

const rg_format rg_format_safetensors = {.name = "safetensors",
					 .bid = bid,
					 .read = read_golden,
					 .in_place = true,
					 .has_tensors = true};
