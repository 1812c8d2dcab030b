/* SPDX-License-Identifier: Apache-2.0 */
#include "golden/sections.h"
#include "golden/column_list.h"

#include "base/buf.h"
#include "base/path.h"
#include "base/pattern.h"
#include "golden/text.h"

#include <string.h>

const void *rg_section_of(const void *sections, size_t count, size_t size, const char *name)
{
	const void *best = NULL;
	size_t best_weight = 0;

	for (size_t i = 0; i < count; i++) {
		const void *section = (const char *)sections + i * size;
		const char *pattern = *(const char *const *)section;
		const size_t weight = pattern ? rg_glob_weight(pattern) : 0;
		if ((!pattern || rg_glob_match_end(pattern, name)) &&
		    (!best || weight >= best_weight)) {
			best = section;
			best_weight = weight;
		}
	}
	return best;
}

const rg_table_rule *rg_table_rule_of(const rg_golden_options *options, const char *name)
{
	return options ? rg_section_of(options->table_rules, options->table_rule_count,
				       sizeof(*options->table_rules), name)
		       : NULL;
}

static const struct {
	unsigned setting;
	const char *key;
} keys[] = {{RG_SET_KEY, "key"},
	    {RG_SET_COLUMNS, "columns"},
	    {RG_SET_HEADER, "header"},
	    {RG_SET_NAMES, "names"},
	    {RG_SET_DELIMITER, "delimiter"},
	    {RG_SET_COMMENT, "comment"},
	    {RG_SET_SKIP, "skip"},
	    {RG_SET_METRIC, "metric"},
	    {RG_SET_VALUE, "value"},
	    {RG_SET_ROWS, "metrics = rows"},
	    {RG_SET_TOLERANCE, "tolerance"}};

unsigned rg_settings_of(const rg_table_rule *rule)
{
	return (rule->key_count ? RG_SET_KEY : 0U) | (rule->columns ? RG_SET_COLUMNS : 0U) |
	       (rule->header ? RG_SET_HEADER : 0U) | (rule->names ? RG_SET_NAMES : 0U) |
	       (rule->delimiter ? RG_SET_DELIMITER : 0U) | (rule->comment ? RG_SET_COMMENT : 0U) |
	       (rule->skip ? RG_SET_SKIP : 0U) | (rule->metric ? RG_SET_METRIC : 0U) |
	       (rule->value ? RG_SET_VALUE : 0U) | (rule->rows ? RG_SET_ROWS : 0U) |
	       (rule->tolerance ? RG_SET_TOLERANCE : 0U);
}

/* Does the pattern say anything about the file's own name? */
static bool names_file(const char *pattern)
{
	const char *name = rg_path_name(pattern);
	return name[strspn(name, "*")];
}

/* Has a table none of the columns that are to be compared? */
static bool lacks_all_columns(const rg_golden *golden)
{
	const rg_table_rule *rule = golden->table_rule;
	size_t i = 0;

	while (rule && rule->columns && i < golden->count &&
	       !rg_column_list_has(rule->columns, golden->metrics[i].name,
				   strlen(golden->metrics[i].name)))
		i++;
	return rule && rule->columns && !rule->rows && !rule->metric && i == golden->count;
}

/* [table "x.npy"] has key and columns, which do nothing here: it is read as 'npy' */
static void format_ignored(rg_buf *out, const rg_golden *golden, const char *pattern,
			   unsigned settings, bool lacks_columns)
{
	const bool opaque = rg_golden_is_opaque(golden);
	const char *why = opaque               ? golden->why_opaque
			  : golden->note_count ? golden->notes[0].text
					       : NULL;
	size_t count = 0;

	rg_buf_printf(out, "[%s \"%s\"] has ",
		      settings == RG_SET_TEXT     ? "text"
		      : settings == RG_SET_TENSOR ? "tensor"
						  : "table",
		      pattern);
	if (settings == RG_SET_TEXT)
		rg_buf_str(out, "settings for texts with numbers");
	if (settings == RG_SET_TENSOR)
		rg_buf_str(out, "settings for tensors without a type of their own");
	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		if (!(settings & keys[i].setting))
			continue;
		settings &= ~keys[i].setting;
		rg_buf_printf(out, "%s%s", !count ? "" : settings ? ", " : " and ", keys[i].key);
		count++;
	}
	rg_buf_printf(out, ", which %s nothing here: ", count == 1 ? "does" : "do");
	if (opaque)
		rg_buf_str(out, "no reader takes it");
	else if (lacks_columns)
		rg_buf_str(out, "it has none of them");
	else
		rg_buf_printf(out, "it is read as '%s'", golden->format);
	if (why)
		rg_buf_printf(out, " (%s)", why);
}

static rg_error *refuse(rg_golden *golden, const rg_golden_options *options, const char *pattern,
			unsigned settings, bool lacks_columns)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	unsigned ignored = settings & ~golden->heeded;

	if (!options || !ignored || !pattern || !names_file(pattern))
		return NULL;
	const unsigned alone =
		ignored &
		~(options->heeded_elsewhere
			  ? options->heeded_elsewhere(options->heeded_context, pattern, ignored)
			  : 0U);
	ignored = alone ? alone : ignored;
	format_ignored(&text, golden, pattern, ignored, lacks_columns && ignored == RG_SET_COLUMNS);
	if (alone)
		return rg_error_new(RG_E_USAGE, "%s; take it out of .regild, or name other goldens",
				    text.data);
	rg_golden_add_note(golden, RG_NOTE_SETTING, text.data);
	return NULL;
}

rg_error *rg_settings_refuse_ignored(rg_golden *golden, const rg_golden_options *options)
{
	const rg_table_rule *table = golden->table_rule;
	const rg_text_rule *text = golden->text_rule;
	const rg_tensor_type *tensor =
		options ? rg_section_of(options->tensor_types, options->tensor_type_count,
					sizeof(*options->tensor_types), golden->name)
			: NULL;
	const bool lacks = golden->heeded & RG_SET_COLUMNS && lacks_all_columns(golden);
	if (lacks)
		golden->heeded &= ~(unsigned)RG_SET_COLUMNS;
	if (table)
		RG_TRY(refuse(golden, options, table->pattern, rg_settings_of(table), lacks));
	if (text)
		RG_TRY(refuse(golden, options, text->pattern, RG_SET_TEXT, false));
	return tensor ? refuse(golden, options, tensor->pattern, RG_SET_TENSOR, false) : NULL;
}
