/* SPDX-License-Identifier: Apache-2.0 */
#include "one_format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	fuzz_one_format(&rg_format_npz, "x.npz", data, size);
	return 0;
}
