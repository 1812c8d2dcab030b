/* SPDX-License-Identifier: Apache-2.0 */
#include "store/history_tables.h"

#include "base/memory.h"
#include "store/store.h"

#include <stdlib.h>
#include <string.h>

enum { VERSION = 4 };

#define CURRENT                                                   \
	"kind = 'series' AND batch GLOBAL IN (SELECT batch FROM " \
	"{database}.current_runs)"

/* What a row of an audit is of. */
#define SERIES_OF                  \
	"    repository String,\n" \
	"    file String,\n"       \
	"    metric String,\n"     \
	"    runs_of String,\n"    \
	"    made String,\n"       \
	"    made_at DateTime('UTC') DEFAULT parseDateTimeBestEffortOrZero(made, 'UTC'),\n"
#define BY_SERIES                          \
	"PARTITION BY toYYYYMM(made_at)\n" \
	"ORDER BY (repository, file, metric, made)"

/* {x} are filled in: see add_value. ClickHouse 18.16 takes all of it. */
static const char *const statements[] = {
	"CREATE DATABASE IF NOT EXISTS {database}",

	"CREATE TABLE IF NOT EXISTS {database}.runs{local} (\n"
	"    repository String,\n"
	"    source String,\n"
	"    settings String,\n"
	"    id UInt64,\n"
	"    attempt UInt32,\n"
	"    commit String,\n"
	"    branch String,\n"
	"    event String,\n"
	"    when_text String,\n"
	"    `when` DateTime('UTC') DEFAULT parseDateTimeBestEffortOrZero(when_text, 'UTC'),\n"
	"    fork UInt8,\n"
	"    complete UInt8,\n"
	"    removed UInt8,\n"
	"    goldens UInt32,\n"
	"    rows UInt64,\n"
	"    revision UInt32,\n"
	"    batch Int64\n"
	") ENGINE = {engine:runs}\n"
	"PARTITION BY toYYYYMM(`when`)\n"
	"ORDER BY (repository, `when`, id)",

	"CREATE TABLE IF NOT EXISTS {database}.series{local} (\n"
	"    repository String,\n"
	"    run UInt64,\n"
	"    commit String,\n"
	"    branch String,\n"
	"    when_text String,\n"
	"    `when` DateTime('UTC') DEFAULT parseDateTimeBestEffortOrZero(when_text, 'UTC'),\n"
	"    file String,\n"
	"    test String DEFAULT extract(file, '([^/]*)/[^/]*$'),\n"
	"    variant String DEFAULT extract(file, '/golden_values_([^/]*)[.][^./]*$'),\n"
	"    kind Enum8('golden' = 0, 'series' = 1, 'text' = 2),\n"
	"    metric String,\n"
	"    steps Array(Int64),\n"
	"    `values` Array(Float64),\n"
	"    text String,\n"
	"    records Array(String),\n"
	"    metrics UInt32,\n"
	"    sha256 String,\n"
	"    bytes UInt64,\n"
	"    not_finite UInt64,\n"
	"    mean Float64,\n"
	"    minimum Float64,\n"
	"    maximum Float64,\n"
	"    last_value Float64,\n"
	"    batch Int64\n"
	") ENGINE = {engine:series}\n"
	"PARTITION BY toYYYYMM(`when`)\n"
	"ORDER BY (repository, file, metric, `when`)",

	"CREATE TABLE IF NOT EXISTS {database}.verdicts{local} (\n" SERIES_OF
	"    verdict String,\n"
	"    runs UInt64,\n"
	"    spread Float64,\n"
	"    tolerance Float64,\n"
	"    failed_today UInt64,\n"
	"    failed_recommended UInt64,\n"
	"    breaks UInt64\n"
	") ENGINE = {engine:verdicts}\n" BY_SERIES,

	"CREATE TABLE IF NOT EXISTS {database}.breaks{local} (\n" SERIES_OF "    run UInt64,\n"
	"    commit String,\n"
	"    when_text String,\n"
	"    before UInt64,\n"
	"    after UInt64,\n"
	"    shift Float64,\n"
	"    p Float64\n"
	") ENGINE = {engine:breaks}\n" BY_SERIES,

	"{cluster?}CREATE TABLE IF NOT EXISTS {database}.runs AS {database}.runs_local\n"
	"ENGINE = Distributed({cluster}, {database}, runs_local, cityHash64(repository, id))",

	"{cluster?}CREATE TABLE IF NOT EXISTS {database}.series AS {database}.series_local\n"
	"ENGINE = Distributed({cluster}, {database}, series_local, cityHash64(file))",

	"{cluster?}CREATE TABLE IF NOT EXISTS {database}.verdicts AS {database}.verdicts_local\n"
	"ENGINE = Distributed({cluster}, {database}, verdicts_local, cityHash64(file))",

	"{cluster?}CREATE TABLE IF NOT EXISTS {database}.breaks AS {database}.breaks_local\n"
	"ENGINE = Distributed({cluster}, {database}, breaks_local, cityHash64(file))",

	"CREATE VIEW IF NOT EXISTS {database}.current_runs AS\n"
	"SELECT repository, source, settings, id, attempt, commit, branch, event, `when`,\n"
	"    when_text, fork, complete, goldens, rows, batch\n"
	"FROM (SELECT * FROM {database}.runs\n" RG_HISTORY_NEWEST ")\n"
	"WHERE removed = 0",

	"CREATE VIEW IF NOT EXISTS {database}.current_series AS\n"
	"SELECT repository, run, commit, branch, when_text, file, metric,\n"
	"    length(steps) AS n_steps,\n"
	"    if(notEmpty(steps), steps[1], 0) AS first_step,\n"
	"    if(notEmpty(steps), steps[-1], 0) AS last_step, not_finite,\n"
	"    {number:mean}, {number:minimum},\n"
	"    {number:maximum}, {number:last_value}\n"
	"FROM {database}.series\n"
	"WHERE " CURRENT "\n"
	"LIMIT 1 BY batch, file, metric",

	"CREATE VIEW IF NOT EXISTS {database}.values_long AS\n"
	"SELECT repository, run, commit, branch, when_text, file, metric, step, value\n"
	"FROM (SELECT * FROM {database}.series WHERE " CURRENT " LIMIT 1 BY batch, file, metric)\n"
	"ARRAY JOIN steps AS step, `values` AS value",

	"CREATE VIEW IF NOT EXISTS {database}.last_verdicts AS\n"
	"SELECT repository, file, metric, runs_of, made, verdict, runs,\n"
	"    {number:spread}, {number:tolerance},\n"
	"    failed_today, failed_recommended, breaks\n"
	"FROM (SELECT * FROM {database}.verdicts\n"
	"    ORDER BY repository, file, metric, runs_of, made DESC\n"
	"    LIMIT 1 BY repository, file, metric, runs_of)",

	"CREATE VIEW IF NOT EXISTS {database}.last_breaks AS\n"
	"SELECT repository, file, metric, runs_of, made, run, commit, when_text, before, after,\n"
	"    {number:shift}, {number:p}\n"
	"FROM {database}.breaks\n"
	"WHERE (repository, file, metric, runs_of, made) GLOBAL IN\n"
	"    (SELECT repository, file, metric, runs_of, made FROM {database}.last_verdicts)\n"
	"LIMIT 1 BY repository, file, metric, runs_of, run",

	"CREATE VIEW IF NOT EXISTS {database}.schema_version AS SELECT toUInt32({version}) AS "
	"version",
};
#define STATEMENTS (sizeof(statements) / sizeof(*statements))

typedef struct {
	const char *database;
	const rg_history_layout *layout;
	bool migrate; /* tables of the version before are no error */
} filling;

/* `table` ends with a brace. */
static void add_engine(rg_buf *out, const filling *with, const char *table)
{
	int length = (int)strcspn(table, "}");
	if (with->layout->replicated)
		rg_buf_printf(out,
			      "ReplicatedMergeTree('/clickhouse/tables/{shard}/%s/%.*s', "
			      "'{replica}')",
			      with->database, length, table);
	else
		rg_buf_str(out, "MergeTree()");
}

/* As SQLite has what is no number: no maximum hides it, and it sorts alike. `column` likewise. */
static void add_number(rg_buf *out, const char *column)
{
	int length = (int)strcspn(column, "}");
	rg_buf_printf(out, "if(isFinite(%.*s), %.*s, NULL) AS %.*s", length, column, length, column,
		      length, column);
}

/* Appends what stands for a field; `name` is what comes after its brace. */
static void add_value(rg_buf *out, const filling *with, const char *name)
{
	if (!strncmp(name, "database}", 9))
		rg_buf_str(out, with->database);
	else if (!strncmp(name, "local}", 6))
		rg_buf_str(out, with->layout->cluster ? "_local" : "");
	else if (!strncmp(name, "cluster}", 8))
		rg_buf_str(out, with->layout->cluster);
	else if (!strncmp(name, "engine:", 7))
		add_engine(out, with, name + 7);
	else if (!strncmp(name, "number:", 7))
		add_number(out, name + 7);
	else if (!strncmp(name, "version}", 8))
		rg_buf_printf(out, "%d", VERSION);
}

/* One statement without its semicolon; nothing where the layout does not need it. */
static void add_statement(rg_buf *out, const filling *with, const char *text)
{
	static const char if_cluster[] = "{cluster?}";
	if (!strncmp(text, if_cluster, strlen(if_cluster))) {
		if (!with->layout->cluster)
			return;
		text += strlen(if_cluster);
	}
	while (*text) {
		size_t length = strcspn(text, "{");
		rg_buf_add(out, text, length);
		text += length;
		if (!*text)
			break;
		add_value(out, with, text + 1);
		text += strcspn(text, "}") + 1;
	}
}

/* A cluster's name goes into statements as it is. */
static rg_error *check_layout(const rg_history_layout *layout)
{
	const char *name = layout->cluster;
	if (!name && layout->replicated)
		return rg_error_new(RG_E_USAGE, "--replicated goes with --cluster");
	if (!name || (*name && !name[strspn(name, "abcdefghijklmnopqrstuvwxyz"
						  "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789")]))
		return NULL;
	return rg_error_new(RG_E_USAGE,
			    "--cluster: a name has letters, digits and underscores alone");
}

rg_error *rg_history_ddl(rg_buf *out, const char *database, const rg_history_layout *layout)
{
	const filling with = {database, layout, false};
	size_t before;

	RG_TRY(check_layout(layout));
	for (size_t i = 0; i < STATEMENTS; i++) {
		before = out->length;
		add_statement(out, &with, statements[i]);
		if (out->length > before)
			rg_buf_str(out, ";\n\n");
	}
	return rg_buf_check(out, "the statements");
}

/* ---- the version ---- */

static rg_error *read_version(void *context, const rg_row_cell *cells)
{
	uint64_t *version = context;
	*version = cells[0].number;
	return NULL;
}

static rg_error *ask_version(rg_clickhouse *server, uint64_t *version)
{
	const rg_row_reader reader = {
		.types = "d", .row = read_version, .context = version, .most = RG_ANSWER_FEW};
	*version = 0;
	return rg_clickhouse_select(server, "its version", "SELECT version FROM schema_version",
				    &reader);
}

static rg_error *judge_version(const rg_clickhouse *server, uint64_t version)
{
	if (version == VERSION)
		return NULL;
	if (version == VERSION - 1)
		return rg_error_new(RG_E_CONFLICT,
				    "%s: the tables of '%s' are of version %llu; 'regild history "
				    "migrate' brings them to version %d",
				    rg_clickhouse_host(server), rg_clickhouse_database(server),
				    (unsigned long long)version, VERSION);
	return rg_error_new(RG_E_CONFLICT,
			    "%s: the tables of '%s' are of version %llu, and this regild knows "
			    "version %d alone; use the regild that made them, or another database",
			    rg_clickhouse_host(server), rg_clickhouse_database(server),
			    (unsigned long long)version, VERSION);
}

rg_error *rg_history_check_version(rg_clickhouse *server)
{
	uint64_t version;
	RG_TRY(ask_version(server, &version));
	return judge_version(server, version);
}

/* ---- the hosts that have them ---- */

/* Gets the history's address on a host, and that of the database that every server has. */
typedef rg_error *host_fn(void *context, const char *own, const char *first,
			  const rg_history_access *access);

/* *out: the address of a database on another host, or on the address' own where `host` is NULL. */
static char *address_at(const char *address, const char *host, const char *database)
{
	const char *from = strstr(address, "://") + 3;
	size_t length = strcspn(from, "/");

	if (!host)
		return rg_textf("%.*s/%s", (int)(from + length - address), address, database);
	return rg_textf("%.*s%s/%s", (int)(from - address), address, host, database);
}

typedef struct {
	const char **items;
	size_t count, capacity;
	uint64_t shared; /* so many servers are at one of them */
	rg_arena arena;
} host_list;

static void begin_hosts(void *context)
{
	((host_list *)context)->count = 0;
}

static rg_error *add_host(void *context, const rg_row_cell *cells)
{
	host_list *list = context;
	rg_grow(&list->items, &list->capacity, list->count + 1, sizeof(*list->items));
	if (cells[1].number > 1)
		list->shared = cells[1].number;
	return rg_row_copy(&cells[0], &list->arena, &list->items[list->count++]);
}

static rg_error *check_hosts(const host_list *list, const char *cluster,
			     const rg_clickhouse *server)
{
	if (!list->count)
		return rg_error_new(RG_E_NOTFOUND, "%s: knows no cluster '%s'",
				    rg_clickhouse_host(server), cluster);
	if (!list->shared)
		return NULL;
	return rg_error_new(RG_E_USAGE,
			    "%s: the cluster '%s' has %llu servers at one address; name each with "
			    "--host HOST:PORT",
			    rg_clickhouse_host(server), cluster, (unsigned long long)list->shared);
}

/* Each with the port at which the address asks. */
static rg_error *list_hosts(host_list *list, const char *cluster, rg_clickhouse *server)
{
	const char *port = strrchr(rg_clickhouse_host(server), ':');
	const rg_row_reader reader = {"sq", begin_hosts, add_host, list, RG_ANSWER_FEW};
	rg_buf sql;

	rg_buf_init(&sql, RG_BUF_TEXT);
	rg_buf_str(&sql, "SELECT concat(if(position(host_name, ':') = 0, host_name, "
			 "concat('[', host_name, ']')), ");
	rg_clickhouse_quote(&sql, port);
	rg_buf_str(&sql, ") AS host, uniqExact(port) FROM system.clusters WHERE cluster = ");
	rg_clickhouse_quote(&sql, cluster);
	rg_buf_str(&sql, " GROUP BY host ORDER BY host");
	rg_error *err = rg_buf_check(&sql, "the cluster");
	if (!err)
		err = rg_clickhouse_select(server, "the cluster", sql.data, &reader);
	rg_buf_release(&sql);
	return err ? err : check_hosts(list, cluster, server);
}

static rg_error *find_hosts(host_list *list, const rg_history_hosts *where)
{
	const rg_history_access *access = where->access;
	rg_clickhouse *server;

	char *first = address_at(where->address, NULL, "default");
	rg_error *err = rg_clickhouse_open(&server, first, &access->http, access->insecure);
	if (!err)
		err = list_hosts(list, where->cluster, server);
	rg_clickhouse_free(server);
	free(first);
	return err;
}

static rg_error *visit_host(const rg_history_hosts *where, const char *host, host_fn *visit,
			    void *context)
{
	char *own = NULL, *first = NULL;
	own = address_at(where->address, host, strrchr(where->address, '/') + 1);
	first = address_at(where->address, host, "default");

	rg_error *err = visit(context, own, first, where->access);
	free(first);
	free(own);
	return err;
}

/* One after the other, up to an error. */
static rg_error *each_host(const rg_history_hosts *where, host_fn *visit, void *context)
{
	const char *const own = NULL, *const *hosts = where->host_count ? where->hosts : &own;
	size_t count = where->host_count ? where->host_count : 1;
	host_list found = {0};
	rg_error *err = NULL;

	rg_arena_init(&found.arena);
	if (where->cluster && !where->host_count) {
		err = find_hosts(&found, where);
		hosts = found.items;
		count = found.count;
	}
	for (size_t i = 0; !err && i < count; i++)
		err = visit_host(where, hosts[i], visit, context);
	rg_arena_release(&found.arena);
	free(found.items);
	return err;
}

/* ---- making the tables ---- */

static rg_error *run_statements(const filling *with, const char *address,
				const rg_history_access *access)
{
	rg_clickhouse *server;
	rg_error *err;
	rg_buf sql;
	size_t i;

	RG_TRY(rg_clickhouse_open(&server, address, &access->http, access->insecure));
	rg_buf_init(&sql, RG_BUF_TEXT);
	for (err = NULL, i = 0; !err && i < STATEMENTS; i++) {
		rg_buf_clear(&sql);
		add_statement(&sql, with, statements[i]);
		err = rg_buf_check(&sql, "a statement");
		if (!err && sql.length)
			err = rg_clickhouse_run(server, "the tables", sql.data);
	}
	rg_buf_release(&sql);
	rg_clickhouse_free(server);
	return err;
}

/* The last of what a migration does: it says that the others are done. */
static rg_error *forget_version(const char *address, const rg_history_access *access)
{
	rg_clickhouse *server;
	RG_TRY(rg_clickhouse_open(&server, address, &access->http, access->insecure));
	rg_error *err = rg_clickhouse_run(server, "its version", "DROP TABLE schema_version");
	rg_clickhouse_free(server);
	return err;
}

/* What there is on a host: a database, and tables of the version before, to migrate. */
typedef struct {
	bool database, before;
} host_state;

/* Tables that are there are ours, or left alone. */
static rg_error *look_at_host(host_state *out, const filling *with, const char *address,
			      const rg_history_access *access)
{
	uint64_t version, one;
	const rg_row_reader reader = {
		.types = "b", .row = read_version, .context = &one, .most = RG_ANSWER_FEW};
	rg_clickhouse *server;

	*out = (host_state){0};
	RG_TRY(rg_clickhouse_open(&server, address, &access->http, access->insecure));
	rg_error *err = ask_version(server, &version);
	out->before = !err && with->migrate && version == VERSION - 1;
	if (!err && !out->before)
		err = judge_version(server, version);
	if (err && rg_error_get_code(err) == RG_E_NOTFOUND) {
		rg_error_free(err);
		err = rg_clickhouse_select(server, "the database", "SELECT 1", &reader);
	}
	out->database = !err;
	rg_clickhouse_free(server);
	if (!err || rg_error_get_code(err) != RG_E_NOTFOUND)
		return err;
	rg_error_free(err);
	return NULL;
}

/* Where the database is not there yet, another one is asked to make it: the statements name theirs.
 */
static rg_error *init_host(void *context, const char *own, const char *first,
			   const rg_history_access *access)
{
	const filling *with = context;
	host_state state;

	RG_TRY(look_at_host(&state, with, own, access));
	RG_TRY(run_statements(with, state.database ? own : first, access));
	if (state.before) {
		RG_TRY(forget_version(own, access));
		RG_TRY(run_statements(with, own, access));
	}
	rg_log_say(access->http.log, RG_LOG_INFO, "%s: the tables are there", own);
	return NULL;
}

static rg_error *make_tables(const char *address, const rg_history_access *access,
			     const rg_history_layout *layout, const char *const *hosts,
			     size_t host_count, bool migrate)
{
	const rg_history_hosts where = {address, access, layout->cluster, hosts, host_count};
	filling with = {NULL, layout, migrate};
	rg_clickhouse *server;

	RG_TRY(check_layout(layout));
	RG_TRY(rg_clickhouse_open(&server, address, &access->http, access->insecure));
	with.database = rg_clickhouse_database(server);
	rg_error *err = each_host(&where, init_host, &with);
	rg_clickhouse_free(server);
	return err;
}

rg_error *rg_history_init(const char *address, const rg_history_access *access,
			  const rg_history_layout *layout, const char *const *hosts,
			  size_t host_count)
{
	return make_tables(address, access, layout, hosts, host_count, false);
}

rg_error *rg_history_migrate(const char *address, const rg_history_access *access,
			     const rg_history_layout *layout, const char *const *hosts,
			     size_t host_count)
{
	return make_tables(address, access, layout, hosts, host_count, true);
}

/* ---- deleting what removed runs have left ---- */

/* Numbers of batches, in ascending order. */
typedef struct {
	rg_buf keys; /* "1,2,3" */
	size_t count;
	int64_t last;
} batch_list;

static void begin_batches(void *context)
{
	batch_list *list = context;
	rg_buf_clear(&list->keys);
	list->count = 0;
}

static rg_error *add_batch(void *context, const rg_row_cell *cells)
{
	batch_list *list = context;
	list->last = (int64_t)cells[0].number;
	rg_buf_printf(&list->keys, list->count++ ? ",%lld" : "%lld", (long long)list->last);
	return NULL;
}

/* Those after the last one that have rows here. */
static rg_error *find_batches(batch_list *list, rg_clickhouse *server, const char *table)
{
	const rg_row_reader reader = {"q", begin_batches, add_batch, list, RG_ANSWER_FEW};
	char *sql = rg_textf("SELECT DISTINCT batch FROM %s WHERE batch > %lld AND batch IN "
			     "(SELECT batch FROM runs WHERE removed = 1) ORDER BY batch LIMIT %d",
			     table, (long long)list->last, RG_STORE_KEYS);
	rg_error *err = rg_clickhouse_select(server, "removed runs", sql, &reader);
	free(sql);
	return err;
}

static rg_error *delete_batches(const batch_list *list, rg_clickhouse *server, const char *table)
{
	RG_TRY(rg_buf_check(&list->keys, "removed runs"));
	char *sql = rg_textf("ALTER TABLE %s.%s DELETE WHERE batch IN (%s)",
			     rg_clickhouse_database(server), table, list->keys.data);
	rg_error *err = rg_clickhouse_run(server, "deleting removed runs", sql);
	free(sql);
	return err;
}

static rg_error *delete_all(rg_clickhouse *server, const char *table, size_t *runs)
{
	batch_list list = {.last = 0};
	rg_error *err;

	*runs = 0;
	rg_buf_init(&list.keys, RG_BUF_TEXT);
	do {
		err = find_batches(&list, server, table);
		if (!err && list.count)
			err = delete_batches(&list, server, table);
		*runs += list.count;
	} while (!err && list.count == RG_STORE_KEYS);
	rg_buf_release(&list.keys);
	return err;
}

static rg_error *delete_here(void *table, const char *own, const char *first,
			     const rg_history_access *access)
{
	rg_clickhouse *server;
	size_t runs;

	(void)first;
	RG_TRY(rg_clickhouse_open(&server, own, &access->http, access->insecure));
	rg_error *err = delete_all(server, table, &runs);
	rg_clickhouse_free(server);
	if (!err && runs)
		rg_log_say(access->http.log, RG_LOG_INFO,
			   "%s: deletes what %zu removed run%s had there", own, runs,
			   runs == 1 ? "" : "s");
	return err;
}

static rg_error *read_cluster(void *context, const rg_row_cell *cells)
{
	rg_buf *name = context;
	rg_buf_clear(name);
	rg_buf_add(name, cells[0].bytes, cells[0].size);
	return NULL;
}

/* Empty where they are not. */
static rg_error *find_cluster(const rg_history_hosts *where, rg_buf *name)
{
	const rg_history_access *access = where->access;
	const rg_row_reader reader = {"s", NULL, read_cluster, name, RG_ANSWER_FEW};
	rg_clickhouse *server;

	RG_TRY(rg_clickhouse_open(&server, where->address, &access->http, access->insecure));
	rg_error *err =
		rg_clickhouse_select(server, "the cluster",
				     "SELECT extract(engine_full, '^Distributed[(][^A-Za-z0-9_]*"
				     "([A-Za-z0-9_]+)') FROM system.tables "
				     "WHERE database = currentDatabase() AND name = 'series'",
				     &reader);
	rg_clickhouse_free(server);
	return err ? err : rg_buf_check(name, "the cluster");
}

rg_error *rg_history_delete_removed(const rg_history_hosts *where)
{
	static char spread[] = "series_local", whole[] = "series";
	rg_history_hosts hosts = *where;
	rg_buf name;

	rg_buf_init(&name, RG_BUF_TEXT);
	rg_error *err = find_cluster(where, &name);
	hosts.cluster = name.length ? name.data : NULL;
	if (!err)
		err = each_host(&hosts, delete_here, name.length ? spread : whole);
	rg_buf_release(&name);
	return err;
}
