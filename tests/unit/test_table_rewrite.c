/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "golden/table_merge.h"
#include "golden/table_rewrite.h"
#include "golden/table_round.h"

#include <string.h>

static const char *const by_name[] = {"name"};
static const char *const by_two[] = {"a,b"};
static const rg_table_rule keyed = {.pattern = "*.csv", .keys = by_name, .key_count = 1};
static const rg_table_rule two_keys = {.pattern = "*.csv", .keys = by_two, .key_count = 1};
static const rg_table_rule bare = {.pattern = "*.csv",
				   .header = RG_HEADER_NO,
				   .names = "name,metric,value,tolerance",
				   .metric = "metric",
				   .value = "value",
				   .tolerance = "tolerance"};

static rg_bytes bytes_of(const char *text)
{
	return (rg_bytes){text, strlen(text)};
}

static void rewrites(const char *name, const rg_table_rule *rule, unsigned digits, const char *old,
		     const char *fresh, const char *wanted)
{
	const rg_table_manner manner = {name, rule, digits};

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_success(rg_table_rewrite(&out, bytes_of(old), bytes_of(fresh), &manner));
	assert_string_equal(out.data, wanted);
}

static void refuses(const rg_table_rule *rule, const char *old, const char *fresh,
		    const char *message)
{
	const rg_table_manner manner = {"t.csv", rule, 0};

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_error(rg_table_rewrite(&out, bytes_of(old), bytes_of(fresh), &manner), RG_E_PARSE,
		     message);
}

TEST(keeps_what_is_between)
{
	rewrites("t.csv", NULL, 0, "n,v\r\n\r\na,1\r\n\r\nb,2\r\n", "n,v\na,3\nb,2\nc,4\n",
		 "n,v\r\n\r\na,3\r\n\r\nb,2\r\n\r\nc,4\r\n");
	/* The file ends as it did. */
	rewrites("t.csv", NULL, 0, "n,v\na,1\nb,2", "n,v\na,1\nb,2\nc,3\n", "n,v\na,1\nb,2\nc,3");
	rewrites("t.csv", NULL, 0, "n,v\na,1\nb,2\n\n\n", "n,v\na,1\n", "n,v\na,1\n\n\n");
	rewrites("t.csv", NULL, 0, "n,v\na,1\n", "n,v\n", "n,v\n");
	rewrites("t.csv", NULL, 0, "n,v\n", "n,v\na,1\n", "n,v\na,1\n");
	rewrites("t.csv", NULL, 0, "\xef\xbb\xbfn,v\na,1\n", "n,v\na,2\n",
		 "\xef\xbb\xbfn,v\na,2\n");
	/* Most records have a blank line before them; one was forgotten. */
	rewrites("t.csv", NULL, 0, "n,v\n\na,1\n\nb,2\nc,3\n", "n,v\na,1\nx,9\nb,2\nc,3\n",
		 "n,v\n\na,1\n\nx,9\n\nb,2\nc,3\n");
}

TEST(keeps_the_order)
{
	rewrites("t.csv", NULL, 0, "n,v\nc,3\nb,2\na,1\n", "n,v\nx,0\na,1\ny,5\nz,6\nb,2\nw,7\n",
		 "n,v\nx,0\nb,2\nw,7\na,1\ny,5\nz,6\n");
	rewrites("t.csv", &keyed, 0, "v,name,w\n1,a,2\n", "name,u,w,v\na,7,8,9\n",
		 "v,name,u,w\n9,a,7,8\n");
	rewrites("t.csv", &two_keys, 0, "a,b,v\n1,1,x\n1,2,y\n", "a,b,v\n1,2,z\n1,1,x\n2,1,n\n",
		 "a,b,v\n1,1,x\n2,1,n\n1,2,z\n");
}

TEST(keeps_texts_of_numbers)
{
	rewrites("t.csv", NULL, 0, "n,v\na,1.50\nb,1e3\nc,0.1\nd,-0.0\n",
		 "n,v\na,1.5\nb,1000\nc,0.2\nd,0.0\n", "n,v\na,1.50\nb,1e3\nc,0.2\nd,0.0\n");
	/* As far as they are rounded. */
	rewrites("t.csv", NULL, 3, "n,v\na,1.2345\nb,1.2355\n", "n,v\na,1.23\nb,1.23\n",
		 "n,v\na,1.2345\nb,1.23\n");
	/* More than a double holds. */
	rewrites("t.csv", NULL, 0, "n,v\na,9007199254740993\n", "n,v\na,9007199254740992\n",
		 "n,v\na,9007199254740992\n");
	rewrites("t.csv", NULL, 0, "n,v\na,nan\nb,1_0\n", "n,v\na,NaN\nb,10\n",
		 "n,v\na,NaN\nb,10\n");
}

TEST(keeps_quotes_and_blanks)
{
	rewrites("t.csv", NULL, 0, "\"n\",\"v\"\n\"a\",\"1\"\n", "n,v\na,2\nb,\"x \"\"y\"\"\"\n",
		 "\"n\",\"v\"\n\"a\",\"2\"\n\"b\",\"x \"\"y\"\"\"\n");
	/* Where only what needs quotes has them. */
	rewrites("t.csv", NULL, 0, "n,v\na,\"1,5\"\nb,x\n", "n,v\na,2\nb,\"y,z\"\nc,\"q\"\n",
		 "n,v\na,2\nb,\"y,z\"\nc,q\n");
	rewrites("t.csv", NULL, 0, "n, v , w\na,  1 ,  x\n", "n,v,w\na,22,x\nb,3,y\n",
		 "n, v , w\na,  22 ,  x\nb,  3 ,  y\n");
	rewrites("t.txt", NULL, 0, "n\tv\na\t1 \n", "n\tv\na\t\"2\"\nb\t3\n",
		 "n\tv\na\t\"2\" \nb\t3 \n");
}

/* What is between cells, and what is no cell. */
TEST(keeps_manners_of_nearly_tables)
{
	static const rg_table_rule piped = {
		.pattern = "*", .delimiter = '|', .comment = "#", .skip = 1};
	static const rg_table_rule headless = {.pattern = "*", .header = RG_HEADER_NO};
	rewrites("t.csv", NULL, 0, "n;v\na;1\n", "n,v\na,\"x;y\"\nb,2\n", "n;v\na;\"x;y\"\nb;2\n");
	rewrites("t.txt", NULL, 0, "n\tv\tw\na\t1\nb\nc\t1\t2\n", "n\tv\tw\na\t2\nb\t\t\nc\t1\t3\n",
		 "n\tv\tw\na\t2\nb\nc\t1\t3\n");
	rewrites("t.txt", NULL, 0, "n\tv\tw\na\t1\n", "n\tv\tw\na\t\t3\n", "n\tv\tw\na\t\t3\n");
	rewrites("t.dat", &piped, 0, "took 5 s\nn|v\n# a \"b\na|1\n", "took 6 s\nn|v\na|2\nb|3\n",
		 "took 5 s\nn|v\n# a \"b\na|2\nb|3\n");
	rewrites("t.csv", &headless, 0, "a,1\nb,2\n", "b,3\na,1\n", "a,1\nb,3\n");
	rewrites("t.csv", NULL, 0, "1,2\n3,4\n", "3,5\n1,2\n", "1,2\n3,5\n");
	rewrites("t.csv", NULL, 0, "sep=;\nn; \"v\" \na;1\n", "n,v\na,2\n",
		 "sep=;\nn; \"v\" \na;2\n");
}

TEST(long_tables)
{
	rewrites("t.csv", &bare, 0, "a,count,10,0.1\n\na,time,2.0,0.1\n",
		 "x,count,1,0.2\na,time,2,0.1\na,count,11,0.1\n",
		 "x,count,1,0.2\n\na,count,11,0.1\n\na,time,2.0,0.1\n");
}

TEST(refuses_what_is_no_table)
{
	refuses(NULL, "n,v\na,1\n", "n,v\na,1,2\n", "line 2: 3 cells under 2 columns");
	refuses(&keyed, "name,v\na,1\na,2\n", "name,v\na,1\n", "two records are both 'a'");
	refuses(NULL, "n,m,v\na,b,1\n", "m,n,v\nb,a,1\n",
		"only one of the two has its records by column 'n': name the columns that tell "
		"them apart in .regild: [table \"t.csv\"] key = COLUMN,COLUMN");
	refuses(NULL, "n,n\n", "n,v\n", "two columns are both 'n'");
	refuses(NULL, "1,1\n1,2\n", "p,q\n1,1\n1,2\n",
		"only one of the two has a header: say which in .regild: [table \"t.csv\"] header");
	refuses(NULL, "", "n,v\n", "a table without a line");
	refuses(&bare, "a,count,1,0.1,2\n", "a,count,1,0.1\n", "line 1: 5 cells under 4 columns");
	/* Its first line has no delimiter, so the rest would be read with commas. */
	refuses(&bare, "a;count;1;2\nz\n", "z\nb,count,2,3\n",
		"its first line would be read with other delimiters; say which it has in .regild: "
		"[table \"t.csv\"] delimiter");
}

/* Where the first column names no record, others together do, or places. */
TEST(finds_a_key)
{
	/* The old order, quotes and texts of numbers stay. */
	rewrites("t.csv", NULL, 0, "n,k,v,w\na,\"x\",1.50,1\na,\"y\",2.5,2\n",
		 "n,k,v,w\na,y,2.75,2\na,x,1.5,1\nb,x,3.5,3\n",
		 "n,k,v,w\na,\"x\",1.50,1\nb,\"x\",3.5,3\na,\"y\",2.75,2\n");
	/* Only the new side needs it, or only the old one. */
	rewrites("t.csv", NULL, 0, "n,k,v\na,x,1.5\nb,x,2.50\n",
		 "n,k,v\nb,x,2.5\na,y,3.5\na,x,1.5\n", "n,k,v\na,x,1.5\nb,x,2.50\na,y,3.5\n");
	rewrites("t.csv", NULL, 0, "n,k,v\na,x,1.5\na,y,2.50\n", "n,k,v\na,y,2.5\n",
		 "n,k,v\na,y,2.50\n");
	/* By position, and if one side has more records, those at both ends that are the same. */
	rewrites("t.csv", NULL, 0, "p,q\n1.0, 1.5\n0,0.25\n1, 0.5\n", "p,q\n1,1.5\n0,0.5\n1,0.5\n",
		 "p,q\n1.0, 1.5\n0,0.5\n1, 0.5\n");
	rewrites("t.csv", NULL, 0, "p,q\n1, 1\n\n0, 2\n1, 3\n", "p,q\n1,1\n1,3\n",
		 "p,q\n1, 1\n1, 3\n");
	rewrites("t.csv", NULL, 0, "p,q\n1, 1\n1, 3\n", "p,q\n1,1\n0,2\n1,3\n",
		 "p,q\n1, 1\n0, 2\n1, 3\n");
	/* A record without a name. */
	rewrites("t.csv", NULL, 0, "n,v\na,1.50\n,2\n", "n,v\na,1.5\n,3\n", "n,v\na,1.50\n,3\n");
}

static void splices(const char *metric, const rg_table_rule *rule, const char *old,
		    const char *fresh, const char *wanted)
{
	const rg_table_manner manner = {"t.csv", rule, 0};
	bool found;

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_success(
		rg_table_splice(&out, bytes_of(old), bytes_of(fresh), &manner, metric, &found));
	assert_int_equal(found, wanted != NULL);
	assert_string_equal(out.data, wanted ? wanted : "");
}

TEST(takes_one_metric)
{
	splices("v", NULL, "n,u,v\na,1,1\nb,1,1\n", "n,v,u\nc,2,2\na,3,3\n",
		"n,u,v\na,1,3\nb,1,1\n");
	splices("w", NULL, "n,v\na,1\n", "n,v,w\na,1,2\n", NULL);
	splices("v", NULL, "n,k,u,v\na,x,1,1.5\na,y,1,2.5\n", "n,k,u,v\na,y,2,3.5\na,x,2,1.5\n",
		"n,k,u,v\na,x,1,1.5\na,y,1,3.5\n");
	splices("q", NULL, "p,q,r\n1,1,1\n1,2,2\n", "p,q,r\n0,3,3\n0,4,4\n",
		"p,q,r\n1,3,1\n1,4,2\n");
	splices("v", NULL, "n,v\na,1\n", "n,w\na,1\n", NULL);
	splices("v", NULL, "n,v\na,1\n", "n,v\nb,2\n", NULL);
	splices("n", NULL, "n,v\na,1\n", "n,v\na,2\n", NULL);
	splices("time", &bare, "a,count,10,0.1\na,time,2,0.1\n",
		"b,time,9,0.1\na,time,3,0.5\na,count,11,0.5\n", "a,count,10,0.1\na,time,3,0.1\n");
}

/* --- merging --- */

static void merges(const rg_table_shape *shape, const char *const *shards, size_t count,
		   const char *wanted)
{
	rg_table_shard list[4];
	size_t clash[2], i;

	for (i = 0; i < count; i++)
		list[i] = (rg_table_shard){"s.csv", bytes_of(shards[i])};
	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_success(rg_table_merge(&out, list, count, shape, clash));
	assert_string_equal(out.data, wanted);
}

/* Two shards for which nobody says what names their records. */
static void refuses_parts(const char *a, const char *b, rg_error_code code, const char *message)
{
	const rg_table_shard list[] = {{"s.csv", bytes_of(a)}, {"s.csv", bytes_of(b)}};
	const rg_table_shape shape = {.name = "t.csv"};
	size_t clash[2];

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_error(rg_table_merge(&out, list, 2, &shape, clash), code, message);
}

static void clashes(const rg_table_shape *shape, const char *a, const char *b, rg_error_code code,
		    const char *message)
{
	const rg_table_shard list[] = {{"s.csv", bytes_of("name,v\nz,0\n")},
				       {"s.csv", bytes_of(a)},
				       {"s.csv", bytes_of(b)}};
	size_t clash[2];

	RG_AUTO(rg_buf) out = rg_buf_of(RG_BUF_TEXT);
	assert_error(rg_table_merge(&out, list, 3, shape, clash), code, message);
	assert_int_equal(clash[1], code == RG_E_CONFLICT ? 2 : 0);
}

TEST(merges_shards)
{
	const char *const two[] = {"name,v\n\na,1\n\nb,2",
				   "name,v\r\n\r\nb,2.0\r\n\r\nc,\"3\"\r\n"};
	const char *const blanks[] = {"name,v\na, 1.23456\n", "name,v\nb,\n"};
	/* Blank to their own table, and records to one with semicolons. */
	const char *const marks[] = {"name;v\n;\na;1\n", "name,v\n\n,\nb,2\n"};
	const char *const skipped[] = {"made\n#by\na,1\n", "made\n#by\nb,2\n"};
	const rg_table_rule bare_skip = {
		.pattern = "*", .header = RG_HEADER_NO, .names = "n,v", .comment = "#", .skip = 1};
	const rg_table_shape second = {.name = "t.csv", .rule = &bare_skip};
	const rg_table_shape plain = {.name = "t.csv", .rule = &keyed};
	const rg_table_shape tabs = {.name = "t.tsv", .rule = &keyed};
	const rg_table_shape rounded = {.name = "t.csv", .rule = &keyed, .digits = 3};

	merges(&plain, two, 2, "name,v\n\na,1\n\nb,2\n\r\nc,\"3\"");
	merges(&plain, two, 1, two[0]);
	merges(&tabs, blanks, 2, "name\tv\na\t1.23456\nb\t\n");
	merges(&plain, marks, 2, "name;v\n;\na;1\n\nb;2\n");
	merges(&tabs, marks, 2, "name\tv\na\t1\n\nb\t2\n");
	merges(&second, skipped, 2, "made\n#by\na,1\nb,2\n");
	merges(&rounded, blanks, 2, "name,v\na, 1.23\nb,\n");
	/* A remark of the second shard would be a record of a table without remarks. */
	const char *const remarks[] = {"name,v\na,1\n", "# made\nname,v\n#by,2\nb,2\n"};
	merges(&plain, remarks, 2, "name,v\na,1\nb,2\n");
	/* The first shard's records take a column more, and so do all. */
	const char *const found[] = {"n,k,v\na,x,1.5\na,y,2.5\n", "n,k,v\na,y,2.5\nb,x,3.5\n"};
	const char *const places[] = {"p,v\n1,1\n1,2\n"};
	const rg_table_shape unkeyed = {.name = "t.csv"};
	merges(&unkeyed, found, 2, "n,k,v\na,x,1.5\na,y,2.5\nb,x,3.5\n");
	merges(&unkeyed, places, 1, places[0]);
}

TEST(chooses_columns)
{
	const char *const one[] = {"dev,name,v,12345\ncpu,1.23456,x,1.23456\ncpu,a,y,0.50\n"};
	const rg_table_shape shape = {
		.name = "t.csv", .rule = &keyed, .columns = "name, 12345", .digits = 3};
	const rg_table_shape unkeyed = {.name = "t.csv", .columns = "name"};

	/* What names records and columns is not rounded. */
	merges(&shape, one, 1, "name,12345\n1.23456,1.23\na,0.5\n");
	merges(&unkeyed, one, 1, "name\n1.23456\na\n");
}

TEST(names_what_clashes)
{
	const rg_table_shape shape = {.name = "t.csv", .rule = &keyed};
	const rg_table_shape columns = {.name = "t.csv", .rule = &keyed, .columns = "name,w"};

	clashes(&shape, "name,v\na,1\n", "name,v\na,2\n", RG_E_CONFLICT,
		"record 'a' has '1' and '2' under 'v'");
	clashes(&shape, "name,v\n", "name,w\n", RG_E_CONFLICT, "only one has a column 'v'");
	clashes(&shape, "name,v\n", "v,name\n", RG_E_CONFLICT,
		"their columns are not in the same order");
	clashes(&shape, "name,v\na,1,2\n", "name,v\n", RG_E_PARSE,
		"line 2: 3 cells under 2 columns");
	clashes(&columns, "name,v\n", "name,v\n", RG_E_PARSE, "has no column 'w'");
	refuses_parts("n,k,v\na,x,1.5\na,y,2.5\n", "n,k,v\na,x,2.5\n", RG_E_CONFLICT,
		      "record 'a,x' has '1.5' and '2.5' under 'v'");
	refuses_parts("p,v\n1,1\n1,2\n", "p,v\n1,1\n", RG_E_PARSE,
		      "its first column, 'p', is there twice with the same value: name the columns "
		      "that tell its records apart in .regild: [table \"t.csv\"] key = "
		      "COLUMN,COLUMN");
}

/* --- numbers --- */

static void rounds(const char *text, unsigned digits, const char *wanted)
{
	const rg_table_cell cell = {text, strlen(text), text, strlen(text)};
	const char *rounded;
	rg_arena arena;
	size_t length;

	rg_arena_init(&arena);
	rg_table_round(&cell, digits, &arena, &rounded, &length);
	assert_int_equal(length, strlen(wanted));
	assert_memory_equal(rounded, wanted, length);
	rg_arena_release(&arena);
}

TEST(rounds_numbers)
{
	rounds("1.23456789", 6, "1.23457");
	rounds("0.1000000001", 6, "0.1");
	rounds("1e-7", 6, "1e-07");
	rounds("2.0", 6, "2.0");
	rounds("99999.99", 3, "100000.0");
	/* An integer stays one. */
	rounds("3066123456", 4, "3066000000");
	rounds("-15", 1, "-20");
	rounds("0", 3, "0");
	rounds("12", 6, "12");
	rounds("12345678901234567890123", 17, "12345678901234568000000");
	rounds("1.7976931348623157e308", 1, "1.7976931348623157e308");
	rounds("nan", 3, "nan");
	rounds("pass", 3, "pass");
	rounds("0x10", 3, "0x10");
	rounds("1.23456", 0, "1.23456");
}
