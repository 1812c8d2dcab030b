/* SPDX-License-Identifier: Apache-2.0 */
#include "step_summary.h"

#include "options.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { STEP_SUMMARY_MAX = 1 << 20 };

rg_error *step_summary_file(const char **out)
{
	*out = getenv("GITHUB_STEP_SUMMARY");
	if (*out && **out)
		return NULL;
	return usage_error("--step-summary: GITHUB_STEP_SUMMARY is not set, as it is in a job on "
			   "GitHub");
}

/* One is for the empty line in between. */
rg_error *step_summary_room(const char *file, size_t *out)
{
	struct stat status;
	*out = STEP_SUMMARY_MAX;
	if (stat(file, &status) != 0)
		return errno == ENOENT ? NULL : rg_error_io(errno, "%s", file);
	*out = status.st_size < STEP_SUMMARY_MAX ? STEP_SUMMARY_MAX - (size_t)status.st_size : 0;
	*out -= *out > 0;
	return NULL;
}

rg_error *step_summary_append(const char *file, const rg_buf *text)
{
	int fd = open(file, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	struct stat status;
	rg_error *err = NULL;

	if (fd < 0)
		return rg_error_io(errno, "%s", file);
	if (!fstat(fd, &status) && status.st_size)
		err = rg_write_all(fd, "\n", 1, file);
	if (!err)
		err = rg_write_all(fd, text->data, text->length, file);
	if (close(fd) != 0 && !err)
		err = rg_error_io(errno, "%s", file);
	return err;
}
