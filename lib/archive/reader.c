#include "archive/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

rg_error *rg_reader_read(const rg_reader *reader, uint64_t offset, void *buffer, size_t length)
{
	if (offset > reader->size || length > reader->size - offset)
		return rg_error_new(RG_E_PARSE,
				    "%s: ends too early: %zu bytes at %" PRIu64
				    " are wanted of %" PRIu64,
				    reader->name, length, offset, reader->size);
	return length ? reader->read_at(reader->context, offset, buffer, length) : NULL;
}

rg_error *rg_reader_prefetch(const rg_reader *reader, const rg_range *ranges, size_t count)
{
	rg_error *err;
	rg_range *cut;
	size_t i, kept = 0;

	if (!reader->prefetch || !count)
		return NULL;
	cut = calloc(count, sizeof(*cut));
	if (!cut)
		return rg_error_nomem();
	for (i = 0; i < count; i++) {
		uint64_t left;

		if (ranges[i].offset >= reader->size || !ranges[i].length)
			continue;
		left = reader->size - ranges[i].offset;
		cut[kept] = ranges[i];
		if (cut[kept].length > left)
			cut[kept].length = left;
		kept++;
	}
	err = reader->prefetch(reader->context, cut, kept);
	free(cut);
	return err;
}

static rg_error *memory_read_at(void *context, uint64_t offset, void *buffer, size_t length)
{
	memcpy(buffer, (const char *)context + offset, length);
	return NULL;
}

void rg_reader_memory(rg_reader *out, const char *name, const void *bytes, size_t length)
{
	/* The context is not const for readers that change; this one only reads it. */
	union {
		const void *given;
		void *context;
	} borrowed = {.given = bytes};

	*out = (rg_reader){.name = name,
			   .size = length,
			   .read_at = memory_read_at,
			   .context = borrowed.context};
}

typedef struct {
	int fd;
	const char *path;
} file_reader;

static rg_error *file_read_at(void *context, uint64_t offset, void *buffer, size_t length)
{
	const file_reader *file = context;
	char *into = buffer;

	while (length) {
		ssize_t got = pread(file->fd, into, length, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return rg_error_io(errno, "%s", file->path);
		if (got == 0)
			return rg_error_new(RG_E_IO, "%s: became shorter while it was read",
					    file->path);
		into += got;
		offset += (uint64_t)got;
		length -= (size_t)got;
	}
	return NULL;
}

rg_error *rg_reader_file_open(rg_reader *out, const char *path)
{
	file_reader *file;
	struct stat st;
	int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); /* a FIFO's would wait */

	*out = (rg_reader){0};
	if (fd < 0)
		return rg_error_io(errno, "%s", path);
	if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
		close(fd);
		return rg_error_new(RG_E_IO, "%s: is no regular file", path);
	}
	file = calloc(1, sizeof(*file));
	if (!file) {
		close(fd);
		return rg_error_nomem();
	}
	file->fd = fd;
	file->path = path;
	*out = (rg_reader){.name = path,
			   .size = (uint64_t)st.st_size,
			   .read_at = file_read_at,
			   .context = file};
	return NULL;
}

void rg_reader_file_release(rg_reader *reader)
{
	file_reader *file = reader->context;

	if (file)
		close(file->fd); /* read-only: nothing can be lost */
	free(file);
	*reader = (rg_reader){0};
}

static rg_error *part_read_at(void *context, uint64_t offset, void *buffer, size_t length)
{
	const rg_reader_part *part = context;

	return rg_reader_read(part->below, part->start + offset, buffer, length);
}

static rg_error *part_prefetch(void *context, const rg_range *ranges, size_t count)
{
	const rg_reader_part *part = context;
	rg_range *moved = calloc(count, sizeof(*moved));
	rg_error *err;
	size_t i;

	if (!moved)
		return count ? rg_error_nomem() : NULL;
	for (i = 0; i < count; i++)
		moved[i] = (rg_range){part->start + ranges[i].offset, ranges[i].length};
	err = rg_reader_prefetch(part->below, moved, count);
	free(moved);
	return err;
}

void rg_reader_part_init(rg_reader_part *out, const rg_reader *below, const char *name,
			 rg_range range)
{
	out->below = below;
	out->start = range.offset;
	out->reader = (rg_reader){.name = name,
				  .size = range.length,
				  .read_at = part_read_at,
				  .prefetch = part_prefetch,
				  .context = out};
}

static int by_offset(const void *left, const void *right)
{
	const rg_range *a = left, *b = right;

	return (a->offset > b->offset) - (a->offset < b->offset);
}

static int by_number(const void *left, const void *right)
{
	const uint64_t *a = left, *b = right;

	return (*a > *b) - (*a < *b);
}

/* Joins sorted ranges that stand at most `gap` apart. At most `most` joints are made at exactly
 * `gap` (the closer ones are always made); overlapping and touching ranges have a gap of 0. */
static size_t join_within(rg_range *ranges, size_t count, uint64_t gap, size_t most)
{
	size_t i, kept = 0;

	for (i = 0; i < count; i++) {
		rg_range *last = kept ? &ranges[kept - 1] : NULL;
		uint64_t end = last ? last->offset + last->length : 0;
		uint64_t apart = last && ranges[i].offset > end ? ranges[i].offset - end : 0;

		if (!last || apart > gap || (apart == gap && gap && !most)) {
			ranges[kept++] = ranges[i];
			continue;
		}
		if (apart == gap && gap)
			most--;
		if (ranges[i].offset + ranges[i].length > end)
			last->length = ranges[i].offset + ranges[i].length - last->offset;
	}
	return kept;
}

size_t rg_ranges_join(rg_range *ranges, size_t count, uint64_t gap, size_t requests, uint64_t waste)
{
	uint64_t *gaps, widest;
	size_t i, joints, equal = 0;

	if (count < 2)
		return count;
	qsort(ranges, count, sizeof(*ranges), by_offset);
	count = join_within(ranges, count, gap, SIZE_MAX);
	if (count <= requests || count < 2)
		return count;
	/* The joints still to make are the smallest gaps. Joining more is only an economy: without
	 * memory for the list it is left. */
	gaps = calloc(count - 1, sizeof(*gaps));
	if (!gaps)
		return count;
	for (i = 0; i + 1 < count; i++)
		gaps[i] = ranges[i + 1].offset - (ranges[i].offset + ranges[i].length);
	qsort(gaps, count - 1, sizeof(*gaps), by_number);
	joints = count - (requests ? requests : 1);
	while (joints && gaps[joints - 1] > waste)
		joints--;
	widest = joints ? gaps[joints - 1] : 0;
	for (i = joints; i && gaps[i - 1] == widest; i--)
		equal++;
	free(gaps);
	return joints ? join_within(ranges, count, widest, equal) : count;
}
