/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_HISTORY_SQLITE_READ_H
#define REGILD_STORE_HISTORY_SQLITE_READ_H

#include "store/sqlite.h"
#include "store/store.h"

/* How an SQLite history is read; for history_sqlite.c. */
extern const rg_store_sql rg_history_sqlite_sql;

/* Makes the views that statements read, of this connection alone: the file stays what it is. */
RG_CHECKED rg_error *rg_history_sqlite_prepare(rg_sqlite *db);
RG_CHECKED rg_error *rg_history_sqlite_select(rg_sqlite *db, const char *sql,
					      const rg_row_reader *reader);
/* As rg_history_ask has it. */
RG_CHECKED rg_error *rg_history_sqlite_ask(rg_sqlite *db, const char *sql,
					   const rg_reply_taker *taker);

#endif
