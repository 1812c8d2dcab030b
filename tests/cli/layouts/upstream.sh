# SPDX-License-Identifier: Apache-2.0
# The files that presets were written from are compared with those of a clone's HEAD, not of its working tree.
check() {
	PRESETS=$PWD/presets try bash "$REGILD_TOP/scripts/check-presets.sh" "$@"
}
new_repository
mkdir presets tools
for name in same moved removed; do echo $name >tools/$name.py; done
printf '[regild]\n\tlayout = none\n' >presets/none.regild
printf '[regild]\n\troot = .\n' >presets/folders.regild
# preset NAME FILE…
preset() {
	local file name=$1
	shift
	{
		echo '{{! Written from 0123456789:'
		for file; do echo "  $(git hash-object "tools/$file.py" | cut -c-12) tools/$file.py"; done
		echo '}}'
		printf '[regild]\n\tlayout = %s\n' "$name"
	} >presets/$name.regild
}
preset all same moved removed
preset fine same
preset other removed
commit
check .
echo more >>tools/moved.py
git rm -q tools/removed.py
echo '-- not committed'
check .
commit
echo '-- committed'
check .
echo '-- no clone'
check nowhere
try make -s -C "$REGILD_TOP" check-presets CLONE="$PWD" 2>/dev/null | grep -e megatron -e vtr
