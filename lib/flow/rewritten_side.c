/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/rewritten_side.h"

#include "source/staging_tables.h"

rg_error *rg_rewritten_side(rg_buf *table, const rg_manifest_golden *golden,
			    const rg_golden_options *formats, const rg_input *old, rg_input *fresh)
{
	if (!golden || !golden->rewrite)
		return NULL;
	rg_table_manner manner = rg_golden_manner(golden, formats);
	rg_buf_clear(table);
	rg_error *err = rg_table_rewrite(table, (rg_bytes){old->data, old->size},
					 (rg_bytes){fresh->data, fresh->size}, &manner);
	if (!err) {
		fresh->data = table->data;
		fresh->size = table->length;
	} else if (rg_error_get_code(err) == RG_E_PARSE) {
		/* Reading it says so, too. */
		rg_error_free(err);
		err = NULL;
	}
	return err;
}
