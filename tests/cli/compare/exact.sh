# SPDX-License-Identifier: Apache-2.0
# What is not a series on both sides: the kinds, and excerpts that end between characters.
echo '{"0": {"generated_tokens": [1, 2], "generated_text": "a", "more": "b€€€€€€€€€€"}, "x": [1], "y": [2]}' >old.json
echo '{"0": {"generated_tokens": "a", "generated_text": [7], "more": "c€€€€€€€€€€"}, "x": "one", "y": [2]}' >new.json
regild compare -q --old old.json --new new.json --columns metric,old_excerpt,new_excerpt
regild compare -q --old new.json --new old.json --csv - --columns metric,first_diff,old_excerpt,new_excerpt
