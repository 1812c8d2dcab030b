# SPDX-License-Identifier: Apache-2.0
# Where the root is the top of the repository, what is to be added is what the refresh wrote, by name: '.' would add the run's
# own folder and whatever else lies around. Of many files it is the folders that they are in.
new_repository
printf '[source "r"]\n\tartifact = r*\n\tmembers = **\n\ttarget = {path}\n[regild]\n\troot = .\n\tfiles = **/*.json\n' >.regild
golden a/x.json 'lm loss' 1 2
golden "b c/y.json" 'lm loss' 1 2
golden same.json 'lm loss' 1 2
commit
# refresh: what is to be typed to keep it, typed.
refresh() {
	regild refresh -q --from run | sed -n 's/^  \(git add .*\)  *# keep the refresh/\1/p' | tee ../keep
	sed 's/ && git commit *//' ../keep | sh
	git status --short
	git commit -q -m refreshed
}
golden run/r1/a/x.json 'lm loss' 1 3
golden "run/r1/b c/y.json" 'lm loss' 1 3
golden run/r1/same.json 'lm loss' 1 2
golden run/r1/new.json 'lm loss' 1
touch notes
refresh
for n in {1..12}; do
	golden "run/r1/many/$n.json" 'lm loss' "$n"
done
golden run/r1/a/x.json 'lm loss' 1 4
refresh
