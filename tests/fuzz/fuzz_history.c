/* A golden's block out of a history file whose checksum fits all the same: what is read is what is
 * kept when it is written again. */
#include "require.h"

#include "audit/history_format.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads a block and writes it; false where it is refused. */
static bool copy_block(rg_buf *out, const char *bytes, size_t size)
{
	rg_golden *golden = NULL;
	rg_error *err = rg_history_parse_block(&golden, bytes, size);
	bool fine = !err;

	if (fine)
		require(!rg_history_put_block(out, golden), "a block is written");
	rg_golden_free(golden);
	rg_error_free(err);
	return fine;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	rg_buf once, again;

	rg_buf_init(&once, RG_BUF_TEXT);
	rg_buf_init(&again, RG_BUF_TEXT);
	if (copy_block(&once, (const char *)data, size)) {
		require(copy_block(&again, once.data, once.length), "it is read again");
		require(once.length == again.length && !memcmp(once.data, again.data, once.length),
			"it is the same");
	}
	rg_buf_release(&again);
	rg_buf_release(&once);
	return 0;
}
