/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/textconv.h"

#include "base/digest.h"
#include "base/file.h"
#include "base/json.h"
#include "base/number.h"
#include "base/utf8.h"
#include "config/config.h"
#include "place/place.h"
#include "golden/records.h"
#include "golden/tensor.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <unistd.h>

/* Text is handed on in pieces of about so many bytes, values are read so many at once, and a tensor
 * has so many lines of values; the digest of the rest shows that it changed. */
enum { PIECE = 64 << 10, BLOCK = 1024, TENSOR_VALUES = 1000 };

typedef struct {
	rg_textconv_fn *write;
	void *context;
	rg_buf text, name; /* what is not written yet; the metric's name and a blank */
} output;

static void output_release(output *out)
{
	rg_buf_release(&out->name);
	rg_buf_release(&out->text);
}

static rg_error *flush(output *out)
{
	rg_error *err = rg_buf_check(&out->text, "the text");
	if (!err)
		err = out->write(out->context, out->text.data, out->text.length);
	rg_buf_clear(&out->text);
	return err;
}

static rg_error *end_line(output *out)
{
	rg_buf_char(&out->text, '\n');
	return out->text.length < PIECE ? NULL : flush(out);
}

static void begin_line(output *out)
{
	rg_buf_add(&out->text, out->name.data, out->name.length);
}

/* A table's step is the record's key. */
static void write_step(output *out, const rg_records *records, int64_t step)
{
	char number[RG_STEP_TEXT];
	const char *name = rg_step_name(records, step, number);

	rg_utf8_add_safe(&out->text, name, strlen(name));
	rg_buf_char(&out->text, ' ');
}

static rg_error *write_series(output *out, const rg_metric *metric)
{
	double values[BLOCK];
	size_t count;

	for (size_t first = 0; first < metric->count; first += count) {
		count = metric->count - first < BLOCK ? metric->count - first : BLOCK;
		RG_TRY(rg_metric_read(metric, first, count, values));
		for (size_t i = 0; i < count; i++) {
			begin_line(out);
			write_step(out, metric->records, rg_metric_step(metric, first + i));
			char text[RG_DOUBLE_REPR_SIZE];
			rg_buf_add(&out->text, text, rg_double_repr(values[i], text));
			RG_TRY(end_line(out));
		}
	}
	return NULL;
}

static rg_error *write_tokens(output *out, const rg_metric *metric)
{
	for (size_t i = 0; i < metric->count; i++) {
		begin_line(out);
		rg_buf_printf(&out->text, "%zu %" PRId64, i, metric->tokens[i]);
		RG_TRY(end_line(out));
	}
	return NULL;
}

/* A masked value counts as masked, whatever its bytes are. */
static rg_error *digest_of_rest(const rg_tensor *tensor, size_t first, char hex[RG_SHA256_HEX])
{
	unsigned char bytes[BLOCK * RG_DTYPE_SIZE_MAX];
	size_t width = rg_dtype_size(tensor->dtype), count;
	double values[BLOCK];
	bool masked[BLOCK];
	RG_AUTO_PTR(rg_sha256) hash = NULL;

	RG_TRY(rg_sha256_new(&hash));
	for (; first < tensor->count; first += count) {
		count = tensor->count - first < BLOCK ? tensor->count - first : BLOCK;
		bool any = false;
		rg_tensor_bytes(tensor, first, count, bytes);
		if (tensor->convention)
			rg_tensor_values(tensor, first, count, values);
		for (size_t i = 0; tensor->convention && i < count; i++) {
			masked[i] = rg_is_masked(values[i]);
			any |= masked[i];
			if (masked[i])
				memset(bytes + i * width, 0, width);
		}
		RG_TRY(rg_sha256_add(hash, bytes, count * width));
		if (any)
			RG_TRY(rg_sha256_add(hash, masked, count * sizeof(*masked)));
		rg_tensor_forget(tensor, first, count);
	}
	return rg_sha256_finish(hash, hex);
}

static rg_error *write_tensor(output *out, const rg_tensor *tensor)
{
	size_t shown = tensor->count < TENSOR_VALUES ? tensor->count : TENSOR_VALUES;
	int64_t index[RG_METRIC_DIMENSIONS];
	char text[RG_TENSOR_TYPE_TEXT], hex[RG_SHA256_HEX];

	rg_tensor_type_text(tensor, text);
	begin_line(out);
	rg_buf_str(&out->text, text);
	RG_TRY(end_line(out));
	for (size_t i = 0; i < shown; i++) {
		rg_unravel(tensor->shape, tensor->dimensions, i, index);
		rg_shape_text(index, tensor->dimensions, text);
		begin_line(out);
		rg_buf_printf(&out->text, "%s ", text);
		rg_tensor_element_text(tensor, i, text);
		rg_buf_str(&out->text, text);
		RG_TRY(end_line(out));
	}
	if (shown == tensor->count)
		return NULL;
	RG_TRY(digest_of_rest(tensor, shown, hex));
	begin_line(out);
	rg_buf_printf(&out->text, "and %zu more: sha256 %s", tensor->count - shown, hex);
	return end_line(out);
}

static rg_error *write_metric(output *out, const rg_metric *metric)
{
	rg_buf_clear(&out->name);
	rg_utf8_add_safe(&out->name, metric->name, strlen(metric->name));
	rg_buf_char(&out->name, ' ');
	RG_TRY(rg_buf_check(&out->name, "a metric's name"));
	if (metric->tensor)
		return write_tensor(out, metric->tensor);
	rg_json_out json;
	if (metric->kind == RG_METRIC_TEXT) {
		begin_line(out);
		rg_json_out_init(&json, &out->text);
		rg_json_text_bytes(&json, metric->text, metric->count);
		return end_line(out);
	}
	if (metric->kind == RG_METRIC_UNREADABLE) {
		char hex[RG_SHA256_HEX];
		RG_TRY(rg_sha256_hex(metric->text, metric->count, hex));
		begin_line(out);
		rg_buf_printf(&out->text, "%s: sha256 %s", metric->unreadable, hex);
		return end_line(out);
	}
	if (!metric->count) {
		begin_line(out);
		rg_buf_str(&out->text, "has no values");
		return end_line(out);
	}
	if (metric->kind == RG_METRIC_TOKENS)
		return write_tokens(out, metric);
	if (metric->kind == RG_METRIC_SERIES)
		RG_TRY(write_series(out, metric));
	for (size_t i = 0; i < metric->text_count; i++) {
		begin_line(out);
		write_step(out, metric->records, metric->texts[i].step);
		rg_json_out_init(&json, &out->text);
		rg_json_text(&json, metric->texts[i].text);
		RG_TRY(end_line(out));
	}
	return NULL;
}

/* Copies a file that is larger than a golden may be. */
static rg_error *copy_file(output *out, const char *path)
{
	char bytes[BLOCK * sizeof(double)];
	rg_error *err = NULL;
	ssize_t got;
	int fd;

	RG_TRY(rg_file_open(&fd, path, 0));
	do {
		got = read(fd, bytes, sizeof(bytes));
		if (got > 0)
			err = out->write(out->context, bytes, (size_t)got);
		else if (got < 0 && errno != EINTR)
			err = rg_error_io(errno, "%s", path);
	} while (!err && got);
	close(fd); /* read-only: nothing can be lost */
	return err;
}

rg_error *rg_textconv(const char *path, rg_textconv_fn *write, void *context)
{
	RG_AUTO(output) out = {.write = write, .context = context};
	const rg_place place = {.folder = ""};

	rg_buf_init(&out.text, RG_BUF_ANY); /* a line is as long as a text in the golden */
	rg_buf_init(&out.name, RG_BUF_TEXT);
	RG_TRY(rg_place_check_name(path));
	RG_AUTO(rg_place_reader) reader = {0};
	rg_place_reader_init(&reader, NULL, RG_CONFIG_GOLDEN_MAX);
	reader.place = &place;
	RG_AUTO_PTR(rg_golden) golden = NULL;
	rg_input in;
	rg_error *err = rg_place_read(&reader, &(rg_place_file){.path = path}, &in);

	if (err && rg_error_get_code(err) == RG_E_LIMIT) {
		rg_error_free(err);
		return copy_file(&out, path);
	}
	RG_TRY(rg_error_wrap(err, "%s", path));
	in.sibling = NULL;
	RG_AUTO_PTR(rg_error) unread = rg_golden_read(&golden, &in, NULL);
	/* A text is for people as it is, where it is not packed. */
	const bool as_is = golden && golden->lines && !rg_ends_with(path, ".gz");
	if (unread || !golden || !golden->count || rg_golden_is_opaque(golden) || as_is)
		return write(context, in.data, in.size);
	for (size_t i = 0; i < golden->count; i++)
		RG_TRY(write_metric(&out, &golden->metrics[i]));
	return flush(&out);
}
