/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_tables.h"
#include "store/store.h"

/* Stands in for histories on ClickHouse in a build without them (make WITH_CLICKHOUSE=0). */
#ifdef REGILD_WITHOUT_CLICKHOUSE

static rg_error *no_clickhouse(void)
{
	return rg_error_new(RG_E_USAGE, "a history on ClickHouse: this build of regild lacks it "
					"(it was made with WITH_CLICKHOUSE=0)");
}

rg_error *rg_history_clickhouse_open(rg_history_store **out, const char *address,
				     const rg_history_access *access)
{
	(void)address, (void)access;
	*out = NULL;
	return no_clickhouse();
}

rg_error *rg_history_ddl(rg_buf *out, const char *database, const rg_history_layout *layout,
			 bool migrate)
{
	(void)out, (void)database, (void)layout, (void)migrate;
	return no_clickhouse();
}

rg_error *rg_history_ddl_for(rg_buf *out, const char *address, const rg_history_access *access,
			     const rg_history_layout *layout, bool migrate)
{
	(void)out, (void)address, (void)access, (void)layout, (void)migrate;
	return no_clickhouse();
}

rg_error *rg_history_init(const char *address, const rg_history_access *access, bool migrate)
{
	(void)address, (void)access, (void)migrate;
	return no_clickhouse();
}

rg_error *rg_history_delete_removed(rg_buf *out, const char *address,
				    const rg_history_access *access)
{
	(void)out, (void)address, (void)access;
	return no_clickhouse();
}

#endif
