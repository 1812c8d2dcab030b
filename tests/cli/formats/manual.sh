# SPDX-License-Identifier: Apache-2.0
# The examples of regild-layouts(7) under KINDS OF PROJECTS print what is printed there, and its settings take
# all of these files.
needs_binary HDF5
needs_binary NetCDF
needs_binary FITS
sed -n '/^\.Sh KINDS/,/^\.Sh EXAMPLES/p' "$REGILD_TOP/man/regild-layouts.7" >../section
new_repository
sed -n '/^\[regild\]$/,/^\.Ed$/p' ../section | grep -v '^\.' >.regild
mkdir goldens
cd goldens
cp "$REGILD_TOP"/tests/formats/events.out.tfevents.1.golden "$REGILD_TOP"/tests/formats/arrays.npz .
cp "$REGILD_TOP/fixtures/hdf5/old/pandas.h5" plasma.h5
cp "$REGILD_TOP/fixtures/netcdf/old/cube.e" "$REGILD_TOP/fixtures/fits/old/image.fits" .
# "$ cat FILE" and what is in it, or any other command and what it prints.
wanted= command=
finish() {
	case $command in
	'') ;;
	'cat '*) printf '%s' "$wanted" >"${command#cat }" ;;
	*) diff <(printf '%s' "$wanted") <(eval "$command" | sed -e '$a\') >../../different ||
		{ echo "$command"; cat ../../different; } ;;
	esac
	command= wanted=
}
examples=0
while IFS= read -r line; do
	case $line in
	'$ '*) finish; command=${line#'$ '}; examples=$((examples + 1)) ;;
	.*) finish ;;
	*) wanted+=$line$'\n' ;;
	esac
done <../../section
echo "$examples commands"
rm image.fits # it has a NaN
cd ..
ls goldens
commit
regild check
mkdir -p ../run/results
cp -r goldens/. ../run/results
sed -i 's/7\.5/7.25/' ../run/results/log.jsonl
gzip -d ../run/results/times.csv.gz
sed -i 's/1\.5/1.25/' ../run/results/times.csv
gzip ../run/results/times.csv
try regild refresh --from ../run --csv -
git status --short
