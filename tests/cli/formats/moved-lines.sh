# SPDX-License-Identifier: Apache-2.0
# A line of a text that is elsewhere, equal in full, has moved, and no number of it is lost: on the terminal, in markdown
# and in JSON. Two lines that differ in their numbers alone are compared in order.
mkdir old new
lines() { # FILE OLD NEW: words with line ends between them
	printf '%s\n' $2 | tr _ ' ' >old/$1
	printf '%s\n' $3 | tr _ ' ' >new/$1
}
shown() {
	echo "== $1"
	regild compare -q old/$1 new/$1 --fail-on lost >/dev/null || echo "exit code $?"
	for report in '' '--markdown -' '--json -'; do
		regild compare -q old/$1 new/$1 $report 2>&1 | grep -o '[0-9]* line moved ([^)]*)' | head -1
	done
	regild compare -q old/$1 new/$1 --csv - --columns metric,n_steps,avg_rel_diff,changes
}
lines past.txt 'alpha_=_1 beta_=_2 gamma_=_3 delta_=_4' 'beta_=_2 gamma_=_3 alpha_=_1 delta_=_4'
shown past.txt
lines block.txt 'head_one x_=_1 y_=_2 foot_5' 'x_=_1 y_=_2 head_one foot_6'
shown block.txt
lines gone.txt 'a_=_1 b_=_2 c_=_3 d_=_4 e_=_5' 'd_=_4 a_=_1 c_=_3 e_=_5'
shown gone.txt
lines swapped.txt 'energy_=_1 energy_=_2 end_of_3' 'energy_=_2 energy_=_1 end_of_3'
shown swapped.txt
