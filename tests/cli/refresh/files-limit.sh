# SPDX-License-Identifier: Apache-2.0
# Where a source puts files as they are (target = {path}), regild.files limits what is taken, whichever members are named. It
# matches the end of a path, as everywhere.
new_repository
mkdir -p g run/r1/a
golden g/a/x.json 'lm loss' 1 2
golden run/r1/a/x.json 'lm loss' 1 3
golden run/r1/top.json 'lm loss' 1 3
golden run/r1/a/x.draft.json 'lm loss' 1 3
echo 'v 1' >run/r1/a/log.txt
printf '1,2\n' >run/r1/b.csv
git add g && git commit -q -m goldens
for members in '**' '**/*.json **/*.txt' 'a/**' '*' '{path}'; do
	for files in '*.json !*.draft.json' 'a/*.json' '**/*.json' '*.nothing'; do
		printf '[source "r"]\n\tartifact = r*\n\tmembers = %s\n\ttarget = {path}\n[regild]\n\troot = g\n\tfiles = %s\n' "$members" "$files" >.regild
		echo "== members $members, files $files"
		echo "== members $members, files $files" >&2
		regild refresh -q -v --from run --dry-run | sed -n '/^\(new\|changed\) /p' || true
	done
done
echo '== without files, and with another target, all members are'
printf '[source "r"]\n\tartifact = r*\n\tmembers = **\n\ttarget = {path}\n[regild]\n\troot = g\n' >.regild
regild refresh -q -v --from run --dry-run | sed -n '/^\(new\|changed\) /p'
printf '[source "r"]\n\tartifact = r*\n\tmembers = **/*.csv\n\ttarget = sub/{path}\n[regild]\n\troot = g\n\tfiles = *.json\n' >.regild
regild refresh -q -v --from run --dry-run | sed -n '/^\(new\|changed\) /p'
