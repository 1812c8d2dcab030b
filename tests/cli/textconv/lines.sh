# SPDX-License-Identifier: Apache-2.0
# A line for each value, whatever the values and names are; the rest of a large tensor is a digest.
cat >golden.json <<'JSON'
{"b": {"start_step": 1, "end_step": 3, "step_interval": 1,
       "values": {"10": 1e-5, "2": NaN, "9": -0.0, "100": 0.1, "1": Infinity}},
 "a\n\u202e": {"values": {"1": 1}}, "none": {"values": {}},
 "0": {"generated_text": "two\n\"lines\"\t\u001b[31m", "generated_tokens": [5, 7], "logprobs": [-0.5]}}
JSON
regild textconv golden.json
echo '# its name does not matter'
regild textconv golden.json >text
mv golden.json XyZ123_copy
regild textconv XyZ123_copy | cmp - text
echo '# tensors'
# npy FILE DTYPE SHAPE: the header of a .npy.
npy() {
	local header="{'descr': '$2', 'fortran_order': False, 'shape': $3, }"
	printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "$header" >"$1"
}
npy small.npy '<f8' '(2, 2)'
printf '\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\xf8\x7f\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\xc0' >>small.npy
regild textconv small.npy
npy large.npy '|u1' '(1001000,)'
head -c 1001000 /dev/zero >>large.npy
regild textconv large.npy | sed -n '1,2p;1000,$p'
printf '\1' | dd of=large.npy conv=notrunc bs=1 seek=1000999 status=none
regild textconv large.npy | sed -n '1001,$p'
echo '# what no reader takes, and what has no metric, is printed as it is'
: >empty
printf 'no\0golden' >text.bin
echo '{"a": null}' >null.json
echo '[]' >list.json
printf 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n' >lfs.json
for file in empty text.bin null.json list.json lfs.json; do regild textconv $file | cmp - $file; done
truncate -s 300M large.json
regild textconv large.json | cmp - large.json
rm large.json
echo '# settings do not count, and a wrong one does not matter'
new_repository
printf '[regild' >.regild
regild textconv null.json
echo '# what cannot be read'
try regild textconv missing.json
try regild textconv .
try regild textconv ''
try regild textconv
try regild textconv a b
