/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/formats.h"

#include "base/path.h"
#include "golden/binary/file.h"
#include "golden/binary/rules.h"

#include <string.h>

const rg_binary_reader *const rg_binary_readers[] = {&rg_reader_hdf5, &rg_reader_netcdf,
						     &rg_reader_fits, NULL};

void rg_binary_serve(const char *reader)
{
	for (size_t i = 0; rg_binary_readers[i]; i++)
		if (!strcmp(rg_binary_readers[i]->name, reader))
			rg_child_main(rg_binary_readers[i]);
}

static rg_error *read_by(const rg_binary_reader *reader, rg_golden_builder *builder,
			 const rg_input *in)
{
	rg_binary_file file;
	rg_error *err = rg_binary_receive(&file, builder, reader, in);
	RG_TRY(err);
	if (reader == &rg_reader_hdf5)
		RG_TRY(rg_binary_layouts(&file));
	if (reader == &rg_reader_fits)
		rg_binary_fits_rules(&file);
	else if (reader == &rg_reader_netcdf || rg_binary_is_netcdf4(&file))
		rg_binary_netcdf_rules(&file, builder);
	if (reader != &rg_reader_fits)
		RG_TRY(rg_binary_exodus_rules(&file, builder));
	return rg_binary_add(builder, &file);
}

/* HDF5's first bytes may follow a block of the user's: 512, 1024, 2048 ... bytes. A large block is
 * looked behind only where the name speaks for one, as that reads pages all over the file. */
static bool is_hdf5(const rg_input *in, bool named)
{
	static const char magic[] = "\x89HDF\r\n\x1a\n";
	enum { MAGIC = sizeof(magic) - 1, PAGE = 4096 };
	const size_t end = in->size < PAGE || named ? in->size : PAGE;
	for (size_t at = 0; end >= MAGIC && at <= end - MAGIC; at = at ? 2 * at : 512)
		if (!memcmp((const char *)in->data + at, magic, MAGIC))
			return true;
	return false;
}

static int bid_hdf5(const rg_input *in)
{
	const bool named = rg_ends_with(in->name, ".h5") || rg_ends_with(in->name, ".hdf5") ||
			   rg_ends_with(in->name, ".he5") || rg_ends_with(in->name, ".nc4");
	return rg_format_bid(named, is_hdf5(in, named));
}

static rg_error *read_hdf5(rg_golden_builder *builder, const rg_input *in,
			   const rg_golden_options *options)
{
	(void)options;
	return read_by(&rg_reader_hdf5, builder, in);
}

const rg_format rg_format_hdf5 = {
	.name = "hdf5", .bid = bid_hdf5, .read = read_hdf5, .in_place = true, .shows_all = true};

/* The first bytes of a file of NetCDF or FITS speak for no other format. */
static int bid_by_bytes(const rg_input *in, const char *ending, bool known)
{
	return known ? 100 : !in->size && rg_ends_with(in->name, ending) ? 10 : 0;
}

/* NetCDF-4 is HDF5. */
static int bid_netcdf(const rg_input *in)
{
	const unsigned char *bytes = in->data;
	return bid_by_bytes(in, ".nc",
			    in->size >= 4 && !memcmp(bytes, "CDF", 3) &&
				    memchr("\1\2\5", bytes[3], 3));
}

static rg_error *read_netcdf(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	(void)options;
	return read_by(&rg_reader_netcdf, builder, in);
}

const rg_format rg_format_netcdf = {.name = "netcdf",
				    .bid = bid_netcdf,
				    .read = read_netcdf,
				    .in_place = true,
				    .shows_all = true};

static int bid_fits(const rg_input *in)
{
	static const char first[] = "SIMPLE  =";
	enum { BLOCK = 2880 }; /* a shorter one is a text of cards */
	return bid_by_bytes(in, ".fits",
			    in->size >= BLOCK && !memcmp(in->data, first, sizeof(first) - 1));
}

static rg_error *read_fits(rg_golden_builder *builder, const rg_input *in,
			   const rg_golden_options *options)
{
	(void)options;
	return read_by(&rg_reader_fits, builder, in);
}

const rg_format rg_format_fits = {
	.name = "fits", .bid = bid_fits, .read = read_fits, .in_place = true, .shows_all = true};
