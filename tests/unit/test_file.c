/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "base/file.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char folder[] = "/tmp/regild-test-XXXXXX";

FIXTURE(enter_folder)
{
	return mkdtemp(folder) && !chdir(folder) ? 0 : -1;
}

FIXTURE(leave_folder)
{
	rg_error *err;

	if (chdir("/"))
		return -1;
	err = rg_remove_tree(folder);
	rg_error_free(err);
	return err ? -1 : 0;
}

static void assert_holds(const char *path, const char *text)
{
	RG_AUTO(rg_buf) buf = rg_buf_of(1000);
	assert_success(rg_file_read(&buf, path));
	assert_string_equal(buf.data, text);
}

TEST_GROUP(enter_folder, leave_folder);

TEST(read_limits)
{
	rg_buf buf;

	assert_success(rg_file_replace("five", "12345", 5, 0644));
	rg_buf_init(&buf, 5);
	assert_success(rg_file_read(&buf, "five"));
	assert_string_equal(buf.data, "12345");
	rg_buf_release(&buf);
	rg_buf_init(&buf, 4);
	assert_error(rg_file_read(&buf, "five"), RG_E_LIMIT,
		     "five: 5 bytes, more than the limit of 4");
	assert_error(rg_file_read(&buf, "none"), RG_E_IO, "none: No such file or directory");
	assert_error(rg_file_read(&buf, "."), RG_E_IO, ".: Is a directory");
	assert_error(rg_file_read_regular(&buf, "none"), RG_E_IO,
		     "none: No such file or directory");
	assert_error(rg_file_read_regular(&buf, "."), RG_E_IO, ".: Is a directory");
	assert_int_equal(mkfifo("pipe", 0600), 0);
	assert_error(rg_file_read_regular(&buf, "pipe"), RG_E_IO, "pipe: is not a regular file");
	/* Nobody writes into it: its open would wait for ever. */
	assert_error(rg_file_read(&buf, "pipe"), RG_E_IO, "pipe: is not a regular file");
	assert_error(rg_file_read_regular(&buf, "/dev/zero"), RG_E_IO,
		     "/dev/zero: is not a regular file");
	/* No size to be had in advance. */
	assert_error(rg_file_read(&buf, "/dev/zero"), RG_E_LIMIT,
		     "/dev/zero: more than the limit of 4 bytes");
	rg_buf_clear(&buf);
	assert_success(rg_file_read(&buf, "/dev/null"));
	assert_int_equal(buf.length, 0);
	rg_buf_release(&buf);
}

/* "--template <(…)": the shell has opened the pipe, whose writer may take its time. */
TEST(read_open_pipe)
{
	char name[32];
	int ends[2], fd;
	pid_t child;
	rg_buf buf;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (!child) {
		const struct timespec moment = {0, 50000000};

		close(ends[0]);
		nanosleep(&moment, NULL);
		_exit(write(ends[1], "late", 4) != 4);
	}
	assert_int_equal(close(ends[1]), 0);
	snprintf(name, sizeof(name), "/dev/fd/%d", ends[0]);
	rg_buf_init(&buf, 100);
	assert_success(rg_file_read(&buf, name));
	assert_string_equal(buf.data, "late");
	rg_buf_release(&buf);
	assert_int_equal(close(ends[0]), 0);
	assert_int_equal(waitpid(child, NULL, 0), child);
	/* What follows no link says so of one. */
	assert_int_equal(symlink("five", "to five"), 0);
	assert_error(rg_file_open(&fd, "to five", O_NOFOLLOW), RG_E_IO,
		     "to five: Too many levels of symbolic links");
	assert_int_equal(fd, -1);
}

TEST(replace_keeps_mode_and_other_links)
{
	struct stat st;

	assert_success(rg_file_replace("tool", "old", 3, 0644));
	assert_int_equal(chmod("tool", 0755), 0);
	assert_int_equal(link("tool", "twin"), 0);
	assert_success(rg_file_replace("tool", "new", 3, 0644));
	assert_holds("tool", "new");
	assert_holds("twin", "old");
	assert_int_equal(stat("tool", &st), 0);
	assert_int_equal(st.st_mode & 0777, 0755);
}

/* Files in the folder with the text in their names. */
static int count_left(const char *text)
{
	DIR *entries = opendir(".");
	struct dirent *entry;
	int count = 0;

	assert_non_null(entries);
	while ((entry = readdir(entries)) != NULL)
		count += strstr(entry->d_name, text) != NULL;
	closedir(entries);
	return count;
}

/* Another process of the same number, killed at work, left its temporary behind. */
TEST(replace_beside_a_leftover)
{
	char leftover[64];

	snprintf(leftover, sizeof(leftover), ".tmp-regild-%ld-0", (long)getpid());
	assert_success(rg_file_replace("left", "left", 4, 0644));
	assert_int_equal(rename("left", leftover), 0);
	assert_success(rg_file_replace("beside", "new", 3, 0644));
	assert_holds("beside", "new");
	assert_holds(leftover, "left");
	assert_int_equal(unlink(leftover), 0);
	assert_int_equal(unlink("beside"), 0);
}

TEST(unnamed)
{
	char read[4];
	int fd;

	assert_success(rg_file_unnamed(&fd, "."));
	assert_int_equal(write(fd, "text", 4), 4);
	assert_int_equal(pread(fd, read, 4, 0), 4);
	assert_memory_equal(read, "text", 4);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(close(fd), 0);
	assert_int_equal(count_left("regild-"), 0);
	assert_fails_with(rg_file_unnamed(&fd, "nowhere"), RG_E_IO);
	assert_int_equal(fd, -1);
}

/* A name has room for 255 bytes, and none for anything more then. */
TEST(replace_a_long_name)
{
	char name[256];

	memset(name, 'n', 255);
	name[255] = '\0';
	assert_success(rg_file_replace(name, "new", 3, 0644));
	assert_holds(name, "new");
	assert_success(rg_file_write_output(name, "newer", 5));
	assert_holds(name, "newer");
	assert_int_equal(unlink(name), 0);
}

TEST(replace_fails_whole)
{
	assert_success(rg_make_dirs("taken", 0755));
	assert_error(rg_file_replace("taken", "x", 1, 0644), RG_E_IO, "taken: Is a directory");
	assert_error(rg_file_replace("nowhere/x", "x", 1, 0644), RG_E_IO,
		     "nowhere/x: No such file or directory");
	/* Nothing is left beside it. */
	assert_int_equal(rmdir("taken"), 0);
	assert_int_equal(count_left(".tmp"), 0);
}

TEST(output_to_a_full_device)
{
	rg_output out;

	assert_success(rg_file_write_output("out", "text", 4));
	assert_holds("out", "text");
	assert_error(rg_file_write_output("/dev/full", "x", 1), RG_E_IO,
		     "/dev/full: No space left on device");
	assert_success(rg_file_write_output("/dev/null", "x", 1));
	assert_success(rg_output_check("out"));
	assert_success(rg_output_check("/dev/full"));
	assert_success(rg_output_check("not yet"));
	assert_int_equal(access("not yet", F_OK), -1);
	assert_error(rg_output_check("nowhere/out"), RG_E_IO,
		     "nowhere/out: No such file or directory");
	assert_error(rg_output_check("."), RG_E_IO, ".: Is a directory");
	/* Piece by piece: in place when it is closed, and not at all after an error. */
	assert_success(rg_output_open(&out, "out"));
	assert_success(rg_write_all(out.fd, "new", 3, "out"));
	assert_error(rg_output_close(&out, rg_error_new(RG_E_IO, "lost")), RG_E_IO, "lost");
	assert_success(rg_output_open(&out, "out"));
	assert_success(rg_write_all(out.fd, "new", 3, "out"));
	assert_holds("out", "text");
	assert_success(rg_output_close(&out, NULL));
	assert_holds("out", "new");
}

/* As a shell's >> has it: what is there stays, and so does the file. */
TEST(output_to_an_open_file)
{
	char name[32], message[64];
	rg_output out;
	int fd;

	assert_success(rg_file_replace("log", "before ", 7, 0644));
	fd = open("log", O_WRONLY | O_APPEND | O_CLOEXEC);
	assert_true(fd >= 0);
	snprintf(name, sizeof(name), "/dev/fd/%d", fd);
	assert_success(rg_output_check(name));
	assert_success(rg_file_write_output(name, "one ", 4));
	assert_int_equal(write(fd, "two ", 4), 4);
	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	assert_success(rg_output_open(&out, name));
	assert_success(rg_output_close(&out, rg_write_all(out.fd, "three", 5, name)));
	/* A link to it that is not the system's own is replaced, as any link. */
	assert_int_equal(symlink(name, "to it"), 0);
	assert_success(rg_file_write_output("to it", "four", 4));
	assert_holds("to it", "four");
	assert_int_equal(close(fd), 0);
	assert_holds("log", "before one two three");
	snprintf(message, sizeof(message), "%s: Bad file descriptor", name);
	assert_error(rg_output_check(name), RG_E_IO, message);
}

/* One that came with a repository, or that somebody planted in a shared folder: what it leads to
 * stays, and lends the report neither its place nor its mode. */
TEST(output_replaces_a_link)
{
	static const char *const targets[] = {"linked to", "nowhere", "pipe to", "."};
	struct stat st;
	size_t i;

	assert_success(rg_file_replace("linked to", "old", 3, 0777));
	assert_int_equal(mkfifo("pipe to", 0600), 0);
	for (i = 0; i < sizeof(targets) / sizeof(*targets); i++) {
		assert_int_equal(symlink(targets[i], "link"), 0);
		assert_success(rg_output_check("link"));
		assert_int_equal(lstat("link", &st), 0);
		assert_true(S_ISLNK(st.st_mode));
		assert_success(rg_file_write_output("link", "new", 3));
		assert_int_equal(lstat("link", &st), 0);
		assert_true(S_ISREG(st.st_mode));
		assert_int_equal(st.st_mode & 0111, 0);
		assert_holds("link", "new");
		assert_int_equal(unlink("link"), 0);
	}
	assert_holds("linked to", "old");
	assert_int_equal(access("nowhere", F_OK), -1);
	assert_int_equal(unlink("pipe to"), 0);
	assert_int_equal(count_left(".tmp"), 0);
}

TEST(make_and_remove_trees)
{
	assert_success(rg_make_dirs("a/b//c/", 0755));
	assert_success(rg_make_dirs("a/b/c", 0755));
	assert_success(rg_make_parent_dirs("a/d/file", 0755));
	assert_int_equal(access("a/d", F_OK), 0);
	assert_success(rg_file_replace("a/b/c/file", "x", 1, 0644));
	assert_error(rg_make_dirs("a/b/c/file/d", 0755), RG_E_IO, "a/b/c/file: Not a directory");
	assert_success(rg_make_dirs("outside", 0755));
	assert_success(rg_file_replace("outside/kept", "x", 1, 0644));
	assert_int_equal(symlink("../outside", "a/link"), 0);
	assert_success(rg_remove_tree("a"));
	assert_int_equal(access("a", F_OK), -1);
	assert_holds("outside/kept", "x");
	assert_success(rg_remove_tree("a"));
}
