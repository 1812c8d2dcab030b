# SPDX-License-Identifier: Apache-2.0
# Arrays of records, texts and dates, as .npy and in .npz: a field of numbers is a metric, all else exact texts by element.
# Padding does not count, and Python's objects are refused.
python3 -c '' 2>/dev/null || skip "needs python3"
mkdir old new
cat >make.py <<'END'
import struct, sys, zipfile
# A .npy of version 1 with that type, shape and data.
def npy(descr, shape, data, order=False):
    header = "{'descr': %s, 'fortran_order': %s, 'shape': %s, }" % (descr, order, shape)
    header = header.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode("latin-1") + data
def u4(*texts):
    return b"".join(t.encode("utf-32-le").ljust(16, b"\0") for t in texts)
def write(folder, pad, energy, name, day, at, words, bad):
    # What numpy.dtype([...], align=True) has: four bytes of padding after the count, and a field of two numbers.
    record = "[('n', '<i4'), ('', '|V4'), ('energy', '<f8'), ('name', '|S4'), ('pos', '<f4', (2,))]"
    data = b"".join(struct.pack("<i4sd4s2f", i, pad, e, n, i, at) for i, (e, n) in enumerate(zip(energy, name)))
    arrays = {
        "records": npy(record, "(2,)", data),
        "nested": npy("[('a', [('x', '>i2'), ('t', '<U1')]), ('b', [('z', '<c8', (2,))]), (('Title', '\xe9'), '|b1')]", "()",
                      struct.pack(">h", 7) + "k".encode("utf-32-le") + struct.pack("<4f", 1, 2, 3, at) + b"\1"),
        "texts": npy("'<U4'", "(2, 2)", u4(*words), True),
        "bytes": npy("'|S3'", "(3,)", b"a\0\0" + b"a\0b" + bad),
        "dates": npy("'<M8[D]'", "(2,)", struct.pack("<2q", 0, day)),
        "times": npy("'>M8[ms]'", "(2,)", struct.pack(">2q", -1, day)),
        "took": npy("'<m8[s]'", "(2,)", struct.pack("<2q", -2**63, day)),
        "raw": npy("'|V2'", "(1,)", bad[:2]),
        "objects": npy("'|O'", "(1,)", b"\x80\x04" + bad),
    }
    for key, value in arrays.items():
        open(folder + "/" + key + ".npy", "wb").write(value)
    with zipfile.ZipFile(folder + "/all.npz", "w") as z:
        for key, value in arrays.items():
            z.writestr(zipfile.ZipInfo(key + ".npy"), value)
write("old", b"\0\0\0\0", (1.5, 2.0), (b"He", b"Ne"), 20000, 0.5, ("a", "b", "c", "d"), b"x\\\xff")
write("new", b"junk", (1.5, 2.5), (b"He", b"Ar"), 20001, 0.25, ("a", "B", "c", "d"), b"y\\\xff")
write("same", b"\1\2\3\4", (1.5, 2.0), (b"He", b"Ne"), 20000, 0.5, ("a", "b", "c", "d"), b"x\\\xff")
open("shape.npy", "wb").write(npy("'<U4'", "(4,)", u4("a", "c", "b", "d")))
END
mkdir same
python3 make.py
echo '== each alone'
for array in records nested texts bytes dates times took raw; do
	regild textconv old/$array.npy
	regild compare -q old/$array.npy new/$array.npy --json $array.json --csv - || true
	checked_json compare <$array.json | grep -o '"changes": "[^,]*' || true
done
echo '== other padding is no change'
regild compare --fail-above '*=0' old/records.npy same/records.npy
echo '== objects are refused, and the others of their file are compared'
try regild compare old/objects.npy new/objects.npy
try regild compare old/all.npz new/all.npz
try regild compare -q old/all.npz new/all.npz --csv -
echo '== texts of another shape'
regild compare -q old/texts.npy shape.npy
regild textconv shape.npy | tail -1
