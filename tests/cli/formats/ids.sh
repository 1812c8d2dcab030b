# SPDX-License-Identifier: Apache-2.0
# Ids are equal or not, whoever reads them: 7 is no nearer to 8 than to 900. A count of tokens is a number.
new_repository
printf '[regild]\n\troot = g\n\tfiles = *.json *.safetensors *.csv\n' >.regild
mkdir g
# safetensors BYTES: in octal, three int32 of each name.
safetensors() {
	local header='{"routing_indices/layer_1":{"dtype":"I32","shape":[3],"data_offsets":[0,12]},"weight":{"dtype":"I32","shape":[3],"data_offsets":[12,24]}}'
	printf "\\$(printf %o ${#header})\\0\\0\\0\\0\\0\\0\\0%s" "$header"
	printf '\5\0\0\0\7\0\0\0\11\0\0\0'"$1"
}
write() {
	printf '{"routing_indices": {"layer_1": [5, %s, 9]}, "0": {"generated_tokens": [1, %s], "num_tokens": %s}}' $1 $1 $1 >g/ids.json
	printf 'name,num_tokens\nx,%s\n' $1 >g/ids.csv
}
write 7
safetensors '\5\0\0\0\7\0\0\0\11\0\0\0' >g/ids.safetensors
commit
write 8
safetensors '\5\0\0\0\7\0\0\0\12\0\0\0' | sed 's/\x05\x00\x00\x00\x07/\x05\x00\x00\x00\x08/' >g/ids.safetensors
regild compare -q --csv - --columns file,metric,kind,n_steps,first_diff,old_excerpt,new_excerpt,level
