# SPDX-License-Identifier: Apache-2.0
# Fortran leaves out the exponent's letter if the exponent has three digits: 0.1000-119 is 1e-120.
pair() { # NAME OLD NEW
	mkdir -p old new
	printf "$2" >old/$1
	printf "$3" >new/$1
	echo "== $1"
	regild compare --no-pager old/$1 new/$1 | sed -n '/NOISE/d; /REVIEW/,$p'
	regild compare --no-pager --csv - old/$1 new/$1 2>/dev/null | sed 1d
}
pair columns.txt ' 0.1000-119  0.2\n 0.3000E+00  0.5\n' ' 0.1250-119  0.2\n 0.3000E+00  0.5\n'
pair table.csv 'n,a,b\nx,0.1000+119,1.5D+03\ny,0.1,3\n' 'n,a,b\nx,0.1250+119,1.8D+03\ny,0.1,3\n'
pair list.dat '0.1000-119\n0.2\n' '0.1250-119\n0.2\n'
pair steps.txt '1 0.1000+119\n2 0.3000E+00\n' '1 0.1250+119\n2 0.3000E+00\n'
pair words.txt 'energy = 0.1000-119, b = 0.4\n' 'energy = 0.1250-119, b = 0.4\n'
pair list.json '{"a": ["0.1000-119", "1.5D+03"]}' '{"a": ["0.1000-119", "1.8D+03"]}'
