/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/child.h"

const rg_binary_reader rg_reader_fits = {
	.name = "fits", .format = "FITS", .package = "libcfitsio10"};
