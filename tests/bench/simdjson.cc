// SPDX-License-Identifier: Apache-2.0
// The peer of a comparison of two goldens of series: reads both with simdjson's on-demand parser, pairs the
// steps and prints the average relative difference of each metric.
// usage: simdjson OLD NEW
#include <simdjson.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace simdjson;

struct series {
	std::string name;
	std::vector<long> steps;
	std::vector<double> values;
};

static std::vector<series> read(const char *path)
{
	ondemand::parser parser;
	padded_string text = padded_string::load(path);
	ondemand::document document = parser.iterate(text);
	std::vector<series> all;
	for (auto metric : document.get_object()) {
		series one;
		one.name = std::string(std::string_view(metric.unescaped_key()));
		for (auto value : metric.value()["values"].get_object()) {
			one.steps.push_back(std::atol(std::string(std::string_view(value.unescaped_key())).c_str()));
			one.values.push_back(double(value.value().get_double()));
		}
		all.push_back(std::move(one));
	}
	return all;
}

int main(int argc, char **argv)
{
	if (argc != 3)
		return 2;
	const std::vector<series> old = read(argv[1]), fresh = read(argv[2]);
	for (size_t i = 0; i < old.size() && i < fresh.size(); i++) {
		double sum = 0;
		size_t count = 0;
		for (size_t k = 0; k < old[i].steps.size() && k < fresh[i].steps.size(); k++) {
			if (old[i].steps[k] != fresh[i].steps[k] || old[i].values[k] == 0)
				continue;
			sum += (old[i].values[k] - fresh[i].values[k]) / std::fabs(old[i].values[k]);
			count++;
		}
		std::printf("%s %zu %.17g\n", old[i].name.c_str(), count, sum / double(count));
	}
	return 0;
}
