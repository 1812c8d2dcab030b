/* SPDX-License-Identifier: Apache-2.0 */
#include "config/presets.h"

#include "base/buf.h"
#include "base/templates.h"
#include "config/config_internal.h"

#include <stdlib.h>
#include <string.h>

/* The default is the first one. */
static const rg_preset presets[] = {
	{"megatron", "megatron.regild", "tests/functional_tests/test_cases"},
	{"executorch", "executorch.regild", "goldens"},
	{"torchtitan", "torchtitan.regild", "tests/assets/losses"},
	{"pytorch-dynamo", "pytorch-dynamo.regild", "benchmarks/dynamo/ci_expected_accuracy"},
	{"pytorch-pr-time", "pytorch-pr-time.regild", "benchmarks/dynamo/pr_time_benchmarks"},
	{"vtr", "vtr.regild", "vtr_flow/tasks/regression_tests"},
	{"nemo-rl", "nemo-rl.regild", "tests/test_suites"},
	{"lm-eval", "lm-eval.regild", "goldens"},
	{"google-benchmark", "google-benchmark.regild", "goldens"},
	{"plain", "plain.regild", "goldens"},
	{0},
};

const rg_preset *rg_preset_find(const char *name)
{
	const rg_preset *preset = presets;
	while (preset->name && strcmp(preset->name, name) != 0)
		preset++;
	return preset->name ? preset : NULL;
}

/* The expectations of Megatron-LM's metrics, whose names are known. */
static const struct {
	const char *name, *value;
} metrics[] =
	{
		{"lm loss.noise", "1e-4"},
		{"lm loss.flag", "1e-3"},
		{"mem-*.flag", "0.05"},
		{"num-zeros.flag", "0.2"},
		{"*time*.flag", "0.05"},
		{"*latency*.flag", "0.05"},
		{"*throughput*.flag", "0.05"},
		{"*tpot*.flag", "0.05"},
		{"*ttft*.flag", "0.05"},
		{"*time.duration", "yes"},
		{"*timing*.duration", "yes"},
		{"*latency*.duration", "yes"},
		{"*tpot*.duration", "yes"},
		{"*ttft*.duration", "yes"},
		{"*throughput*.duration", "rate"},
		{"iteration-time.nan", "placeholder"},
},
  /* Megatron-LM's own layout, which its template has as comments. */
	megatron[] = {
		{"regild.root", "tests/functional_tests/test_cases"},
		{"regild.files", "golden_values*.json"},
		{"regild.nonfinite", "refuse"},
		{"jobs.name", "{stage}/{test} - {tag}"},
		{"jobs.artifact", "logs-{test}-{run}-{unique}"},
		{"jobs.target", "{stage}/{test}/{file}"},
		{"jobs.members",
		 "results/iteration={repeat}/{restart}/assets/basic/{folder}/{file}"},
		{"jobs.rename", "generations*.json -> golden_values*.json"},
		/* Megatron-LM's own tests: every step equal, and within 5 %. */
		{"check.deterministic.metric", "lm loss"},
		{"check.deterministic.metric", "mtp_1 loss"},
		{"check.deterministic.metric", "mtp_2 loss"},
		{"check.deterministic.metric", "total loss"},
		{"check.deterministic.metric", "num-zeros"},
		{"check.deterministic.metric", "generated_tokens"},
		{"check.deterministic.metric", "logprobs"},
		{"check.deterministic.metric", "*/generated_tokens"},
		{"check.deterministic.metric", "*/logprobs"},
		{"check.deterministic.listed", "METRICS in model_config.yaml"},
		{"check.deterministic.otherwise", "lm loss"},
		{"check.deterministic.otherwise", "num-zeros"},
		{"check.deterministic.unless", "NON_DETERMINSTIC_RESULTS in model_config.yaml"},
		{"check.deterministic.decimals", "5"},
		{"check.approximate.metric", "*"},
		{"check.approximate.listed", "METRICS in model_config.yaml"},
		{"check.approximate.otherwise", "lm loss"},
		{"check.approximate.otherwise", "num-zeros"},
		{"check.approximate.decimals", "5"},
		{"check.approximate.rtol", "0.05"},
		{"check.approximate.outliers", "1% up to 50"},
		{"check.approximate:num-zeros.rtol", "0.20"},
		{"check.approximate:iteration-time.steps", "5..20 if last <= 25"},
		{"check.approximate:iteration-time.steps", "30..45"},
		{"check.approximate:iteration-time.fallback", "first 4"},
		{"check.approximate:iteration-time.aggregate", "median"},
};

static const char blanks[] = " \t\r";

static rg_error *append_line(rg_config *config, const rg_preset *preset, const char *section,
			     const char *line, size_t length)
{
	const char *equals = memchr(line, '=', length), *value, *end = line + length;
	size_t key = equals ? (size_t)(equals - line) : 0;

	while (key && strchr(blanks, line[key - 1]))
		key--;
	if (!key)
		return NULL;
	for (value = equals + 1; value < end && strchr(blanks, *value); value++)
		;
	if (end - value >= 2 && *value == '"' && end[-1] == '"')
		value++, end--;
	RG_AUTO_FREE char *name = rg_textf("%s.%.*s", section, (int)key, line);
	RG_AUTO_FREE char *text = rg_strndup(value, (size_t)(end - value));
	return rg_config_add(config, RG_LEVEL_LAYOUT, name,
			     strcmp(text, "{{root}}") ? text : preset->root, "its layout");
}

/* The settings of one of our templates: sections, comments, and a setting a line. */
static rg_error *append_preset(rg_config *config, const rg_preset *preset)
{
	char section[RG_CONFIG_NAME_MAX] = "";
	const char *next;

	for (const char *line = rg_template_text(preset->file); *line; line = next) {
		size_t length = strcspn(line, "\n"), used = 0;
		next = line + length + (line[length] == '\n');
		for (; length && strchr(blanks, *line); length--)
			line++;
		while (length && strchr(blanks, line[length - 1]))
			length--;
		if (!length || *line == '#' || *line == ';')
			continue;
		if (*line != '[') {
			RG_TRY(append_line(config, preset, section, line, length));
			continue;
		}
		/* "[regild]" or "[source "losses"]". */
		for (size_t i = 1; i < length && line[i] != ']' && used + 1 < sizeof(section); i++)
			if (line[i] == ' ' && i + 1 < length && line[i + 1] == '"')
				section[used++] = '.';
			else if (line[i] != '"')
				section[used++] = line[i];
		section[used] = '\0';
	}
	return NULL;
}

/* The one that counts; the settings are not sorted yet. */
static const rg_config_item *find(const rg_config *config, const char *name)
{
	for (size_t i = config->count; i; i--)
		if (!strcmp(config->settings[i - 1].name, name))
			return &config->settings[i - 1];
	return NULL;
}

/* Has somebody described a layout of another kind? */
static bool has_own_layout(const rg_config *config)
{
	bool artifacts = false;
	for (size_t i = 0; i < config->count; i++) {
		const char *name = config->settings[i].name, *key = strrchr(name, '.');
		if (!strncmp(name, "jobs.", 5))
			return false;
		artifacts |= !strncmp(name, "source.", 7) && key && !strcmp(key, ".artifact");
	}
	return artifacts;
}

static rg_error *refuse(const rg_config_item *layout)
{
	RG_AUTO(rg_buf) text = rg_buf_of(RG_BUF_ANY);
	for (const rg_preset *preset = presets; preset->name; preset++)
		rg_buf_printf(&text, "%s%s", preset == presets ? "" : ", ", preset->name);
	return rg_error_new(RG_E_USAGE, "%s: regild.layout: '%s' is not a layout; there are %s",
			    layout->from, layout->value, text.data);
}

/* Is there a root, and another than the layout's, however it is written? */
static bool has_other_root(const rg_config *config)
{
	const rg_config_item *root = find(config, "regild.root");
	const char *own = presets->root,
		   *text = root ? root->value + strspn(root->value, "./") : own;
	const size_t length = strlen(own);
	return strncmp(text, own, length) != 0 || text[length + strspn(text + length, "/")];
}

rg_error *rg_config_add_layout(rg_config *config)
{
	const rg_config_item *layout = find(config, "regild.layout");
	const rg_preset *preset = layout ? rg_preset_find(layout->value) : NULL;
	const bool is_megatron = preset ? preset == presets : !has_own_layout(config);
	/* If somebody has chosen the layout, all metrics are Megatron-LM's. If it is only assumed,
	 * and the goldens are where Megatron-LM has them, those of goldens with its name are. */
	const bool has_metrics = is_megatron && (preset || (!has_other_root(config) &&
							    !find(config, "regild.files")));

	if (layout && !preset)
		return refuse(layout);
	RG_TRY(rg_config_add(config, RG_LEVEL_BUILT_IN, "metric.*.flag", "1e-3", NULL));
	for (size_t i = 0; has_metrics && i < sizeof(metrics) / sizeof(*metrics); i++) {
		RG_AUTO_FREE char *name = rg_textf(
			"%s%s",
			preset ? "metric." : "golden.golden_values*.json:", metrics[i].name);
		RG_TRY(rg_config_add(config, RG_LEVEL_BUILT_IN, name, metrics[i].value, NULL));
	}
	RG_TRY(rg_config_add(config, RG_LEVEL_BUILT_IN, "regild.root", ".", NULL));
	RG_TRY(rg_config_add(config, RG_LEVEL_BUILT_IN, "regild.files", "", NULL));
	if (!is_megatron)
		return preset ? append_preset(config, preset) : NULL;
	for (size_t i = 0; i < sizeof(megatron) / sizeof(*megatron); i++)
		RG_TRY(rg_config_add(config, RG_LEVEL_BUILT_IN, megatron[i].name, megatron[i].value,
				     NULL));
	return NULL;
}
