/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/fits_library.h"

#include "base/library.h"

#include <stdio.h>
#include <string.h>

rg_fits_functions cfitsio;

rg_error *rg_fits_load(void)
{
	/* Names are macros for shorter ones. */
#define TEXT(name) #name
#define NAME(name) TEXT(name),
	static const char *const names[] = {RG_FITS_FUNCTIONS(NAME)};
	static rg_library library = {.path = REGILD_LIBRARY,
				     .package = "libcfitsio10",
				     .names = names,
				     .count = sizeof(names) / sizeof(*names),
				     .functions = &cfitsio};
	return rg_library_load(&library);
}

const rg_fits_type *rg_fits_type_of(int code, bool is_column)
{
	static const rg_fits_type images[] = {
		{BYTE_IMG, TBYTE, RG_DTYPE_UINT8, -128, TSBYTE, RG_DTYPE_INT8},
		{SHORT_IMG, TSHORT, RG_DTYPE_INT16, 32768, TUSHORT, RG_DTYPE_UINT16},
		{LONG_IMG, TINT, RG_DTYPE_INT32, 2147483648.0, TUINT, RG_DTYPE_UINT32},
		{LONGLONG_IMG, TLONGLONG, RG_DTYPE_INT64, 0x1p63, TULONGLONG, RG_DTYPE_UINT64},
		{FLOAT_IMG, TFLOAT, RG_DTYPE_FLOAT32, 0, 0, 0},
		{DOUBLE_IMG, TDOUBLE, RG_DTYPE_FLOAT64, 0, 0, 0},
	};
	static const int codes[] = {TBYTE, TSHORT, TLONG, TLONGLONG, TFLOAT, TDOUBLE};
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (code == (is_column ? codes[i] : images[i].code))
			return &images[i];
	return NULL;
}

bool rg_fits_is_other(const rg_fits_type *type, double scale, double offset)
{
	return type->other_type && scale == 1 && offset == type->offset;
}

void rg_fits_say_unreadable(const rg_hdu *hdu, const char *path, const char *column, int status)
{
	char text[FLEN_STATUS + 1] = "", why[FLEN_STATUS + FLEN_VALUE + 32];
	cfitsio.fits_get_errstatus(status, text);
	snprintf(why, sizeof(why), "HDU %d%s%s: %s", hdu->number - 1, column ? ", column " : "",
		 column ? column : "", text);
	rg_wire_say(hdu->wire, RG_WIRE_UNREADABLE, path, why);
}

void rg_fits_send_number(const rg_hdu *hdu, const char *name, rg_dtype dtype, const void *value)
{
	const rg_wire_item item = {.kind = RG_WIRE_ATTRIBUTE, .dtype = dtype};
	rg_wire_put(hdu->wire, &item, name, value, rg_dtype_size(dtype));
}

void rg_fits_send_meaning(const rg_hdu *hdu, const rg_fits_type *type, double scale, double offset,
			  const int64_t *blank)
{
	const bool other = rg_fits_is_other(type, scale, offset);
	if (!other && (scale != 1 || offset != 0)) {
		rg_fits_send_number(hdu, "BSCALE", RG_DTYPE_FLOAT64, &scale);
		rg_fits_send_number(hdu, "BZERO", RG_DTYPE_FLOAT64, &offset);
	}
	if (!blank || rg_dtype_is_float(type->dtype))
		return;
	uint64_t value = (uint64_t)*blank;
	if (other)
		value += offset < 0 ? -(uint64_t)-offset : (uint64_t)offset;
	rg_fits_send_number(hdu, "BLANK",
			    other && offset == 0x1p63 ? RG_DTYPE_UINT64 : RG_DTYPE_INT64, &value);
}

void rg_fits_send_text(const rg_hdu *hdu, const char *name, const char *text)
{
	const rg_wire_item item = {.kind = RG_WIRE_ATTRIBUTE, .values = RG_WIRE_TEXTS};
	rg_wire_put(hdu->wire, &item, name, text, strlen(text) + 1);
}
