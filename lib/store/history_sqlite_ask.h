/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_HISTORY_SQLITE_ASK_H
#define REGILD_STORE_HISTORY_SQLITE_ASK_H

#include "store/question.h"
#include "store/sqlite.h"

/* As rg_history_ask has it, of the history in `db`. */
RG_CHECKED rg_error *rg_history_sqlite_ask(rg_sqlite *db, const rg_question *question,
					   const rg_reply_taker *taker);

#endif
