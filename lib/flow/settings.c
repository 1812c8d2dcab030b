/* SPDX-License-Identifier: Apache-2.0 */
#include "flow/settings.h"

#include "base/memory.h"
#include "base/number.h"
#include "golden/column_list.h"
#include "golden/tensor.h"
#include "golden/text_names.h"

#include <string.h>

/* `dashes` come before the names of flags. */
static rg_error *set_type(rg_tensor_type *type, const char *pattern, const char *dtype,
			  const char *shape, const char *dashes)
{
	*type = (rg_tensor_type){.pattern = pattern, .dtype = dtype};
	if (dtype && !rg_tensor_is_type(dtype))
		return rg_error_new(RG_E_USAGE,
				    "%sdtype: '%s' is not a tensor type; float32 is one", dashes,
				    dtype);
	return shape ? rg_error_wrap(rg_shape_parse(shape, type->shape, &type->dimensions),
				     "%sshape", dashes)
		     : NULL;
}

/* `keys`: those that there are, as the message names them. */
static rg_error *check_keys(const rg_config *config, const char *section, const char *pattern,
			    const char *keys)
{
	const char *key;
	for (size_t i = 0; rg_config_subsection_key(config, section, pattern, i, &key); i++)
		if (!rg_column_list_has(keys, key, strlen(key)))
			return rg_config_subsection_blame(
				config, section, pattern, key,
				rg_error_new(RG_E_USAGE,
					     "[%s \"%s\"]: '%s' is not one of its keys: %s",
					     section, pattern, key, keys));
	return NULL;
}

static rg_error *load_types(rg_formats *loaded, const rg_config *config,
			    const rg_format_choice *choice)
{
	const char *pattern;
	size_t count = 0;

	while (rg_config_subsection(config, "tensor", count, &pattern))
		count++;
	loaded->types = rg_arena_alloc(&loaded->arena, (count + 1) * sizeof(*loaded->types));
	if (choice && (choice->dtype || choice->shape)) {
		/* Flags are for all, whatever programs and sections say. */
		RG_TRY(set_type(&loaded->types[0], NULL, choice->dtype, choice->shape, "--"));
		count = 1;
	} else {
		for (size_t i = 0; i < count; i++)
			if (rg_config_subsection(config, "tensor", i, &pattern)) {
				const char *dtype = rg_config_subsection_get(config, "tensor",
									     pattern, "dtype");
				const char *shape = rg_config_subsection_get(config, "tensor",
									     pattern, "shape");

				RG_TRY(check_keys(config, "tensor", pattern, "dtype, shape"));
				rg_error *err = rg_error_wrap(
					set_type(&loaded->types[i], pattern, dtype, shape, ""),
					"[tensor \"%s\"]", pattern);
				RG_TRY(rg_config_subsection_blame(config, "tensor", pattern,
								  dtype ? "dtype" : "shape", err));
			}
	}
	loaded->options.tensor_types = loaded->types;
	loaded->options.tensor_type_count = count;
	return NULL;
}

/* --- tables --- */

/* The values of a key that may be there several times. */
static const char *const *load_values(size_t *count, rg_arena *arena, const rg_config *config,
				      const char *section, const char *pattern, const char *key)
{
	const char **values, *value;

	*count = 0;
	while (rg_config_subsection_value(config, section, pattern, key, *count, &value))
		++*count;
	values = rg_arena_alloc(arena, (*count + 1) * sizeof(*values));
	for (size_t i = 0; i < *count; i++)
		(void)rg_config_subsection_value(config, section, pattern, key, i, &values[i]);
	return values;
}

static bool is_one_of(const char *text, const char *a, const char *b)
{
	return text && (!strcmp(text, a) || !strcmp(text, b));
}

/* `value` is NULL where nothing is said. */
typedef rg_error *set_rule_fn(rg_table_rule *rule, const char *value);

static rg_error *set_header(rg_table_rule *rule, const char *value)
{
	rule->header = is_one_of(value, "no", "false")   ? RG_HEADER_NO
		       : is_one_of(value, "yes", "true") ? RG_HEADER_YES
							 : RG_HEADER_NOT_SAID;
	if (value && !rule->header)
		return rg_error_new(RG_E_USAGE, "header: '%s' is not yes or no", value);
	return NULL;
}

static rg_error *check_names(rg_table_rule *rule, const char *value)
{
	return value && rule->header != RG_HEADER_NO
		       ? rg_error_new(RG_E_USAGE, "names = is for a table with header = no")
		       : NULL;
}

static rg_error *set_metrics(rg_table_rule *rule, const char *value)
{
	rule->rows = is_one_of(value, "rows", "rows");
	if (value && !rule->rows && strcmp(value, "columns") != 0)
		return rg_error_new(RG_E_USAGE, "metrics: '%s' is not rows or columns", value);
	if (rule->rows && (rule->metric || rule->value || rule->tolerance))
		return rg_error_new(RG_E_USAGE, "metrics = rows leaves no column for metric, value "
						"or tolerance");
	return NULL;
}

static rg_error *set_delimiter(rg_table_rule *rule, const char *value)
{
	if (is_one_of(value, "tab", "\t"))
		rule->delimiter = '\t';
	else if (value && strlen(value) == 1 && strchr(",;|:", *value))
		rule->delimiter = *value;
	else if (value)
		return rg_error_new(RG_E_USAGE, "delimiter: '%s' is not one of , ; | : tab", value);
	return NULL;
}

static rg_error *check_comment(rg_table_rule *rule, const char *value)
{
	(void)rule;
	return value && !*value ? rg_error_new(RG_E_USAGE, "comment: say what such a line begins "
							   "with")
				: NULL;
}

static rg_error *set_skip(rg_table_rule *rule, const char *value)
{
	int64_t lines = 0;
	if (value &&
	    (!rg_int64_parse(value, strlen(value), &lines) || lines < 0 || lines > INT32_MAX))
		return rg_error_new(RG_E_USAGE, "skip: '%s' is not a number of lines", value);
	rule->skip = (size_t)lines;
	return NULL;
}

static const char table_keys[] =
	"key, columns, header, names, value, metric, metrics, tolerance, delimiter, comment, skip";

static rg_error *load_tables(rg_formats *loaded, const rg_config *config)
{
	const char *pattern;
	size_t count = 0;

	while (rg_config_subsection(config, "table", count, &pattern))
		count++;
	loaded->table_rules =
		rg_arena_alloc(&loaded->arena, (count + 1) * sizeof(*loaded->table_rules));
	for (size_t i = 0; i < count; i++)
		if (rg_config_subsection(config, "table", i, &pattern)) {
			rg_table_rule *rule = &loaded->table_rules[i];
			const struct {
				const char *key;
				const char **to;
			} texts[] = {{"columns", &rule->columns}, {"names", &rule->names},
				     {"comment", &rule->comment}, {"value", &rule->value},
				     {"metric", &rule->metric},   {"tolerance", &rule->tolerance}};
			const struct {
				const char *key;
				set_rule_fn *set;
			} sets[] = {{"header", set_header},     {"names", check_names},
				    {"metrics", set_metrics},   {"delimiter", set_delimiter},
				    {"comment", check_comment}, {"skip", set_skip}};

			RG_TRY(check_keys(config, "table", pattern, table_keys));
			rule->pattern = pattern;
			for (size_t k = 0; k < sizeof(texts) / sizeof(*texts); k++)
				*texts[k].to = rg_config_subsection_get(config, "table", pattern,
									texts[k].key);
			for (size_t k = 0; k < sizeof(sets) / sizeof(*sets); k++) {
				const char *value = rg_config_subsection_get(config, "table",
									     pattern, sets[k].key);
				RG_TRY(rg_config_subsection_blame(
					config, "table", pattern, sets[k].key,
					rg_error_wrap(sets[k].set(rule, value), "[table \"%s\"]",
						      pattern)));
			}
			rule->keys = load_values(&rule->key_count, &loaded->arena, config, "table",
						 pattern, "key");
		}
	loaded->options.table_rules = loaded->table_rules;
	loaded->options.table_rule_count = count;
	return NULL;
}

/* --- texts --- */

/* name = "total energy: *{value}" */
static rg_error *load_name(rg_text_named_value *out, rg_arena *arena, const char *text)
{
	RG_AUTO(rg_buf) name = rg_buf_of(RG_BUF_TEXT);
	RG_TRY(rg_text_pattern_name(&name, text));
	RG_TRY(rg_line_pattern_new_of_value(&out->pattern, arena, text));
	out->metric = rg_arena_text(arena, name.data);
	return NULL;
}

static rg_error *load_named(rg_text_rule *rule, rg_formats *loaded, const rg_config *config)
{
	size_t count;
	const char *const *texts =
		load_values(&count, &loaded->arena, config, "text", rule->pattern, "name");
	rg_text_named_value *named = rg_arena_alloc(&loaded->arena, (count + 1) * sizeof(*named));

	rule->named = named;
	for (size_t i = 0; i < count; i++, rule->named_count++)
		RG_TRY(rg_config_subsection_blame(
			config, "text", rule->pattern, "name",
			rg_error_wrap(load_name(&named[i], &loaded->arena, texts[i]),
				      "[text \"%s\"]: name", rule->pattern)));
	return NULL;
}

rg_error *rg_formats_load(rg_formats *loaded, const rg_flow *flow, const rg_format_choice *choice)
{
	const rg_config *config = flow->config;
	*loaded = (rg_formats){.options = {.run_index = -1}};
	rg_arena_init(&loaded->arena);
	if (choice && choice->run_index.given)
		loaded->options.run_index = (int)choice->run_index.value;
	const char *yaml = rg_config_get(config, "yaml.read");
	loaded->options.yaml_1_2 = yaml && !strcmp(yaml, "1.2");
	if (yaml && !loaded->options.yaml_1_2 && strcmp(yaml, "1.1") != 0)
		return rg_config_blame(
			config, "yaml.read",
			rg_error_new(RG_E_USAGE, "[yaml] read: '%s' is not 1.1 or 1.2", yaml));
	RG_TRY(load_types(loaded, config, choice));
	RG_TRY(load_tables(loaded, config));
	const char *pattern;
	size_t count = 0;

	while (rg_config_subsection(config, "text", count, &pattern))
		count++;
	rg_text_rule *rules = rg_arena_alloc(&loaded->arena, (count + 1) * sizeof(*rules));
	loaded->options.text_rules = rules;
	loaded->options.text_rule_count = count;
	for (size_t i = 0; i < count && rg_config_subsection(config, "text", i, &pattern); i++) {
		RG_TRY(check_keys(config, "text", pattern, "ignore, name"));
		rules[i].pattern = pattern;
		rules[i].ignore = load_values(&rules[i].ignore_count, &loaded->arena, config,
					      "text", pattern, "ignore");
		RG_TRY(load_named(&rules[i], loaded, config));
	}
	loaded->heeded = rg_heeded_new(flow, &loaded->options);
	return NULL;
}

void rg_formats_release(rg_formats *loaded)
{
	rg_heeded_free(loaded->heeded);
	rg_arena_release(&loaded->arena);
	*loaded = (rg_formats){0};
}

/* --- policy --- */

typedef rg_error *set_fn(rg_policy *policy, const char *name, const char *key, const char *value);

static rg_error *load_section(rg_policy *policy, const rg_config *config, const char *section,
			      const char *name, set_fn *set)
{
	const char *key;
	for (size_t i = 0; rg_config_subsection_key(config, section, name, i, &key); i++) {
		const char *value = rg_config_subsection_get(config, section, name, key);
		if (rg_config_subsection_is_default(config, section, name, key))
			RG_TRY(rg_policy_set_default(policy, set == rg_policy_set_of_golden, name,
						     key, value));
		else
			RG_TRY(rg_config_subsection_blame(config, section, name, key,
							  set(policy, name, key, value)));
	}
	return NULL;
}

rg_error *rg_policy_load(rg_policy **out, const rg_config *config)
{
	RG_AUTO_PTR(rg_policy) policy = rg_policy_new();
	const char *name;

	*out = NULL;
	for (size_t i = 0; rg_config_subsection(config, "metric", i, &name); i++)
		RG_TRY(load_section(policy, config, "metric", name, rg_policy_set));
	for (size_t i = 0; rg_config_subsection(config, "golden", i, &name); i++)
		RG_TRY(load_section(policy, config, "golden", name, rg_policy_set_of_golden));
	RG_TRY(rg_policy_check_levels(policy));
	*out = RG_TAKE(policy);
	return NULL;
}

rg_column_context rg_columns_of(const rg_config *config)
{
	const char *nonfinite = rg_config_get(config, "regild.nonfinite");
	return (rg_column_context){.refuses = nonfinite && !strcmp(nonfinite, "refuse"),
				   .root = rg_config_get(config, "regild.root"),
				   .target = rg_config_get(config, "jobs.target"),
				   .files = rg_config_get(config, "regild.files"),
				   .names = rg_config_get(config, "names.test")};
}
