/* SPDX-License-Identifier: Apache-2.0 */
#include "one_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_one_format(&rg_format_npy, "x.npy", data, size);
	return 0;
}
