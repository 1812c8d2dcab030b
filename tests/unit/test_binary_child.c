/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "golden/binary/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* Fake libraries in a child, which is this program started again. */

static rg_error *load_nothing(void)
{
	return NULL;
}

static rg_error *load_missing(void)
{
	return rg_error_new(RG_E_IO, "this needs Debian's package libfake");
}

/* One variable of two numbers, and what is asked for by the file's first byte. */
static rg_error *read_fake(rg_wire *wire, const void *data, size_t size)
{
	const double values[] = {1, 2};
	rg_wire_item item = {
		.kind = RG_WIRE_VARIABLE, .dtype = RG_DTYPE_FLOAT64, .dimensions = 1, .shape = {2}};
	const char what = *(const char *)data;
	char *memory;

	if (what == 'h')
		for (;;)
			pause();
	if (what == 'm') {
		memory = malloc((size_t)10 << 30);
		if (memory)
			memset(memory, 1, (size_t)10 << 30);
		free(memory);
		return rg_error_new(RG_E_LIMIT, memory ? "it got 10 GB" : "it got no 10 GB");
	}
	if (what == 's')
		raise(SIGSEGV);
	if (what == 'x')
		_exit(7);
	if (what == 'o') {
		if (open("/etc/passwd", O_RDONLY) >= 0 || open("/dev/null", O_WRONLY) >= 0)
			return rg_error_new(RG_E_UNSAFE, "it opened a file");
		if (socket(AF_INET, SOCK_STREAM, 0) >= 0)
			return rg_error_new(RG_E_UNSAFE, "it opened a socket");
	}
	if (what == 'v' && getenv("REGILD_SECRET"))
		return rg_error_new(RG_E_UNSAFE, "it knows the environment");
	if (what == 'w')
		item.shape[0] = 3; /* not what its bytes are */
	if (what == 'd')
		item.dimensions = 1000;
	if (what == 'l')
		item.dtype = 77;
	if (what == 'f') { /* outside the file */
		rg_wire_in_file(wire, &item, "/x", "", 0, size - 8, 16);
		return NULL;
	}
	if (what == 'i') { /* texts in the file */
		item.values = RG_WIRE_TEXTS;
		rg_wire_in_file(wire, &item, "/x", "", 0, 0, 1);
		return NULL;
	}
	if (what == 'p' || what == 'b') { /* behind what is written, or before the item */
		item.offset = what == 'p' ? 1 << 20 : 8;
		item.size = 16;
		if (pwrite(wire->fd, &item, sizeof(item), 0) == sizeof(item))
			wire->at = wire->end = sizeof(item);
		return NULL;
	}
	if (what == 'q') { /* of no item */
		rg_wire_fail(wire, "it is broken");
		return NULL;
	}
	if (what == 'g') {
		rg_wire_begin(wire, &item, "/x", "", 0, (uint64_t)1 << 33);
		return NULL;
	}
	if (what == 'A')
		rg_wire_say(wire, RG_WIRE_GROUP, "", "");
	for (int i = 0; what == 'A' && i <= 1 << 16; i++)
		rg_wire_say(wire, RG_WIRE_ATTRIBUTE, "a", "it is broken");
	if (what == 'e') {
		rg_wire_begin(wire, &item, "/x", "", 0, 16);
		rg_wire_run(wire, 8, values, 8);
		rg_wire_fail(wire, "the rest is broken");
		return NULL;
	}
	if (what == 't') { /* more texts than there are */
		item.values = RG_WIRE_TEXTS;
		rg_wire_put(wire, &item, "/x", "a", 2);
		return NULL;
	}
	rg_wire_put(wire, &item, what == 'n' ? "/a\xff\x1b" : "/x", values, sizeof(values));
	return NULL;
}

static const rg_binary_reader fake = {.name = "fake",
				      .format = "FAKE",
				      .package = "libfake",
				      .load = load_nothing,
				      .read = read_fake,
				      .seconds = 1};
static const rg_binary_reader missing = {.name = "missing",
					 .format = "FAKE",
					 .package = "libfake",
					 .load = load_missing,
					 .read = read_fake};

/* Before the tests of the program: it may be a child. */
__attribute__((constructor)) static void serve(int argc, char **argv)
{
	if (argc != 3 || strcmp(argv[1], RG_CHILD_COMMAND) != 0)
		return;
	rg_child_main(strcmp(argv[2], "fake") != 0 ? &missing : &fake);
}

typedef struct {
	rg_golden golden;
	rg_golden_builder builder;
	rg_binary_file file;
	rg_error *err;
} reading;

static void read_with(reading *r, const rg_binary_reader *reader, const char *bytes)
{
	const rg_input in = {.name = "a.fake", .data = bytes, .size = strlen(bytes)};
	memset(r, 0, sizeof(*r));
	rg_child_program("/proc/self/exe");
	rg_arena_init(&r->golden.arena);
	rg_golden_builder_init(&r->builder, &r->golden, in.size);
	r->err = rg_binary_receive(&r->file, &r->builder, reader, &in);
}

static void release(reading *r)
{
	rg_golden_builder_release(&r->builder);
	rg_arena_release(&r->golden.arena);
	rg_error_free(r->err);
}

static void assert_reads(const char *bytes)
{
	reading r;
	read_with(&r, &fake, bytes);
	assert_success(r.err);
	assert_int_equal(r.file.count, 1);
	assert_string_equal(r.file.items[0].path, "/x");
	double values[2];
	rg_tensor_values(&r.file.items[0].tensor, 0, 2, values);
	assert_true(values[0] == 1 && values[1] == 2);
	release(&r);
}

static void assert_fails(const char *bytes, const char *message)
{
	reading r;
	read_with(&r, &fake, bytes);
	assert_non_null(r.err);
	assert_string_equal(rg_error_message(r.err), message);
	assert_int_equal(rg_error_get_code(r.err), RG_E_PARSE);
	release(&r);
	assert_reads("a"); /* nothing else is lost */
}

TEST(reads_many_in_one_child)
{
	for (int i = 0; i < 20; i++)
		assert_reads("a");
}

TEST(names_the_signal_that_ended_it)
{
#ifdef __SANITIZE_ADDRESS__
	assert_fails("s", "the library that reads it (FAKE) ended the process");
#elif !defined(__SANITIZE_THREAD__) /* which ends it by a signal of its own */
	assert_fails("s", "signal 11 ended the library that reads it (FAKE)");
#endif
	assert_fails("x", "the library that reads it (FAKE) ended the process");
}

TEST(kills_what_never_answers)
{
	assert_fails("h", "the library that reads it (FAKE) took too long");
}

TEST(bounds_its_memory)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* whose shadows are larger */
	assert_fails("m", "it got no 10 GB");
#endif
}

TEST(opens_nothing)
{
	assert_reads("o");
}

TEST(gets_no_secrets_of_the_environment)
{
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) /* whose options are there */
	setenv("REGILD_SECRET", "token", 1);
	assert_fails("x", "the library that reads it (FAKE) ended the process"); /* a new child */
	assert_reads("v");
	unsetenv("REGILD_SECRET");
#endif
}

TEST(believes_no_nonsense)
{
	static const char *const kinds[] = {"w", "d", "l", "f", "p", "b", "i", "q", "t"};
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		assert_fails(kinds[i], "the library that reads it has told nonsense");
}

static void assert_limits(const char *bytes, const char *message)
{
	reading r;
	read_with(&r, &fake, bytes);
	assert_non_null(r.err);
	assert_string_equal(rg_error_message(r.err), message);
	assert_int_equal(rg_error_get_code(r.err), RG_E_LIMIT);
	release(&r);
}

TEST(bounds_what_is_written)
{
	assert_limits("g", "its values take more than 4294967296 bytes");
	assert_limits("A", "an object in it has more than 65536 attributes");
}

TEST(keeps_a_variable_that_cannot_be_read)
{
	reading r;
	read_with(&r, &fake, "e");
	assert_success(r.err);
	assert_string_equal(r.file.items[0].why, "the rest is broken");
	release(&r);
}

TEST(escapes_hostile_names)
{
	reading r;
	read_with(&r, &fake, "n");
	assert_success(r.err);
	assert_string_equal(r.file.items[0].path, "/a\\xff\x1b");
	release(&r);
}

TEST(says_which_package_is_missing)
{
	reading r;
	read_with(&r, &missing, "a");
	assert_non_null(r.err);
	assert_int_equal(rg_error_get_code(r.err), RG_E_NOTFOUND);
	assert_string_equal(rg_error_message(r.err), "this needs Debian's package libfake");
	release(&r);
}

TEST(says_what_it_was_built_without)
{
	const rg_binary_reader none = {.name = "none", .format = "FAKE", .package = "libfake"};
	reading r;
	read_with(&r, &none, "a");
	assert_int_equal(rg_error_get_code(r.err), RG_E_NOTFOUND);
	assert_string_equal(rg_error_message(r.err), "this program was built without its reader of "
						     "FAKE, which needs Debian's package libfake");
	release(&r);
}
