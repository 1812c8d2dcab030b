/* SPDX-License-Identifier: Apache-2.0 */
#include "base/buf.h"
#include "base/counts.h"
#include "base/memory.h"
#include "base/file.h"
#include "golden/binary/formats.h"
#include "golden/column_list.h"
#include "golden/executorch/formats.h"
#include "golden/format.h"
#include "golden/gzipped.h"
#include "base/lfs.h"
#include "golden/record_key.h"
#include "golden/sections.h"
#include "golden/series.h"
#include "golden/text_read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The first of equal bids wins. golden/text.h bids on nothing, as any text would do for it: it is
 * the last reader and gets what no other one takes. */
const rg_format *const rg_format_list[] = {
	&rg_format_json,         &rg_format_npy,
	&rg_format_safetensors,
#ifndef REGILD_WITHOUT_EXECUTORCH
	&rg_format_bpte,         &rg_format_pte,
	&rg_format_ptd,          &rg_format_raw,
	&rg_format_backend_csv,  &rg_format_backend_json,
	&rg_format_opdiff,
#endif
	&rg_format_step_list,    &rg_format_table,
	&rg_format_json_lines,   &rg_format_metrics_csv,
	&rg_format_torchtune,    &rg_format_tfevents,
	&rg_format_number_table, &rg_format_npz,
	&rg_format_yaml,         &rg_format_go_bench,
	&rg_format_hdf5,         &rg_format_netcdf,
	&rg_format_fits,         NULL,
};

enum { FORMAT_COUNT = sizeof(rg_format_list) / sizeof(rg_format_list[0]) - 1, BID_BY_BYTES = 50 };

static const rg_format *best_format(const rg_input *in)
{
	const rg_format *best = NULL;
	int best_bid = 0;

	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		int bid = rg_format_list[i]->bid(in);
		if (bid > best_bid) {
			best_bid = bid;
			best = rg_format_list[i];
		}
	}
	return best;
}

const rg_format *rg_format_named(const char *name)
{
	for (size_t i = 0; name && i < FORMAT_COUNT; i++)
		if (!strcmp(rg_format_list[i]->name, name))
			return rg_format_list[i];
	return NULL;
}

rg_head_size_fn *rg_format_head_size(const char *path)
{
	const rg_format *format = best_format(&(rg_input){.name = path, .data = ""});
	return format ? format->head_size : NULL;
}

static bool is_recognised(const rg_input *in, bool named)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++)
		if ((named || !rg_format_list[i]->when_named) && rg_format_list[i]->bid(in) > 0)
			return true;
	return false;
}

bool rg_golden_recognised(const rg_input *in, bool named)
{
	rg_gzip_probe probe;
	if (!rg_gzip_probe_open(&probe, in))
		return is_recognised(in, named);
	const bool recognised = is_recognised(&probe.in, named);
	rg_gzip_probe_release(&probe);
	return recognised;
}

rg_error *rg_golden_recognised_file(bool *out, const char *folder, const char *path, bool named)
{
	char bytes[RG_PROBE_BYTES];
	rg_input in = {.name = path, .data = bytes};
	RG_AUTO_FREE char *full = rg_path_join(folder, path);

	int fd = open(full, O_RDONLY | O_CLOEXEC);
	ssize_t got = fd < 0 ? -1 : read(fd, bytes, sizeof(bytes));
	rg_error *err = got < 0 ? rg_error_io(errno, "%s", full) : NULL;
	if (fd >= 0)
		close(fd);
	RG_TRY(err);
	in.size = (size_t)got;
	*out = rg_golden_recognised(&in, named);
	return NULL;
}

bool rg_golden_reads_in_place(const rg_input *in)
{
	const rg_format *format = best_format(in);
	return !format || format->in_place;
}

bool rg_golden_reads_in_order(const rg_input *in)
{
	const rg_format *format = best_format(in);
	return format && format->in_order;
}

bool rg_golden_reads_all(const rg_input *in)
{
	const rg_format *format = best_format(in);
	return !format || !format->in_place || format->in_child;
}

/* Readers leave metrics in file order. */
static rg_error *sort_metrics(rg_golden *golden)
{
	/* They are const to readers of the golden alone. */
	rg_metric *sorted = (rg_metric *)(uintptr_t)golden->metrics;
	bool ordered = true;
	for (size_t i = 1; i < golden->count && ordered; i++)
		ordered = strcmp(golden->metrics[i - 1].name, golden->metrics[i].name) < 0;
	if (ordered)
		return NULL;
	qsort(sorted, golden->count, sizeof(*sorted), rg_metric_compare);
	for (size_t i = 1; i < golden->count; i++)
		if (!strcmp(sorted[i - 1].name, sorted[i].name))
			return rg_error_new(RG_E_PARSE, "two things in it are both named '%s'",
					    sorted[i].name);
	return NULL;
}

/* *gave_up: its reader found that the file is none of its own. */
static rg_error *read_as(const rg_format *format, rg_golden *golden, const rg_input *in,
			 const rg_golden_options *options, bool *gave_up)
{
	static const rg_golden_options defaults = {.run_index = -1};
	rg_golden_builder builder;

	rg_golden_builder_init(&builder, golden, in->size);
	rg_error *err = format->read(&builder, in, options ? options : &defaults);
	golden->heeded |= format->heeds;
	if (!err)
		rg_golden_builder_finish(&builder);
	*gave_up = builder.gave_up;
	rg_golden_builder_release(&builder);
	return err;
}

rg_error *rg_format_read(const rg_format *format, rg_golden *golden, const rg_input *in,
			 const rg_golden_options *options)
{
	bool gave_up;
	golden->format = format->name;
	return read_as(format, golden, in, options, &gave_up);
}

/* `why` may be NULL. */
static void read_opaque(rg_golden *golden, const rg_input *in, const char *why)
{
	rg_arena arena = golden->arena;
	*golden = (rg_golden){
		.format = RG_OPAQUE_FORMAT, .count = 1, .bytes = rg_input_span(in), .arena = arena};
	rg_metric *file = rg_arena_alloc(&golden->arena, sizeof(*file));
	*file = (rg_metric){.name = RG_OPAQUE_METRIC,
			    .kind = RG_METRIC_OPAQUE,
			    .count = in->size,
			    .text = in->data};
	golden->metrics = file;
	if (why)
		golden->why_opaque = rg_arena_text(&golden->arena, why);
}

/* Reads the numbers in a text that no other reader takes. `why` may be NULL. */
static rg_error *read_rest(rg_golden *golden, const rg_input *in, const rg_golden_options *options,
			   const char *why)
{
	/* An earlier reader's leftovers in the arena are not used. */
	*golden = (rg_golden){.bytes = rg_input_span(in),
			      .text_rule = rg_text_rule_of(options, in->name),
			      .arena = golden->arena};
	if (rg_text_read(golden)) {
		if (why) {
			RG_AUTO_FREE char *text = rg_textf("read as a text with numbers: %s", why);
			rg_golden_add_note(golden, RG_NOTE_READ, text);
		}
		return sort_metrics(golden);
	}
	read_opaque(golden, in, why);
	return NULL;
}

/* Did the bytes alone speak for a format, and the name for none? */
static bool name_promises_nothing(const rg_input *in)
{
	for (size_t i = 0; i < FORMAT_COUNT; i++) {
		int bid = rg_format_list[i]->bid(in);
		if (bid > 0 && bid != BID_BY_BYTES)
			return false;
	}
	return true;
}

/* A pattern that all files have names none. */
static bool names(const char *pattern)
{
	return pattern && pattern[strspn(pattern, "*/")];
}

/* By the format that bids highest. */
static rg_error *read_by_bid(rg_golden *golden, const rg_input *in,
			     const rg_golden_options *options)
{
	bool gave_up;
	/* Raw elements and texts are recognised by their names: any bytes would do for them. */
	RG_TRY(rg_lfs_refuse_pointer(in->data, in->size));
	const rg_table_rule *rule = rg_table_rule_of(options, in->name);
	/* Whoever says what is between its cells says that it is a table. */
	const bool said = rule && rule->delimiter;
	const rg_text_rule *text = rg_text_rule_of(options, in->name);
	const bool named = rule && names(rule->pattern) && !(text && names(text->pattern));
	const rg_format *format = said ? &rg_format_table : best_format(in);
	/* Columns that are read as a table, too, are so if that alone heeds what is said. */
	if (rule && format && format->heeds & RG_SET_COLUMNS && !text &&
	    (rg_settings_of(rule) & ~format->heeds ||
	     rule->header == (format->is_text ? RG_HEADER_YES : RG_HEADER_NO)))
		format = &rg_format_table;
	bool tried = !format && named; /* it may have blanks between its cells */
	if (tried)
		format = &rg_format_table;
	if (!format || (format->is_text && text))
		return read_rest(golden, in, options, NULL);
	golden->format = format->name;
	if (!in->size)
		return in->may_be_empty ? NULL : rg_error_new(RG_E_PARSE, "empty file");
	rg_error *err = read_as(format, golden, in, options, &gave_up);
	if (err && named && format->is_text) { /* words among its numbers */
		rg_error_free(err);
		tried = true;
		format = &rg_format_table;
		*golden = (rg_golden){.format = format->name, .arena = golden->arena};
		err = read_as(format, golden, in, options, &gave_up);
	}
	if (!err)
		return sort_metrics(golden);
	if (rg_error_get_code(err) == RG_E_NOTFOUND) { /* the library that reads it */
		RG_AUTO_PTR(rg_error) why = err;
		read_opaque(golden, in, rg_error_message(why));
		golden->unserved = true;
		rg_golden_add_note(golden, RG_NOTE_UNREADABLE, rg_error_message(why));
		return NULL;
	}
	if (tried || (rg_error_get_code(err) == RG_E_PARSE && !said &&
		      (gave_up || name_promises_nothing(in)))) {
		RG_AUTO_PTR(rg_error) full = rg_error_wrap(err, "not of format '%s'", format->name);
		return read_rest(golden, in, options, rg_error_message(full));
	}
	return err;
}

/* A file that is plainly one of training series is read at once: asking all formats for their bids
 * would cost more than reading it. */
static rg_error *read_plain(rg_golden *golden, const rg_input *in, const rg_golden_options *options)
{
	bool taken = false;
	if (in->size)
		RG_TRY(rg_series_read(golden, in, &taken));
	if (taken)
		golden->format = rg_format_json.name;
	else
		RG_TRY(read_by_bid(golden, in, options));
	golden->bytes = rg_input_span(in);
	golden->text_rule = rg_text_rule_of(options, in->name);
	golden->table_rule = rg_table_rule_of(options, in->name);
	golden->name = rg_arena_text(&golden->arena, in->name);
	return rg_settings_refuse_ignored(golden, options);
}

/* Is what is packed in it read by a format, or a text? A tar is neither. */
static bool is_packed(const rg_input *in)
{
	rg_gzip_probe probe;
	if (!rg_gzip_probe_open(&probe, in))
		return false;
	const bool packed = best_format(&probe.in) ||
			    (probe.in.size && !memchr(probe.in.data, '\0', probe.in.size));
	rg_gzip_probe_release(&probe);
	return packed;
}

static rg_error *read_any(rg_golden *golden, const rg_input *in, const rg_golden_options *options)
{
	char *name, *data;
	rg_input unpacked;

	if (!is_packed(in))
		return read_plain(golden, in, options);
	rg_error *err = rg_gzip_unpack(&unpacked, &name, &data, in);
	if (!err)
		err = read_plain(golden, &unpacked, options);
	/* Not earlier: a reader that gives up leaves an arena of its own. */
	rg_arena_adopt(&golden->arena, name);
	rg_arena_adopt(&golden->arena, data);
	if (!err && rg_golden_is_opaque(golden)) /* its size and digest are the file's */
		read_opaque(golden, in, golden->why_opaque);
	return err;
}

rg_error *rg_golden_read(rg_golden **out, const rg_input *in, const rg_golden_options *options)
{
	RG_AUTO_PTR(rg_golden) golden = rg_calloc(1, sizeof(*golden));
	*out = NULL;
	rg_arena_init(&golden->arena);
	rg_count_up(RG_COUNT_PARSED);
	RG_TRY(read_any(golden, in, options));
	*out = RG_TAKE(golden);
	return NULL;
}

rg_error *rg_golden_read_by(rg_golden *golden, const char *key)
{
	const rg_table_rule rule = rg_record_key_rule(golden->table_rule, &key);
	const rg_golden_options options = {
		.table_rules = &rule, .table_rule_count = 1, .run_index = -1};
	const rg_input in = {.name = golden->name,
			     .data = golden->bytes.data,
			     .size = golden->bytes.size,
			     .forget = golden->bytes.forget};
	rg_golden again = *golden;
	const rg_format *format = rg_format_named(golden->format);
	bool gave_up;

	if (!format)
		return rg_error_new(RG_E_PARSE, "is no table");
	again.metrics = NULL;
	again.notes = NULL;
	again.records = NULL;
	again.count = again.note_count = again.duplicate_keys = 0;
	again.unread = (rg_unread){0};
	rg_error *err = read_as(format, &again, &in, &options, &gave_up);
	if (!err)
		err = sort_metrics(&again);
	again.record_key = rg_arena_text(&again.arena, key);
	if (!err)
		*golden = again;
	golden->arena = again.arena;
	return err;
}

void rg_golden_as_text(rg_golden *golden)
{
	/* The arena stays, as the other side shares it. */
	rg_golden text = {
		.bytes = golden->bytes, .text_rule = golden->text_rule, .arena = golden->arena};
	if (rg_text_read(&text)) {
		rg_error_free(sort_metrics(&text)); /* no two have one name */
		*golden = text;
	}
	golden->arena = text.arena;
}
