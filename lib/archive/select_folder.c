/* SPDX-License-Identifier: Apache-2.0 */
#include "archive/select_list.h"

#include "base/memory.h"
#include "base/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
	int folder;
	rg_listed *members;
	size_t count, capacity;
	rg_reader_file file; /* the one that is open */
} folder_source;

static rg_error *open_member(void *context, size_t index, const rg_reader **out)
{
	folder_source *source = context;
	const rg_listed *member = &source->members[index];
	uint64_t size;
	int fd;

	*out = NULL;
	rg_reader_file_release(&source->file);
	RG_TRY(rg_tree_open_file(&fd, &size, source->folder, member->name));
	rg_reader_file_init(&source->file, fd, member->name, size);
	if (size != member->size)
		return rg_error_new(RG_E_MISMATCH, "it was changed while it was read");
	*out = &source->file.reader;
	return NULL;
}

/* Adds what the patterns ask for; the rest is not even looked at. */
static void add_wanted(folder_source *source, const char *name, const char *const *patterns,
		       size_t count, bool regular)
{
	struct stat st;
	bool wanted;

	rg_select_wants(&wanted, name, patterns, count);
	if (!wanted)
		return;
	rg_grow(&source->members, &source->capacity, source->count + 1, sizeof(*source->members));
	rg_listed *member = &source->members[source->count++];
	member->name = name;
	if (!regular) {
		member->refused = RG_REFUSED_LINK;
		member->why = "it is a symbolic link, device, pipe or socket";
	} else if (!fstatat(source->folder, name, &st, AT_SYMLINK_NOFOLLOW)) {
		member->size = (uint64_t)st.st_size;
	}
}

static void list_wanted(folder_source *source, const rg_tree *tree, const char *const *patterns,
			size_t count)
{
	for (size_t i = 0; i < tree->count; i++)
		add_wanted(source, tree->paths[i], patterns, count, true);
	for (size_t i = 0; i < tree->other_count; i++)
		add_wanted(source, tree->others[i], patterns, count, false);
}

rg_error *rg_select_folder(rg_selection *out, const char *folder, const char *const *patterns,
			   size_t count, const rg_zip_limits *limits, rg_selected_fn *take,
			   void *context)
{
	const rg_zip_limits defaults = rg_zip_limits_default();
	rg_selecting run = {.out = out,
			    .limits = limits ? limits : &defaults,
			    .take = take,
			    .context = context};
	folder_source source = {.folder = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
	const rg_listed_source from = {.open = open_member, .source = &source};
	rg_tree tree = {0};
	rg_error *err = NULL;

	if (source.folder < 0)
		return rg_error_io(errno, "%s", folder);
	err = rg_tree_list_all(&tree, folder);
	if (!err)
		list_wanted(&source, &tree, patterns, count);
	if (!err)
		err = rg_select_listed(&run, source.members, source.count, &from, patterns, count);
	if (!err)
		out->members += tree.count + tree.other_count - source.count;
	rg_reader_file_release(&source.file);
	free(source.members);
	rg_tree_release(&tree);
	close(source.folder);
	return err;
}
