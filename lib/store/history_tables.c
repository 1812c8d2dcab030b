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

/* A row of an audit is about this series. */
#define SERIES_OF                                                                             \
	"    repository String,\n    file String,\n    metric String,\n    runs_of String,\n" \
	"    made String,\n"                                                                  \
	"    made_at DateTime('UTC') DEFAULT parseDateTimeBestEffortOrZero(made, 'UTC'),\n"
#define BY_SERIES                          \
	"PARTITION BY toYYYYMM(made_at)\n" \
	"ORDER BY (repository, file, metric, made)"

/* {x} are filled in: see append_value. ClickHouse 18.16 takes all of it. */
static const char *const statements[] = {
	"CREATE DATABASE IF NOT EXISTS {database}",

	"CREATE TABLE IF NOT EXISTS {database}.runs{local} (\n"
	"    repository String,\n    source String,\n    settings String,\n    id UInt64,\n"
	"    attempt UInt32,\n    commit String,\n    branch String,\n    event String,\n"
	"    when_text String,\n"
	"    `when` DateTime('UTC') DEFAULT parseDateTimeBestEffortOrZero(when_text, 'UTC'),\n"
	"    fork UInt8,\n    complete UInt8,\n    removed UInt8,\n    goldens UInt32,\n"
	"    rows UInt64,\n    revision UInt32,\n    batch Int64\n"
	") ENGINE = {engine:runs}\n"
	"PARTITION BY toYYYYMM(`when`)\n"
	"ORDER BY (repository, `when`, id)",

	"CREATE TABLE IF NOT EXISTS {database}.series{local} (\n"
	"    repository String,\n    run UInt64,\n    commit String,\n    branch String,\n"
	"    when_text String,\n"
	"    `when` DateTime('UTC') DEFAULT parseDateTimeBestEffortOrZero(when_text, 'UTC'),\n"
	"    file String,\n"
	"    test String DEFAULT extract(file, '([^/]*)/[^/]*$'),\n"
	"    variant String DEFAULT extract(file, '/golden_values_([^/]*)[.][^./]*$'),\n"
	"    kind Enum8('golden' = 0, 'series' = 1, 'text' = 2),\n"
	"    metric String,\n    steps Array(Int64),\n    `values` Array(Float64),\n"
	"    text String,\n    records Array(String),\n    metrics UInt32,\n"
	"    sha256 String,\n    bytes UInt64,\n    not_finite UInt64,\n    mean Float64,\n"
	"    minimum Float64,\n    maximum Float64,\n    last_value Float64,\n    batch Int64\n"
	") ENGINE = {engine:series}\n"
	"PARTITION BY toYYYYMM(`when`)\n"
	"ORDER BY (repository, file, metric, `when`)",

	"CREATE TABLE IF NOT EXISTS {database}.verdicts{local} (\n" SERIES_OF
	"    verdict String,\n    runs UInt64,\n    spread Float64,\n    tolerance Float64,\n"
	"    failed_today UInt64,\n    failed_recommended UInt64,\n"
	"    breaks UInt64\n"
	") ENGINE = {engine:verdicts}\n" BY_SERIES,

	"CREATE TABLE IF NOT EXISTS {database}.breaks{local} (\n" SERIES_OF "    run UInt64,\n"
	"    commit String,\n    when_text String,\n    before UInt64,\n    after UInt64,\n"
	"    shift Float64,\n    p Float64\n"
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

	/* It says that the others are done. */
	"{migrate?}DROP TABLE IF EXISTS {database}.schema_version",

	"CREATE VIEW IF NOT EXISTS {database}.schema_version AS SELECT toUInt32({version}) AS "
	"version",
};
#define STATEMENTS (sizeof(statements) / sizeof(*statements))

typedef struct {
	const char *database;
	const rg_history_layout *layout;
	bool migrate; /* from the version before */
} ddl_state;

/* Appends the value of a field; `name` is what comes after its brace. */
static void append_value(rg_buf *out, const ddl_state *with, const char *name)
{
	const char *part = name + 7; /* of "engine:" and "number:" */
	int length = (int)strcspn(name, "}") - 7;

	if (!strncmp(name, "database}", 9))
		rg_buf_str(out, with->database);
	else if (!strncmp(name, "local}", 6))
		rg_buf_str(out, with->layout->cluster ? "_local" : "");
	else if (!strncmp(name, "cluster}", 8))
		rg_buf_str(out, with->layout->cluster);
	else if (!strncmp(name, "engine:", 7) && !with->layout->replicated)
		rg_buf_str(out, "MergeTree()");
	else if (!strncmp(name, "engine:", 7))
		rg_buf_printf(out,
			      "ReplicatedMergeTree('/clickhouse/tables/{shard}/%s/%.*s', "
			      "'{replica}')",
			      with->database, length, part);
	else if (!strncmp(name, "number:", 7)) /* NULL for NaN, as in SQLite: it sorts alike */
		rg_buf_printf(out, "if(isFinite(%.*s), %.*s, NULL) AS %.*s", length, part, length,
			      part, length, part);
	else if (!strncmp(name, "version}", 8))
		rg_buf_printf(out, "%d", VERSION);
}

/* One statement without its semicolon; nothing where the layout does not need it. */
static void append_statement(rg_buf *out, const ddl_state *with, const char *text)
{
	static const char if_cluster[] = "{cluster?}", if_migrate[] = "{migrate?}";
	bool spread = !strncmp(text, if_cluster, strlen(if_cluster));
	bool renews = !strncmp(text, if_migrate, strlen(if_migrate));
	if ((spread && !with->layout->cluster) || (renews && !with->migrate))
		return;
	text += spread || renews ? strcspn(text, "}") + 1 : 0;
	while (*text) {
		size_t length = strcspn(text, "{");
		rg_buf_add(out, text, length);
		text += length;
		if (!*text)
			break;
		append_value(out, with, text + 1);
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

rg_error *rg_history_ddl(rg_buf *out, const char *database, const rg_history_layout *layout,
			 bool migrate)
{
	const ddl_state with = {database, layout, migrate};
	size_t before;

	RG_TRY(check_layout(layout));
	for (size_t i = 0; i < STATEMENTS; i++) {
		before = out->length;
		append_statement(out, &with, statements[i]);
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

/* ---- the cluster ---- */

static rg_error *read_name(void *context, const rg_row_cell *cells)
{
	rg_buf *name = context;
	rg_buf_clear(name);
	rg_buf_add(name, cells[0].bytes, cells[0].size);
	return NULL;
}

/* The one over which the tables are spread; empty where they are not. RG_E_NOTFOUND where there is
 * no database. */
static rg_error *find_cluster(rg_clickhouse *server, rg_buf *name)
{
	const rg_row_reader reader = {"s", NULL, read_name, name, RG_ANSWER_FEW};
	RG_TRY(rg_clickhouse_select(server, "the cluster",
				    "SELECT extract(engine_full, '^Distributed[(][^A-Za-z0-9_]*"
				    "([A-Za-z0-9_]+)') FROM system.tables "
				    "WHERE database = currentDatabase() AND name = 'series'",
				    &reader));
	return rg_buf_check(name, "the cluster");
}

/* Appends a comment that names the servers which have to run the statements. */
static rg_error *name_hosts(rg_buf *out, rg_clickhouse *server, const char *cluster)
{
	RG_AUTO(rg_buf) hosts = rg_buf_of(RG_BUF_TEXT);
	RG_AUTO(rg_buf) sql = rg_buf_of(RG_BUF_TEXT);
	const rg_row_reader reader = {"s", NULL, read_name, &hosts, RG_ANSWER_FEW};

	rg_buf_str(&sql, "SELECT arrayStringConcat(groupArray(concat(host_name, ':', "
			 "toString(port))), ', ') FROM system.clusters WHERE cluster = ");
	rg_clickhouse_quote(&sql, cluster);
	RG_TRY(rg_buf_check(&sql, "the cluster"));
	RG_TRY(rg_clickhouse_select(server, "the cluster", sql.data, &reader));
	if (!hosts.length)
		return rg_error_new(RG_E_NOTFOUND, "%s: knows no cluster '%s'",
				    rg_clickhouse_host(server), cluster);
	RG_TRY(rg_buf_check(&hosts, "the cluster"));
	rg_buf_printf(out, "-- to run on each server of the cluster '%s': %s\n", cluster,
		      hosts.data);
	return NULL;
}

/* Opens the database that every server has: the one of the address may not be there yet. */
static rg_error *open_default(rg_clickhouse **out, const char *address,
			      const rg_history_access *access)
{
	RG_AUTO_FREE char *first =
		rg_textf("%.*s/default", (int)(strrchr(address, '/') - address), address);
	return rg_clickhouse_open(out, first, &access->http, access->insecure);
}

rg_error *rg_history_ddl_for(rg_buf *out, const char *address, const rg_history_access *access,
			     const rg_history_layout *layout, bool migrate)
{
	RG_AUTO_PTR(rg_clickhouse) own = NULL;
	RG_AUTO_PTR(rg_clickhouse) first = NULL;

	RG_TRY(check_layout(layout));
	RG_TRY(rg_clickhouse_open(&own, address, &access->http, access->insecure));
	RG_TRY(open_default(&first, address, access));
	RG_TRY(name_hosts(out, first, layout->cluster));
	return rg_history_ddl(out, rg_clickhouse_database(own), layout, migrate);
}

/* ---- making the tables ---- */

/* Tables of the version before are no error where they are brought up to date. */
static rg_error *check_before(ddl_state *with, rg_clickhouse *server)
{
	uint64_t version;
	rg_error *err = ask_version(server, &version);

	with->migrate = with->migrate && !err && version == VERSION - 1;
	if (!err)
		return with->migrate ? NULL : judge_version(server, version);
	if (rg_error_get_code(err) != RG_E_NOTFOUND)
		return err;
	rg_error_free(err);
	return NULL;
}

static rg_error *check_alone(rg_clickhouse *server)
{
	RG_AUTO(rg_buf) cluster = rg_buf_of(RG_BUF_TEXT);
	RG_TRY(find_cluster(server, &cluster));
	if (!cluster.length)
		return NULL;
	return rg_error_new(RG_E_USAGE,
			    "%s: the tables of '%s' are spread over the cluster '%s'; "
			    "--cluster %s prints the statements for each of its servers",
			    rg_clickhouse_host(server), rg_clickhouse_database(server),
			    cluster.data, cluster.data);
}

rg_error *rg_history_init(const char *address, const rg_history_access *access, bool migrate)
{
	static const rg_history_layout alone = {NULL, false};
	RG_AUTO_PTR(rg_clickhouse) server = NULL;
	RG_AUTO_PTR(rg_clickhouse) first = NULL;
	RG_AUTO(rg_buf) sql = rg_buf_of(RG_BUF_TEXT);

	RG_TRY(rg_clickhouse_open(&server, address, &access->http, access->insecure));
	ddl_state with = {rg_clickhouse_database(server), &alone, migrate};
	rg_error *err = check_before(&with, server);
	if (!err)
		err = check_alone(server);
	/* The statements name the database. */
	if (err && rg_error_get_code(err) == RG_E_NOTFOUND) {
		rg_error_free(err);
		err = open_default(&first, address, access);
	}
	RG_TRY(err);
	for (size_t i = 0; i < STATEMENTS; i++) {
		rg_buf_clear(&sql);
		append_statement(&sql, &with, statements[i]);
		RG_TRY(rg_buf_check(&sql, "a statement"));
		if (sql.length)
			RG_TRY(rg_clickhouse_run(first ? first : server, "the tables", sql.data));
	}
	rg_log_say(access->http.log, RG_LOG_INFO, "%s: the tables are there", address);
	return NULL;
}

/* ---- deleting what nobody reads any more ---- */

/* The numbers of batches, in ascending order. */
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

static rg_error *append_batch(void *context, const rg_row_cell *cells)
{
	batch_list *list = context;
	list->last = (int64_t)cells[0].number;
	rg_buf_printf(&list->keys, list->count++ ? ",%lld" : "%lld", (long long)list->last);
	return NULL;
}

static void batch_list_release(batch_list *list)
{
	rg_buf_release(&list->keys);
}

static rg_error *delete_all(rg_clickhouse *server, const char *cluster, rg_buf *out, size_t *runs)
{
	RG_AUTO(batch_list) list = {.keys = rg_buf_of(RG_BUF_TEXT)};
	const rg_row_reader reader = {"q", begin_batches, append_batch, &list, RG_ANSWER_FEW};

	*runs = 0;
	do {
		/* Batches after the last one that have series and once counted. */
		RG_AUTO_FREE char *find =
			rg_textf("SELECT DISTINCT batch FROM series WHERE batch > %lld AND "
				 "batch GLOBAL IN (SELECT batch FROM runs) AND "
				 "batch GLOBAL NOT IN (SELECT batch FROM current_runs) "
				 "ORDER BY batch LIMIT %d",
				 (long long)list.last, RG_STORE_KEYS);
		RG_TRY(rg_clickhouse_select(server, "removed runs", find, &reader));
		RG_TRY(rg_buf_check(&list.keys, "removed runs"));
		if (!list.count)
			break;
		RG_AUTO_FREE char *removal = rg_textf(
			"ALTER TABLE %s.series%s DELETE WHERE batch IN (%s)",
			rg_clickhouse_database(server), *cluster ? "_local" : "", list.keys.data);
		if (*cluster && !out->length)
			RG_TRY(name_hosts(out, server, cluster));
		if (*cluster)
			rg_buf_printf(out, "%s;\n", removal);
		else
			RG_TRY(rg_clickhouse_run(server, "deleting removed runs", removal));
		*runs += list.count;
	} while (list.count == RG_STORE_KEYS);
	return rg_buf_check(out, "the statements");
}

rg_error *rg_history_delete_removed(rg_buf *out, const char *address,
				    const rg_history_access *access)
{
	RG_AUTO_PTR(rg_clickhouse) server = NULL;
	RG_AUTO(rg_buf) cluster = rg_buf_of(RG_BUF_TEXT);
	size_t runs;

	RG_TRY(rg_clickhouse_open(&server, address, &access->http, access->insecure));
	RG_TRY(find_cluster(server, &cluster));
	RG_TRY(delete_all(server, cluster.data, out, &runs));
	if (runs && !cluster.length)
		rg_log_say(access->http.log, RG_LOG_INFO,
			   "%s: deletes what %zu run%s had that %s removed or put again", address,
			   runs, runs == 1 ? "" : "s", runs == 1 ? "was" : "were");
	return NULL;
}
