/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/nearest_variant.h"

#include "base/path.h"
#include "base/span.h"
#include "base/variant.h"
#include "compare/distance.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

void rg_nearest_variant_init(rg_nearest_variant *out, const rg_place *side, rg_worktree **worktree,
			     size_t max)
{
	*out = (rg_nearest_variant){.side = side, .worktree = worktree};
	rg_place_init(&out->folder);
	rg_arena_init(&out->arena);
	rg_place_reader_init(&out->reader, worktree, max);
}

static void forget_folder(rg_nearest_variant *n)
{
	rg_place_release(&n->folder);
	free(n->tree);
	free(n->path);
	n->tree = n->path = NULL;
}

void rg_nearest_variant_release(rg_nearest_variant *nearest)
{
	forget_folder(nearest);
	rg_place_reader_release(&nearest->reader);
	rg_arena_release(&nearest->arena);
}

/* Lists a folder of a tree or the index. Few pairs have another folder than the one before. */
static rg_error *look_in_git(rg_nearest_variant *n, const char *text, const rg_place_file *old)
{
	const char *tree = old->tree;
	RG_AUTO_FREE char *glob = rg_textf("*%s*", text);
	RG_AUTO_FREE char *path =
		rg_strndup(old->path, (size_t)(rg_path_name(old->path) - old->path));
	const size_t length = strlen(path);

	if (length)
		path[length - 1] = '\0';
	if (n->path && !strcmp(n->path, path) && !strcmp(n->tree, tree))
		return NULL;
	forget_folder(n);
	rg_place_init(&n->folder);
	n->tree = rg_strdup(tree);
	n->path = rg_strdup(path);
	const rg_change_query query = {.base = RG_EMPTY_TREE,
				       .to = strcmp(tree, ":") != 0 ? n->tree : NULL,
				       .staged = !strcmp(tree, ":"),
				       .no_renames = true,
				       .root = n->path,
				       .files = glob};
	return rg_place_list_git(&n->folder, *n->worktree, &query, NULL, 0);
}

static rg_error *list(rg_nearest_variant *n, rg_variants *out, const char *text,
		      const rg_place_file *old)
{
	*out = (rg_variants){0};
	if (!old->tree) {
		char *folder = rg_arena_textf(&n->arena, "%s%.*s", n->side->folder,
					      (int)(rg_path_name(old->path) - old->path),
					      old->path);
		int fd = open(*folder ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		n->reader.place = n->side;
		return rg_variants_list(out, &n->arena, text, old->path, fd);
	}
	RG_TRY(look_in_git(n, text, old));
	n->reader.place = &n->folder;
	for (size_t i = 0; i < n->folder.count; i++)
		rg_variants_add(out, &n->arena, text, old->path, n->folder.items[i].path);
	rg_variants_sort(out);
	return NULL;
}

/* *known: both could be read. */
static rg_error *measure(rg_distance *out, bool *known, const rg_variant_rules *rules,
			 const rg_pair *pair, const rg_input *old)
{
	rg_golden *before = NULL, *after = NULL;
	rg_error *err = rg_golden_read(&before, old, rules->old_options);

	if (!err)
		err = rg_golden_read(&after, &pair->new_side, rules->new_options);
	return rg_distance_measure(out, known, pair->name.file, before, after, rules->policy, err);
}

static rg_error *read_variant(rg_nearest_variant *n, const rg_variant *variant, bool in_git,
			      rg_input *out)
{
	const rg_place_file plain = {.key = variant->path, .path = variant->path};
	const rg_place_file *file = in_git ? NULL : &plain;

	for (size_t i = 0; !file && i < n->folder.count; i++)
		if (!strcmp(n->folder.items[i].path, variant->path))
			file = &n->folder.items[i];
	return rg_place_read(&n->reader, file, out);
}

static bool is_same(const rg_input *a, const rg_input *b)
{
	const rg_span x = rg_input_span(a), y = rg_input_span(b);
	return rg_span_equal(&x, &y);
}

/* *best stays as it is where the variant is not nearer. */
static rg_error *try_variant(rg_nearest_variant *n, const rg_variant_rules *rules,
			     const rg_variant *variant, bool in_git, const rg_pair *pair,
			     rg_distance *best, bool *nearer, bool *same)
{
	rg_distance distance;
	rg_input in;
	bool known;
	rg_error *err = read_variant(n, variant, in_git, &in);

	*nearer = *same = false;
	if (err && rg_error_get_code(err) != RG_E_CANCELLED) { /* check reports it */
		rg_error_free(err);
		return NULL;
	}
	RG_TRY(err);
	*same = is_same(&in, &pair->new_side);
	RG_TRY(measure(&distance, &known, rules, pair, &in));
	*nearer = known && rg_distance_is_less(&distance, best);
	if (*nearer)
		*best = distance;
	return NULL;
}

rg_error *rg_nearest_variant_find(rg_nearest_variant *nearest, const rg_variant_rules *rules,
				  const rg_place_file *old, rg_pair *pair)
{
	const rg_variant *found = NULL;
	rg_distance best;
	rg_variants variants;
	bool known, nearer, same = is_same(&pair->old_side, &pair->new_side);

	rg_arena_release(&nearest->arena);
	rg_arena_init(&nearest->arena);
	RG_TRY(list(nearest, &variants, rules->text, old));
	if (!variants.count || same)
		return NULL;
	RG_TRY(measure(&best, &known, rules, pair, &pair->old_side));
	for (size_t i = 0; known && i < variants.count && !same; i++) {
		RG_TRY(try_variant(nearest, rules, &variants.items[i], old->tree, pair, &best,
				   &nearer, &same));
		if (nearer || same)
			found = &variants.items[i];
	}
	if (!found)
		return NULL;
	nearest->name = found->name;
	return read_variant(nearest, found, old->tree, &pair->old_side);
}
