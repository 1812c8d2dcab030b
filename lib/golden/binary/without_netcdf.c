/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/binary/child.h"

const rg_binary_reader rg_reader_netcdf = {
	.name = "netcdf", .format = "NetCDF", .package = "libnetcdf19"};
