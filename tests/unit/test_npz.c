/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "format_reader.h"

#include "base/buf.h"
#include "support/little.h"
#include "support/zipmaker.h"

static const char header[] = "\x93NUMPY\x01\x00\x36\x00{'descr': '<f4', 'fortran_order': False, "
			     "'shape': (2,), }";

/* A .npy of two floats. */
static void npy(rg_buf *out, float a, float b)
{
	float values[] = {a, b};

	rg_buf_init(out, RG_BUF_TEXT);
	rg_buf_add(out, header, sizeof(header) - 1);
	out->data[8] = (char)(sizeof(header) - 1 - 10);
	rg_buf_add(out, little(values, sizeof(a), 2), sizeof(values));
}

static rg_input input_of(const rg_buf *zip)
{
	return (rg_input){.name = "a.npz", .data = zip->data, .size = zip->length};
}

static double value_of(const format_reading *r, const char *name, size_t at)
{
	const rg_metric *m = find_metric(r, name);
	double values[2];

	assert_int_equal(m->count, 2);
	assert_success(m->block(m, 0, 2, values));
	return values[at];
}

/* As numpy.savez and numpy.savez_compressed do. */
TEST(reads_arrays)
{
	rg_buf stored, packed;
	format_reading r;
	zipmaker maker;

	npy(&stored, 1, 2);
	npy(&packed, 3, 4);
	RG_AUTO(rg_buf) zip = rg_buf_of(RG_BUF_TEXT);
	zipmaker_init(&maker);
	zipmaker_add(&maker, "w.npy", stored.data, stored.length)->zip64 = true;
	zipmaker_add(&maker, "layer/b.npy", packed.data, packed.length)->method = 8;
	zipmaker_add(&maker, "notes.txt", "hello", 5);
	zipmaker_write(&maker, &zip);
	read_format(&r, &rg_format_npz, input_of(&zip), NULL);
	assert_success(r.err);
	assert_true(value_of(&r, "w", 1) == 2 && value_of(&r, "layer/b", 0) == 3);
	assert_int_equal(find_metric(&r, "notes.txt")->kind, RG_METRIC_UNREADABLE);
	assert_string_equal(find_metric(&r, "notes.txt")->unreadable,
			    "no .npy: its first bytes are not \\x93NUMPY");
	release_reading(&r);
	assert_survives(&rg_format_npz, input_of(&zip));
	zipmaker_release(&maker);
	rg_buf_release(&packed);
	rg_buf_release(&stored);
}

static void assert_member_refused(zipmaker *maker, rg_error_code code, const char *message)
{
	rg_buf zip;

	rg_buf_init(&zip, RG_BUF_TEXT);
	zipmaker_write(maker, &zip);
	assert_refused(&rg_format_npz, input_of(&zip), code, message);
	rg_buf_release(&zip);
	zipmaker_release(maker);
	zipmaker_init(maker);
}

TEST(refuses)
{
	rg_buf array, zip;
	zipmaker maker;
	zipmaker_member *member;

	npy(&array, 1, 2);
	zipmaker_init(&maker);
	zipmaker_add(&maker, "../w.npy", array.data, array.length);
	assert_member_refused(&maker, RG_E_UNSAFE, "member '../w.npy': its name has a '..' part");
	member = zipmaker_add(&maker, "w.npy", array.data, array.length);
	member->local.crc = member->entry.crc = 1;
	rg_buf_init(&zip, RG_BUF_TEXT);
	zipmaker_write(&maker, &zip);
	format_reading r;
	read_format(&r, &rg_format_npz, input_of(&zip), NULL);
	assert_int_equal(rg_error_get_code(r.err), RG_E_MISMATCH);
	release_reading(&r);
	rg_buf_release(&zip);
	zipmaker_release(&maker);
	zipmaker_init(&maker);
	member = zipmaker_add(&maker, "w.npy", array.data, array.length);
	member->method = 8;
	member->local.size = member->entry.size = (uint64_t)3 << 30;
	assert_member_refused(&maker, RG_E_LIMIT,
			      "its tensors unpack to 3221225472 bytes, more than 1073741824");
	zipmaker_release(&maker);
	assert_refused(&rg_format_npz, (rg_input){.name = "a.npz", .data = "PK\x03\x04", .size = 4},
		       RG_E_PARSE, "not a readable zip: 4 bytes are too few for a zip");
	rg_buf_release(&array);
}
