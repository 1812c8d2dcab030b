# SPDX-License-Identifier: Apache-2.0
# What other tools call equal in NetCDF: masked elements pass numpy's functions of masked arrays, other units and other
# attributes pass xarray's and cdo's, and cdo does not compare variables without dimensions. h5diff sees what is stored, and
# xarray the names of dimensions.
needs_binary NetCDF
git init -q .
mkdir old new
python3 - <<'END'
import struct
def text(s):
    return struct.pack('>i', len(s)) + s + b'\0' * (-len(s) % 4)
def attribute(name, value):
    if isinstance(value, bytes):
        return text(name) + struct.pack('>i', 2) + text(value)
    return text(name) + struct.pack('>iid', 6, 1, value)
def variable(name, dims, attributes, begin):
    size = 16 if dims else 8
    tags = struct.pack('>ii', 12, len(attributes)) + b''.join(attributes)
    return text(name) + struct.pack('>i', len(dims)) + b''.join(struct.pack('>i', d) for d in dims) + tags + struct.pack('>iii', 6, size, begin)
# A classic file: v(x), and the scalar s.
def write(path, values, fill=-999.0, units=b'm', scalar=1.0, dimension=b'x'):
    def head(at):
        return (b'CDF\x01' + struct.pack('>i', 0) + struct.pack('>ii', 10, 1) + text(dimension) + struct.pack('>i', 2) + bytes(8) + struct.pack('>ii', 11, 2)
                + variable(b'v', [0], [attribute(b'_FillValue', fill), attribute(b'units', units)], at) + variable(b's', [], [], at + 16))
    open(path + '.nc', 'wb').write(head(len(head(0))) + struct.pack('>3d', *values, scalar))
nan = float('nan')
for name, old, new in [('both', dict(values=[1, -999]), dict(values=[1, -999])),
                       ('fill', dict(values=[1, -999]), dict(values=[1, -998], fill=-998.0)),
                       ('masked', dict(values=[1, 99]), dict(values=[1, -999])),
                       ('names', dict(values=[1, 2]), dict(values=[1, 2], dimension=b'z')),
                       ('nan', dict(values=[1, -999]), dict(values=[1, nan])),
                       ('scalar', dict(values=[1, 2]), dict(values=[1, 2], scalar=3.0)),
                       ('unmasked', dict(values=[1, -999]), dict(values=[1, 99])),
                       ('units', dict(values=[1, 2]), dict(values=[1, 2], units=b'cm'))]:
    write('old/' + name, **old)
    write('new/' + name, **new)
END
printf '[regild]\nlayout = plain\nroot = .\nfiles = **\n' >.regild
for rule in numpy-allclose numpy-testing-array_equal numpy-testing-max_ulp xarray-equal cdo-diffn h5diff; do
	printf '[check "%s"]\nmetric = *\nrule = %s\n' $rule $rule >>.regild
done
regild compare old new --json - 2>/dev/null | python3 -c '
import json, sys
document = json.load(sys.stdin)
rows = [row for row in document["rows"] + document["gaps"] if row["metric"] != "/v@_FillValue"]
for row in sorted(rows, key=lambda row: (row["file"], row["metric"])):
    fails = [check.split(":")[0] for check in row["checks"].split(", ") if ": fails" in check]
    print(row["file"], row["metric"], "fails", *fails or ["none"])
for f in document["story"]["findings"]:
    if f["kind"] == "passed":
        print("passes", f["text"], "though", f.get("count", ""), f["at"], f["goldens"], f["metric"])'
