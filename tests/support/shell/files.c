/* SPDX-License-Identifier: Apache-2.0 */
#include "shell.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_MAX_HERE = 4096 };

/* Reads options that are single letters out of `known` and have no value, each into have[letter].
 * Returns the first operand, or 0 if there is another option. */
static int options(int argc, char **argv, const char *known, bool have[static 256])
{
	int i;

	for (i = 1; i < argc && argv[i][0] == '-' && argv[i][1]; i++) {
		if (!strcmp(argv[i], "--"))
			return i + 1;
		for (const char *letter = argv[i] + 1; *letter; letter++) {
			if (!strchr(known, *letter))
				return 0;
			have[(unsigned char)*letter] = true;
		}
	}
	return i;
}

/* FOLDER/NAME, NAME being what follows the last slash of a path. False if that is too long, or no
 * name. */
static bool join(char *out, const char *folder, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
	int length = snprintf(out, PATH_MAX_HERE, "%s/%s", folder, name);

	return *name && length > 0 && length < PATH_MAX_HERE;
}

static bool is_folder(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISDIR(st.st_mode);
}

static bool is_there(const char *path)
{
	struct stat st;

	return !lstat(path, &st);
}

int tool_basename(int argc, char **argv)
{
	const char *slash = argc > 1 ? strrchr(argv[1], '/') : NULL, *name;
	size_t length, suffix;

	if (argc < 2 || argc > 3 || argv[1][0] == '-' || !*argv[1] || (slash && !slash[1]))
		return NOT_KNOWN;
	name = slash ? slash + 1 : argv[1];
	length = strlen(name);
	suffix = argc == 3 ? strlen(argv[2]) : 0;
	if (suffix && suffix < length && !strcmp(name + length - suffix, argv[2]))
		length -= suffix;
	text out = {0};
	text_add(&out, name, length);
	text_add_char(&out, '\n');
	return put_text(argv[0], &out);
}

/* Copies from one descriptor to another. */
static bool pour(int from, int to)
{
	char bytes[1 << 14];
	ssize_t n;

	while ((n = read(from, bytes, sizeof(bytes))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		for (ssize_t done = 0, m; done < n; done += m) {
			m = write(to, bytes + done, (size_t)(n - done));
			if (m < 0 && errno != EINTR)
				return false;
			if (m < 0)
				m = 0;
		}
		if (n < 0)
			return false;
	}
	return true;
}

int tool_cat(int argc, char **argv)
{
	int status = 0;

	for (int i = 1; i < argc; i++)
		if ((argv[i][0] == '-' && argv[i][1]) || !can_read(argv[i]))
			return NOT_KNOWN;
	for (int i = 1; i < argc || i == 1; i++) {
		int fd = argc == 1 || !strcmp(argv[i], "-") ? 0
							    : open(argv[i], O_RDONLY | O_CLOEXEC);

		if (fd < 0 || !pour(fd, 1)) {
			perror("cat: write error");
			status = 1;
		}
		if (fd > 0)
			close(fd);
	}
	return status;
}

static bool same_files(const char *a, const char *b)
{
	text x, y;
	bool same = false;

	if (!read_all(a, &x))
		return false;
	if (read_all(b, &y))
		same = x.length == y.length && (!x.length || !memcmp(x.bytes, y.bytes, x.length));
	text_free(&x);
	text_free(&y);
	return same;
}

static bool is_entry(const struct dirent *entry, const char *but)
{
	return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
	       !(but && !strcmp(entry->d_name, but));
}

/* How many names are in a folder, -1 if it cannot be read. */
static long count_entries(const char *path, const char *but)
{
	DIR *entries = opendir(path);
	const struct dirent *entry;
	long count = 0;

	if (!entries)
		return -1;
	while ((entry = readdir(entries)))
		count += is_entry(entry, but);
	closedir(entries);
	return count;
}

/* Are they the same files, or folders of the same, but for entries of a name? Links are followed,
 * as diff(1) does. */
static bool same_trees(const char *a, const char *b, const char *but)
{
	char in_a[PATH_MAX_HERE], in_b[PATH_MAX_HERE];
	const struct dirent *entry;
	struct stat x, y;
	DIR *entries;
	bool same;

	if (stat(a, &x) || stat(b, &y) || (x.st_mode & S_IFMT) != (y.st_mode & S_IFMT))
		return false;
	if (S_ISREG(x.st_mode))
		return same_files(a, b);
	if (!S_ISDIR(x.st_mode) || count_entries(a, but) != count_entries(b, but))
		return false;
	entries = opendir(a);
	same = entries != NULL;
	while (same && (entry = readdir(entries)))
		same = !is_entry(entry, but) ||
		       (join(in_a, a, entry->d_name) && join(in_b, b, entry->d_name) &&
			same_trees(in_a, in_b, but));
	if (entries)
		closedir(entries);
	return same;
}

/* Equal files, of which neither program says anything; where they differ, the program says how.
 * What a pipe has can be read once, so it is left to the program. */
int tool_cmp(int argc, char **argv)
{
	bool have[256] = {0};
	int at = options(argc, argv, "s", have);
	struct stat st;

	if (!at || argc - at != 2)
		return NOT_KNOWN;
	for (int i = at; i < argc; i++)
		if (stat(argv[i], &st) || !S_ISREG(st.st_mode) || !can_read(argv[i]))
			return NOT_KNOWN;
	return same_files(argv[at], argv[at + 1]) ? 0 : have['s'] ? 1 : NOT_KNOWN;
}

int tool_diff(int argc, char **argv)
{
	bool have[256] = {0};
	const char *but = NULL;
	int at;
	struct stat st;

	if (argc > 3 && !strcmp(argv[1], "-r") && !strcmp(argv[2], "-x") &&
	    !strpbrk(argv[3], "*?[\\")) {
		but = argv[3];
		argv += 3;
		argc -= 3;
		have['r'] = true;
	}
	at = options(argc, argv, "qru", have);
	if (!at || argc - at != 2)
		return NOT_KNOWN;
	for (int i = at; i < argc; i++)
		if (stat(argv[i], &st) ||
		    !(S_ISREG(st.st_mode) || (S_ISDIR(st.st_mode) && have['r'])))
			return NOT_KNOWN;
	return same_trees(argv[at], argv[at + 1], but) ? 0 : NOT_KNOWN;
}

/* Makes a folder and those above it that are missing. */
static bool make_folders(const char *path)
{
	char part[PATH_MAX_HERE];
	size_t length = strlen(path);

	if (!length || length >= sizeof(part))
		return false;
	memcpy(part, path, length + 1);
	for (char *slash = part + 1;; *slash++ = '/') {
		slash = strchr(slash, '/');
		if (slash)
			*slash = 0;
		if (mkdir(part, 0777) && !(errno == EEXIST && is_folder(part)))
			return false;
		if (!slash)
			return true;
	}
}

int tool_mkdir(int argc, char **argv)
{
	bool have[256] = {0};
	int at = options(argc, argv, "p", have);

	if (!at || at == argc)
		return NOT_KNOWN;
	for (int i = at; i < argc && !have['p']; i++)
		if (is_there(argv[i]))
			return NOT_KNOWN;
	for (int i = at; i < argc; i++) {
		if (have['p'] ? make_folders(argv[i]) : !mkdir(argv[i], 0777))
			continue;
		if (i == at)
			return NOT_KNOWN;
		dprintf(2, "mkdir: cannot create directory ");
		perror(argv[i]);
		return 1;
	}
	return 0;
}

int tool_mkfifo(int argc, char **argv)
{
	if (argc != 2 || argv[1][0] == '-' || mkfifo(argv[1], 0666))
		return NOT_KNOWN;
	return 0;
}

int tool_ln(int argc, char **argv)
{
	if (argc != 4 || strcmp(argv[1], "-s") || argv[2][0] == '-' || is_there(argv[3]) ||
	    symlink(argv[2], argv[3]))
		return NOT_KNOWN;
	return 0;
}

int tool_mv(int argc, char **argv)
{
	char into[PATH_MAX_HERE];
	const char *to = argv[argc - 1];
	size_t length = argc == 3 ? strlen(argv[1]) : 0;

	if (argc != 3 || argv[1][0] == '-' || !length || argv[1][length - 1] == '/' ||
	    !is_there(argv[1]))
		return NOT_KNOWN;
	if (is_folder(to)) {
		if (!join(into, to, argv[1]) || is_there(into))
			return NOT_KNOWN;
		to = into;
	}
	return rename(argv[1], to) ? NOT_KNOWN : 0;
}

static bool remove_at(int folder, const char *name)
{
	int fd;
	DIR *entries;
	const struct dirent *entry;
	bool done = true;

	if (!unlinkat(folder, name, 0))
		return true;
	if (errno != EISDIR && errno != EPERM)
		return false;
	fd = openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	entries = fd < 0 ? NULL : fdopendir(fd);
	if (!entries)
		return false;
	while ((entry = readdir(entries)))
		if (is_entry(entry, NULL))
			done = remove_at(fd, entry->d_name) && done;
	closedir(entries);
	return done && !unlinkat(folder, name, AT_REMOVEDIR);
}

int tool_rm(int argc, char **argv)
{
	bool have[256] = {0}, recursive;
	int at = options(argc, argv, "rRf", have);

	recursive = have['r'] || have['R'];
	if (!at || (at == argc && !have['f']))
		return NOT_KNOWN;
	for (int i = at; i < argc; i++) {
		const char *slash = strrchr(argv[i], '/'), *name = slash ? slash + 1 : argv[i];
		struct stat st;

		if (!*name || *name == '.' ||
		    (lstat(argv[i], &st) ? errno != ENOENT || !have['f']
					 : S_ISDIR(st.st_mode) && !recursive))
			return NOT_KNOWN;
	}
	for (; at < argc; at++)
		if (!remove_at(AT_FDCWD, argv[at]) && errno != ENOENT)
			return NOT_KNOWN;
	return 0;
}

static bool copy_file(const char *from, const char *to, mode_t mode)
{
	int in = open(from, O_RDONLY | O_CLOEXEC), out;
	bool done;

	if (in < 0)
		return false;
	out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode & 0777);
	done = out >= 0 && pour(in, out);
	close(in);
	return out >= 0 && !close(out) && done;
}

static bool copy(const char *from, const char *to, bool follow);

static bool copy_folder(const char *from, const char *to, mode_t mode)
{
	char source[PATH_MAX_HERE], target[PATH_MAX_HERE];
	const struct dirent *entry;
	DIR *entries;
	bool done = true;

	if (mkdir(to, mode & 0777) && !(errno == EEXIST && is_folder(to)))
		return false;
	entries = opendir(from);
	if (!entries)
		return false;
	while (done && (entry = readdir(entries)))
		if (is_entry(entry, NULL))
			done = join(source, from, entry->d_name) &&
			       join(target, to, entry->d_name) && copy(source, target, false);
	closedir(entries);
	return done;
}

/* False for what no test copies, and where something fails. */
static bool copy(const char *from, const char *to, bool follow)
{
	char link[PATH_MAX_HERE];
	struct stat st;

	if (follow ? stat(from, &st) : lstat(from, &st))
		return false;
	if (S_ISREG(st.st_mode))
		return copy_file(from, to, st.st_mode);
	if (S_ISDIR(st.st_mode))
		return copy_folder(from, to, st.st_mode);
	if (S_ISFIFO(st.st_mode))
		return !mkfifo(to, st.st_mode & 0777);
	if (S_ISLNK(st.st_mode)) {
		ssize_t length = readlink(from, link, sizeof(link) - 1);

		if (length < 0)
			return false;
		link[length] = 0;
		return !symlink(link, to);
	}
	return false;
}

/* Can `cp` do it at all? It says so before anything is written. Modes that keep the owner out would
 * stop a copy half way. */
static bool can_copy(const char *from, const char *to, bool recursive)
{
	struct stat source, target;

	if (recursive ? lstat(from, &source) : stat(from, &source))
		return false;
	if (!S_ISREG(source.st_mode) &&
	    !(recursive && S_ISDIR(source.st_mode) && (source.st_mode & 0700) == 0700))
		return false;
	if (S_ISREG(source.st_mode) && access(from, R_OK))
		return false;
	if (lstat(to, &target))
		return errno == ENOENT;
	return S_ISDIR(source.st_mode)
		       ? false
		       : S_ISREG(target.st_mode) && !access(to, W_OK) &&
				 (source.st_dev != target.st_dev || source.st_ino != target.st_ino);
}

int tool_cp(int argc, char **argv)
{
	bool have[256] = {0}, into, recursive;
	int at = options(argc, argv, "rR", have), last = argc - 1;
	char to[PATH_MAX_HERE];

	recursive = have['r'] || have['R'];
	if (!at || last <= at)
		return NOT_KNOWN;
	into = is_folder(argv[last]);
	if (last - at > 1 && !into)
		return NOT_KNOWN;
	for (int i = at; i < last; i++)
		if ((into && !join(to, argv[last], argv[i])) ||
		    !can_copy(argv[i], into ? to : argv[last], recursive))
			return NOT_KNOWN;
	for (int i = at; i < last; i++) {
		if (into && !join(to, argv[last], argv[i]))
			return NOT_KNOWN;
		if (!copy(argv[i], into ? to : argv[last], !recursive)) {
			dprintf(2, "cp: ");
			perror(argv[i]);
			return 1;
		}
	}
	return 0;
}

int tool_tee(int argc, char **argv)
{
	text in;
	int status;

	if (argc < 2)
		return NOT_KNOWN;
	for (int i = 1; i < argc; i++) {
		int fd = argv[i][0] == '-'
				 ? -1
				 : open(argv[i], O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);

		if (fd < 0)
			return NOT_KNOWN;
		close(fd);
	}
	if (!read_all(NULL, &in))
		return 1;
	status = put(argv[0], in.bytes, in.length);
	for (int i = 1; i < argc; i++) {
		FILE *out = fopen(argv[i], "we");

		if (!out || fwrite(in.bytes ? in.bytes : "", 1, in.length, out) != in.length ||
		    fclose(out)) {
			dprintf(2, "tee: ");
			perror(argv[i]);
			status = 1;
		}
	}
	text_free(&in);
	return status;
}
