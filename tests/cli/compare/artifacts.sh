# SPDX-License-Identifier: Apache-2.0
# What `gh run download` leaves, and zips as a run's page hands them out: where the goldens belong comes from the
# artifacts' names, as with --from.
new_repository
for test in gpt/a gpt/b moe/c; do
	golden $ROOT/$test/golden_values_dev.json 'lm loss' 2
done
commit
golden $ROOT/gpt/a/golden_values_dev.json 'lm loss' 4
value=8
for run in 22651183945 22735086251; do
	value=$((value * 2))
	golden ../$run/logs-a-$run-4f1c/golden_values_dev.json 'lm loss' $value
	golden ../$run/logs-c-$run-77aa/golden_values_dev.json 'lm loss' 2
done
golden ../22651183945/logs-b-22651183945-77aa/golden_values_dev.json 'lm loss' 1
golden ../unknown/logs-z-22651183945-1/golden_values_dev.json 'lm loss' 1
tar -C .. -czf ../run.tgz 22651183945
git -C ../22651183945 init -q
git -C ../22651183945 add .
git -C ../22651183945 archive --format=zip -o ../logs-a-22651183945-4f1c.zip \
	"$(git -C ../22651183945 write-tree):logs-a-22651183945-4f1c"
rm -rf ../22651183945/.git
echo '{{old_side}} -> {{new_side}}' >../sides.html
compared() {
	local status=0
	echo "# compare $*"
	echo "# compare $*" >&2
	regild compare --html ../sides --html-template ../sides.html --csv ../rows "$@" >/dev/null || status=$?
	[ $status = 0 ] || echo "exit code $status"
	[ ! -e ../rows ] || sed 's/^/  /' ../sides
	[ ! -e ../rows ] || sed -e 1d -e "s|^$ROOT/|  |" ../rows
	rm -f ../rows
}

compared HEAD ../22651183945
compared path:../22651183945
compared HEAD zip:../run.tgz
compared zip:../logs-a-22651183945-4f1c.zip
compared ../22651183945 ../22735086251
compared zip:../run.tgz path:../22735086251
compared HEAD ../unknown
ls "$HOME/.cache/regild/tmp"
