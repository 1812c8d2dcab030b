/* SPDX-License-Identifier: Apache-2.0 */
#include "unit.h"

#include "by_step.h"
#include "format_reader.h"

static const char log_text[] = "Step 1 | loss:2.5 lr:2e-05 a:b:3 \n"
			       "\n"
			       "Step 2 | loss:nan lr:2e-05 dtype:bf16 \r\n";

TEST(reads_log)
{
	rg_golden *g = golden_of("log_1700000000.txt", log_text);

	assert_string_equal(g->format, "torchtune");
	assert_true(value_at(g, "loss", 1) == 2.5 && value_at(g, "lr", 2) == 2e-5);
	assert_true(value_at(g, "a:b", 1) == 3);
	assert_string_equal(text_at(g, "dtype", 2), "bf16");
	rg_golden_free(g);
}

TEST(others_are_texts)
{
	assert_text("x.log", "Step 1 | loss:2.5\nsaved in 3 s\n",
		    "read as a text with numbers: not of format 'torchtune': line 2: does not "
		    "begin with 'Step N |'");
	assert_text("x.log", "Step 1 | loss:2.5 4\n",
		    "read as a text with numbers: not of format 'torchtune': line 1: is not made "
		    "of NAME:VALUE");
	assert_text("x.log", "Step 1 | loss:2.5 loss:2\n",
		    "read as a text with numbers: not of format 'torchtune': step 1 has two values "
		    "of 'loss'");
	assert_survives(&rg_format_torchtune,
			(rg_input){.name = "x", .data = log_text, .size = strlen(log_text)});
}
