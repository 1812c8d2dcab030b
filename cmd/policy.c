#include "policy.h"

static rg_error *load_section(rg_policy *policy, const rg_config *config, const char *pattern)
{
	const char *key;
	size_t i;

	for (i = 0; rg_config_subsection_key(config, "metric", pattern, i, &key); i++) {
		const char *value = rg_config_subsection_get(config, "metric", pattern, key);

		if (rg_config_subsection_is_default(config, "metric", pattern, key))
			RG_TRY(rg_policy_set_default(policy, pattern, key, value));
		else
			RG_TRY(rg_config_subsection_blame(
				config, "metric", pattern, key,
				rg_policy_set(policy, pattern, key, value)));
	}
	return NULL;
}

rg_error *policy_load(rg_policy **out, const rg_config *config)
{
	const char *pattern;
	rg_error *err = NULL;
	size_t i;

	RG_TRY(rg_policy_new(out));
	for (i = 0; !err && rg_config_subsection(config, "metric", i, &pattern); i++)
		err = load_section(*out, config, pattern);
	if (err) {
		rg_policy_free(*out);
		*out = NULL;
	}
	return err;
}
