# SPDX-License-Identifier: Apache-2.0
# Numbers as people write them in cells, lists, JSON and texts: with a unit, in per cent, with a D
# for an exponent, with a decimal comma.
mkdir old new
# NAME FORMAT OLD NEW: the format has a %s for what differs.
write() {
	printf "$2" "$3" >old/$1
	printf "$2" "$4" >new/$1
}
gate() {
	echo "== $1"
	regild compare -q --csv - old/$1 new/$1 --columns metric,n_steps,avg_rel_diff,changes --fail-above 1e-3 || echo "exit code $?"
}
{
	write same-unit.csv 'name,t\na,%s\nb,5ms\n' '7 ns' '6 ns'
	write other-unit.csv 'name,t\na,%s\nb,5ms\n' '7 ns' '900 us'
	write close.csv 'name,t\na,%s\nb,5ms\n' '7 ns' '7.0001ns'
	write no-unit.csv 'name,t\na,%s\n' '7' '7.0001 s'
	write percent.csv 'name,p\na,%s\n' '95.0%' '94.0 %'
	write exponent.csv 'name,e\na,%s\nb,0.1000-119\n' '1.5D+03' '1.6d3'
	write comma.csv 'name;v\na;%s\nb;2.5\n' '1,5' '1,6'
	write comma.tsv 'name\tv\na\t%s\n' '1,5' '1,6'
	write grouped.csv 'name,v\na,"%s"\n' '1,234.5' '1,234.6'
	write grouped.tsv 'name\tv\na\t%s\n' '1,234.5' '1,234.6'
	write hash.csv 'name,v\na,%s\n' '12e45678' '12e45679'
	write words.csv 'name,v\na,%s\n' '7 frobs' '8 frobs'
	write scalar.json '{"run": {"v": "%s"}}' '0.25' '0.5'
	write scalar-unit.json '{"run": {"v": "%s"}}' '1.2ms' '1.2 s'
	write record.json '[{"name": "a", "v": "%s"}, {"name": "b", "v": 2}]' '0.25' '0.26'
	write block.json '{"loss": {"values": {"1": "%s", "2": 3}}}' '1.5D+03' '1.6D+03'
	write golden.yaml 'run: {v: "%s"}\n' '50%' '75%'
	write steps.txt '1 %s\n2 0.5\n' '1.5D+03' '1.6D+03'
	write log.out 'took %s, used 5MB\n' '5.3s' '5.4s'
	write log-unit.out 'took %s, used 5MB\n' '5.3s' '5.3ms'
	write log-word.out 'took %s, used 5 MB\n' '5.3 s' '5.3 ms'
	write fortran.out 'norm %s\n' '0.1000-119' '0.1000-118'
	write log.csv 'step,epoch,t\n1,0,%s\n2,0,5 ms\n' '7 ns' '8 ms'
	for file in same-unit.csv other-unit.csv close.csv no-unit.csv percent.csv exponent.csv \
		comma.csv comma.tsv grouped.csv grouped.tsv hash.csv words.csv scalar.json \
		scalar-unit.json record.json block.json golden.yaml steps.txt log.out \
		log-unit.out log-word.out fortran.out log.csv; do
		gate $file
	done
	echo '== a level of .regild is a gate, too'
	new_repository repository
	printf '[regild]\n\troot = .\n\tfiles = *.csv\n[metric "*"]\n\tfail = 1e-3\n' >.regild
	printf 'name,t\na,7 ns\n' >t.csv
	commit
	printf 'name,t\na,7 ms\n' >t.csv
	regild compare -q || echo "exit code $?"
	regild compare -q --fail-on changed || echo "exit code $?"
} >shown 2>&1
cat shown
