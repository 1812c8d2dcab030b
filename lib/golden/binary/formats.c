/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/formats.h"

#include "base/path.h"
#include "golden/binary/file.h"
#include "golden/binary/rules.h"

#include <string.h>

const rg_binary_reader *const rg_binary_readers[] = {&rg_reader_hdf5, &rg_reader_netcdf,
						     &rg_reader_fits, NULL};

static const rg_binary_reader *reader_named(const char *name)
{
	size_t i = 0;
	while (rg_binary_readers[i] && strcmp(rg_binary_readers[i]->name, name) != 0)
		i++;
	return rg_binary_readers[i];
}

void rg_binary_serve(const char *name)
{
	const rg_binary_reader *reader = reader_named(name);
	if (reader)
		rg_child_main(reader);
}

/* The reader has the format's name. */
static rg_error *read_golden(rg_golden_builder *builder, const rg_input *in,
			     const rg_golden_options *options)
{
	const rg_binary_reader *reader = reader_named(builder->golden->format);
	rg_binary_file file;

	(void)options;
	RG_TRY(rg_binary_receive(&file, builder, reader, in));
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
static int bid_hdf5(const rg_input *in)
{
	static const char magic[] = "\x89HDF\r\n\x1a\n";
	enum { MAGIC = sizeof(magic) - 1, PAGE = 4096 };
	const bool named = rg_ends_with(in->name, ".h5") || rg_ends_with(in->name, ".hdf5") ||
			   rg_ends_with(in->name, ".he5") || rg_ends_with(in->name, ".nc4");
	const size_t end = in->size < PAGE || named ? in->size : PAGE;
	bool known = false;
	for (size_t at = 0; end >= MAGIC && at <= end - MAGIC && !known; at = at ? 2 * at : 512)
		known = !memcmp((const char *)in->data + at, magic, MAGIC);
	return rg_format_bid(named, known);
}

/* The first bytes of a file of NetCDF or FITS speak for no other format, and its name for none
 * where there are bytes: NetCDF-4 is HDF5. */
static int bid_by_bytes(const rg_input *in, const char *ending, const char *magic, size_t least)
{
	return in->size >= least && !memcmp(in->data, magic, strlen(magic)) ? 100
	       : !in->size && rg_ends_with(in->name, ending)                ? 10
									    : 0;
}

static int bid_netcdf(const rg_input *in)
{
	const char *bytes = in->data;
	const int bid = bid_by_bytes(in, ".nc", "CDF", 4);
	return bid < 100 || (bytes[3] && strchr("\1\2\5", bytes[3])) ? bid : 0;
}

static int bid_fits(const rg_input *in)
{
	static const char first[] = "SIMPLE  =";
	/* A file shorter than a header is cut off, or, by another name, a text of cards. */
	enum { BLOCK = 2880 };
	return bid_by_bytes(in, ".fits", first,
			    rg_ends_with(in->name, ".fits") ? strlen(first) : BLOCK);
}

#define FORMAT(name_)                                             \
	const rg_format rg_format_##name_ = {.name = #name_,      \
					     .bid = bid_##name_,  \
					     .read = read_golden, \
					     .in_place = true,    \
					     .in_child = true,    \
					     .shows_all = true}
FORMAT(hdf5);
FORMAT(netcdf);
FORMAT(fits);
