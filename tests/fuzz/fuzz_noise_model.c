/* SPDX-License-Identifier: Apache-2.0 */
#include "audit/model.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Whatever a model holds: it is read or refused, and what is read can be searched. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rg_noise_model model;
	rg_error *err = rg_noise_model_parse(&model, (const char *)data, size);

	if (!err) {
		(void)rg_noise_model_find(&model, "a/b/golden.json", "lm loss");
		rg_noise_model_release(&model);
	}
	rg_error_free(err);
	return 0;
}
