#include "audit/spill.h"

#include "base/file.h"
#include "base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The place of the first double on disk: places below it are in memory. */
#define ON_DISK ((uint64_t)1 << 62)

void rg_spill_init(rg_spill *spill, size_t bound)
{
	*spill = (rg_spill){.bound = bound, .fd = -1};
}

void rg_spill_release(rg_spill *spill)
{
	free(spill->memory);
	if (spill->fd >= 0)
		close(spill->fd);
	rg_spill_init(spill, spill->bound);
}

static const char *folder(void)
{
	const char *own = getenv("TMPDIR");

	return own && *own ? own : "/tmp";
}

/* The file has no name to be told by. */
static rg_error *file_error(int number)
{
	return rg_error_io(number, "%s: the runs' values", folder());
}

/* Where they belong, whatever an earlier write that failed has left there. */
static rg_error *write_file(const rg_spill *spill, const double *values, size_t count)
{
	size_t bytes = count * sizeof(*values), done = 0;

	while (done < bytes) {
		ssize_t wrote = pwrite(spill->fd, (const char *)values + done, bytes - done,
				       (off_t)(spill->spilled * sizeof(*values) + done));

		if (wrote < 0 && errno == EINTR)
			continue;
		if (wrote < 0)
			return file_error(errno);
		done += (size_t)wrote;
	}
	return NULL;
}

static rg_error *spill_out(rg_spill *spill, const double *values, size_t count)
{
	if (spill->fd < 0)
		RG_TRY(rg_file_unnamed(&spill->fd, folder()));
	return write_file(spill, values, count);
}

rg_error *rg_spill_add(rg_spill *spill, const double *values, size_t count, uint64_t *place)
{
	rg_error *err;

	if (!spill->spilled && count <= spill->bound - spill->count) {
		RG_TRY(rg_grow(&spill->memory, &spill->capacity, spill->count + count,
			       sizeof(*spill->memory)));
		*place = spill->count;
		if (count)
			memcpy(spill->memory + spill->count, values, count * sizeof(*values));
		spill->count += count;
		return NULL;
	}
	err = spill_out(spill, values, count);
	if (err) {
		spill->failed = true;
		return err;
	}
	*place = ON_DISK + spill->spilled;
	spill->spilled += count;
	return NULL;
}

static rg_error *read_file(const rg_spill *spill, uint64_t first, size_t count, double *out)
{
	size_t bytes = count * sizeof(*out), done = 0;

	while (done < bytes) {
		ssize_t got = pread(spill->fd, (char *)out + done, bytes - done,
				    (off_t)(first * sizeof(*out) + done));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return file_error(got ? errno : EIO);
		done += (size_t)got;
	}
	return NULL;
}

rg_error *rg_spill_read(const rg_spill *spill, uint64_t place, size_t count, double *out)
{
	if (!count)
		return NULL;
	if (place >= ON_DISK)
		return read_file(spill, place - ON_DISK, count, out);
	memcpy(out, spill->memory + place, count * sizeof(*out));
	return NULL;
}
