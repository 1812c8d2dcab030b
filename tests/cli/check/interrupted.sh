# SPDX-License-Identifier: Apache-2.0
# Ctrl-C while a child reads a golden: the command ends, and does not call the golden unreadable.
needs_binary HDF5
# A child takes a second for so many datasets.
/usr/bin/python3 - <<'end' || skip "needs h5py"
import h5py
with h5py.File("many.h5", "w") as f:
    for i in range(20000):
        f["%05d" % i] = [1.0, 2.0]
end
many=$PWD/many.h5
new_repository
sed -n '/^\.Ss HDF5$/,/^\.Ss YAML$/p' "$REGILD_TOP/man/regild-layouts.7" |
	sed -n '/^\[source/,/^\.Ed$/p' | grep -v '^\.' >.regild
mkdir -p refdata ../run/tardis-refdata/refdata
mv "$many" ../run/tardis-refdata/refdata
cp "$REGILD_TOP/fixtures/hdf5/old/pandas.h5" refdata/many.h5
commit

# Before the child is a program of its own, its parent waits for that alone.
stop_child() {
	child=$(ps -o pid=,args= --ppid $1 | sed -n 's/^ *\([0-9]*\) .*__read-binary.*/\1/p')
	[ -n "$child" ] && kill -STOP $child
}
# Stops the child that reads, and interrupts its parent.
interrupt() {
	local status=0
	# In the background a shell ignores SIGINT for its children; monitor mode does not.
	set -m
	regild "$@" &
	set +m
	eventually stop_child $!
	kill -INT $!
	wait $! || status=$?
	kill -KILL $child 2>/dev/null || true
	echo "exit code $status"
}
interrupt check ../run/tardis-refdata/refdata/many.h5
interrupt refresh --from ../run
git status --short
