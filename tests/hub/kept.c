/* SPDX-License-Identifier: Apache-2.0 */
#include "hub/kept.h"

#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define DIGEST_LENGTH (RG_SHA256_HEX - 1)

static bool place_of(char out[static PATH_MAX], const char *key)
{
	const char *folder = getenv("HUB_BODIES");

	return folder && snprintf(out, PATH_MAX, "%s/%s", folder, key) < PATH_MAX;
}

bool kept_take(unsigned char **bytes, size_t *length, const char key[static RG_SHA256_HEX])
{
	char path[PATH_MAX];
	struct stat st;
	void *map = MAP_FAILED;
	int fd = place_of(path, key) ? open(path, O_RDONLY | O_CLOEXEC) : -1;

	if (fd < 0)
		return false;
	if (!fstat(fd, &st) && st.st_size > DIGEST_LENGTH)
		map = mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	if (map == MAP_FAILED)
		return false;
	*bytes = (unsigned char *)map + DIGEST_LENGTH;
	*length = (size_t)st.st_size - DIGEST_LENGTH;
	return true;
}

void kept_put(const void *bytes, size_t length, const char key[static RG_SHA256_HEX])
{
	char path[PATH_MAX], digest[RG_SHA256_HEX], temporary[PATH_MAX + 16];

	if (!place_of(path, key))
		return;
	rg_error *err = rg_sha256_hex(bytes, length, digest);
	snprintf(temporary, sizeof(temporary), "%s.%d", path, (int)getpid());
	FILE *file = err ? NULL : fopen(temporary, "wb");
	rg_error_free(err);
	if (!file)
		return;
	bool whole = fwrite(digest, 1, DIGEST_LENGTH, file) == DIGEST_LENGTH &&
		     fwrite(bytes, 1, length, file) == length;
	if (fclose(file) || !whole || rename(temporary, path))
		unlink(temporary);
}
