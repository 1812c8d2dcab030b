/* SPDX-License-Identifier: Apache-2.0 */
#ifndef REGILD_STORE_CLICKHOUSE_H
#define REGILD_STORE_CLICKHOUSE_H

#include "base/cleanup.h"
#include "net/http.h"
#include "store/row_binary.h"

/*
 * A database on a ClickHouse server, asked over its HTTP interface. The user and password are
 * CLICKHOUSE_USER and CLICKHOUSE_PASSWORD, or come from ~/.netrc, and are in no message and no log.
 * Answers are held back by the server until they are whole: an error that comes late is noticed.
 * Safe for several threads.
 */
typedef struct rg_clickhouse rg_clickhouse;

/* "clickhouse://HOST[:PORT]/DATABASE", or clickhouses:// with TLS; of `http` nothing that names a
 * server or its user is read. RG_E_UNSAFE without TLS to another machine, unless `insecure`. */
RG_CHECKED rg_error *rg_clickhouse_open(rg_clickhouse **out, const char *address,
					const rg_http_options *http, bool insecure);
void rg_clickhouse_free(rg_clickhouse *server);
RG_FREE_AT(rg_clickhouse)
/* For messages and statements: letters, digits and underscores. */
const char *rg_clickhouse_database(const rg_clickhouse *server);
/* The address without the database, "clickhouse://HOST:PORT". */
const char *rg_clickhouse_host(const rg_clickhouse *server);

/* Appends a text as SQL's literal: the only way in which one comes into a statement. */
void rg_clickhouse_quote(rg_buf *sql, const char *text);

/* Runs a statement without rows, such as a CREATE; once. */
RG_CHECKED rg_error *rg_clickhouse_run(rg_clickhouse *server, const char *what, const char *sql);
/* Runs "INSERT INTO … FORMAT RowBinary" with these rows: they are on every shard, or it is an
 * error and some may be. Never tried again. */
RG_CHECKED rg_error *rg_clickhouse_insert(rg_clickhouse *server, const char *what, const char *sql,
					  const rg_buf *rows);

/* Runs a SELECT, which must not name a format. */
RG_CHECKED rg_error *rg_clickhouse_select(rg_clickhouse *server, const char *what, const char *sql,
					  const rg_row_reader *reader);
/* Runs one whose columns nobody here knows: `answer` gets lines of cells with tabs between them,
 * the names first and then the types. */
RG_CHECKED rg_error *rg_clickhouse_answer(rg_clickhouse *server, const char *what, const char *sql,
					  rg_buf *answer);

#endif
