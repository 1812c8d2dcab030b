#include "update/guard.h"

#include <stddef.h>
#include <string.h>

static const struct {
	unsigned guard;
	const char *name;
} names[] = {
	{RG_GUARD_NONFINITE, "nonfinite"},
	{RG_GUARD_SHRINK, "shrink"},
	{RG_GUARD_EMPTY, "empty"},
	{RG_GUARD_DIRTY, "dirty"},
	{RG_GUARD_LFS, "lfs"},
	{RG_GUARD_SPARSE, "sparse"},
	{RG_GUARD_TWIN, "twin"},
	{RG_GUARD_UNREADABLE, "unreadable"},
};

const char *rg_guard_name(unsigned guard)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (guard & names[i].guard)
			return names[i].name;
	return "";
}

unsigned rg_guard_parse(const char *name)
{
	size_t i;

	for (i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(name, names[i].name))
			return names[i].guard & RG_GUARD_ALLOWABLE;
	return 0;
}
