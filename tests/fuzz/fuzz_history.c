#include "audit/history_format.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A golden's block out of a history file whose checksum fits all the same. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rg_golden *golden = NULL;
	rg_error *err = rg_history_parse_block(&golden, (const char *)data, size);

	rg_golden_free(golden);
	rg_error_free(err);
	return 0;
}
