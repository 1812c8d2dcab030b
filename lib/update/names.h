#ifndef REGILD_UPDATE_NAMES_H
#define REGILD_UPDATE_NAMES_H

#include <stdbool.h>

/*
 * Is this path a golden's? `files` is regild.files: globs with blanks between them, each perhaps
 * behind the name of a zip and '!'. A glob is held against the path's end, from any '/' on, since
 * what stands before it is the repository's layout.
 */
bool rg_is_golden_name(const char *files, const char *path);

/* Does a person's pattern name the golden at `path`, which stands below `root`: the path with or
 * without root, the file's name, or the folder that it is in, or that is its test's ("STAGE/TEST"
 * or "TEST") by `target`, jobs.target? */
bool rg_names_golden(const char *pattern, const char *root, const char *target, const char *path);

#endif
