# SPDX-License-Identifier: Apache-2.0
# A number of a text is lost if its text has no number any more in that place: not if a word of its line
# changed, nor if the line moved.
lost() {
	printf '%b' "$1" >old.log
	printf '%b' "$2" >new.log
	try regild compare -q --old old.log --new new.log --fail-on lost --columns metric,n_steps,avg_rel_diff,changes --csv -
}
echo '== another bracket, another host, another version'
lost 'x [\n {"v": 1.5, "w": 2 }]\nend\n' 'x [\n {"v": 1.5, "w": 2 },\nend\n'
lost 'run on mars-20a took 5.5 s\nend\n' 'run on venus-21b took 5.5 s\nend\n'
lost 'built by cc v1.2 in 3.5 s\nb 2\nc 3\n' 'built by cc v1.3 in 3.5 s\nb 2\nc 3\n'
lost 'mars 5.5\nend\n' 'venus 5.5\nend\n'
echo '== its figures are compared'
lost 'run on mars-20a took 5 s\nend\n' 'run on venus-21b took 6 s\nend\n'
echo '== two lines in a place, of which one went'
lost 'a 1\nlarge sum of squares 3 is fine\nhost of node-20a is at 5\nz 1\n' 'a 1\nhost of node-21b is at 5\nz 1\n'
echo '== moved'
lost 'first 1\nsecond 2\nthird line 3\nfourth 4 5\n' 'second 2\nthird line 3\nfourth 4 5\nfirst 1\n'
echo '== gone, and gone from the end of a line'
lost 'one 1\ngone here 2 3\nthree 3\n' 'one 1\nthree 3\n'
lost 'one 1\nvalues are 2 and 3\nthree 3\n' 'one 1\nvalues are 2\nthree 3\n'
lost 'one 1\nvalues are 2\nthree 3\n' 'one 1\nvalues are missing\nthree 3\n'
echo '== gone, and another line came'
lost 'one 1\nthe largest residual 2\nthree 3\n' 'zip 7 8 9\none 1\nthree 3\n'
echo '== moved, and changed there'
lost 'Time 5\nEnergy 7\n' 'Energy 7\nTime 5.5\n'
echo '== NaN in a line that came, in place of one that went or alone'
not_finite() {
	printf '%b' "$1" >old.log
	printf '%b' "$2" >new.log
	try regild compare -q old.log new.log --fail-on nonfinite
}
not_finite 'energy = 5\nv 1\n' 'Energy = nan\nv 1\n'
not_finite 'v 1\nw 2\n' 'v 1\nw 2\nforce = nan\n'
not_finite 'energy = nan\nv 1\n' 'Energy = nan\nv 1\n'
