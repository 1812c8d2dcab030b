#include "bundle_file.h"

rg_error *bundle_file_open(bundle_file *file, const char *path)
{
	*file = (bundle_file){0};
	RG_TRY(rg_map_open(&file->map, path));
	return rg_error_wrap(rg_bundle_read(&file->bundle, file->map.data, file->map.size), "%s",
			     path);
}

void bundle_file_release(bundle_file *file)
{
	rg_bundle_release(&file->bundle);
	rg_map_release(&file->map);
}

rg_error *bundle_file_name(char **out, const rg_bundle_value *value, const char *extension)
{
	return rg_textf(out, "%s/%zu/%s_%zu.%s", value->method, value->case_index,
			value->output ? "output" : "input", value->index, extension);
}
