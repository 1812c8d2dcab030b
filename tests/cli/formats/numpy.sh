# SPDX-License-Identifier: Apache-2.0
# Files of NumPy's own writing, of every type that it has, in both orders and byte orders; and ours, read
# by it.
command -p python3 -c 'import numpy' 2>/dev/null || skip "needs NumPy (python3-numpy)"
mkdir old new
cat >write.py <<'PYTHON'
import numpy as np
numbers = np.array([[1, 0, 3], [2, 5, 100]])
for type in 'b1 i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 f16 c8 c16 c32'.split():
    for order in '<>':
        if type in ('f16', 'c32') and order == '>':
            continue
        for layout in 'CF':
            values = numbers.astype(order + type, order=layout)
            name = type + ('-big' if order == '>' else '') + ('-columns' if layout == 'F' else '')
            np.save('old/' + name, values)
            values[1, 2] = 1 if type == 'b1' else 101
            if type[0] == 'c':
                values[0, 1] = 2j
            values[0, 1] = values[0, 1] or type == 'b1'
            np.save('new/' + name, values)
exact = np.array([2**53 + 1, -2**53 - 1], '<i8')
np.save('old/exact', exact)
np.save('new/exact', exact - [0, 2])
long = np.array([1, 2], '<f16')
np.save('old/long', long)
np.save('new/long', np.nextafter(long, 3))
np.save('old/texts', np.array(['a']))
PYTHON
command -p python3 write.py
rm old/texts.npy
regild compare -q --csv - --old old --new new --top 0 --columns file,n_steps,max_abs,max_ulps,worst_index,mean_abs,max_rel,share_differing
echo '# what regild writes, NumPy reads'
cp "$REGILD_TOP/tests/formats/cases.bpte" .
regild executorch extract -q cases.bpte
command -p python3 - <<'PYTHON'
import glob
import numpy as np
for name in sorted(glob.glob('cases/*/*/*.npy')):
    a = np.load(name)
    print(name, a.dtype, a.shape, a.tolist())
PYTHON
echo '# the same figures as NumPy works out'
mkdir a b
cat >figures.py <<'PYTHON'
import json
import sys
import numpy as np
make = np.random.RandomState(3)
arrays = {
    'f4': (make.randn(50, 40).astype('f4'), make.randn(50, 40).astype('f4')),
    'c8': (make.randn(300).astype('c8') * 1j, make.randn(300).astype('c8')),
    'i8': (make.randint(-2**62, 2**62, 999), make.randint(-2**62, 2**62, 999)),
    'near': (2**60 + make.randint(0, 99, 999), 2**60 + make.randint(0, 99, 999)),
}
if sys.argv[1] == 'write':
    for name in arrays:
        for side, values in zip('ab', arrays[name]):
            np.save(side + '/' + name, values)
    sys.exit()
for row in json.load(sys.stdin)['rows']:
    old, new = arrays[row['file'].split('.')[0]]
    if old.dtype.kind == 'c':
        old, new = old.view('f4'), new.view('f4')
    error = np.array([int(n) - int(o) if old.dtype.kind == 'i' else float(n) - float(o)
                      for o, n in zip(old.flat, new.flat)], float)
    o, n = old.astype(float).ravel(), new.astype(float).ravel()
    wanted = {'max_abs': abs(error).max(), 'mean_abs': abs(error).mean(), 'mse': (error ** 2).mean(),
              'l2': np.sqrt((error ** 2).sum()), 'mean_error': error.mean(),
              'cosine': o @ n / np.sqrt(o @ o * (n @ n)), 'worst': int(abs(error).argmax()),
              'snr_db': 10 * np.log10((n ** 2).sum() / (error ** 2).sum())}
    for key in wanted:
        close = abs(float(row[key]) - wanted[key]) <= 1e-9 * (abs(wanted[key]) + abs(error).mean() * (key != 'cosine'))
        print(row['file'], key, 'agrees' if close else '%r, not %r' % (row[key], wanted[key]))
PYTHON
command -p python3 figures.py write
regild compare -q --old a --new b --json - | command -p python3 figures.py check
echo '# archives of arrays, packed or not'
mkdir old-npz new-npz
cat >archives.py <<'PYTHON'
import numpy as np
w, b = np.arange(6.0).reshape(2, 3), np.array([1, 2, 3])
np.savez('old-npz/stored', w=w, b=b)
np.savez('new-npz/stored', w=w * 1.5, b=b)
np.savez_compressed('old-npz/packed', w=w, b=b)
np.savez_compressed('new-npz/packed', w=w, b=b + 1)
np.savez('old-npz/objects', o=np.array([None, {}], dtype=object), w=w)
np.savez_compressed('new-npz/objects', o=np.array([None, []], dtype=object), w=w)
np.savetxt('old-npz/table.dat', w, header='x y z')
np.savetxt('new-npz/table.dat', w + [0, 0, 1], header='x y z')
PYTHON
command -p python3 archives.py
regild compare -q --csv - --old old-npz --new new-npz --top 0 --columns file,metric,n_steps,max_abs,identical
regild compare -q --csv - --old old-npz/table.dat --new new-npz/table.dat --columns metric,n_steps,max_abs
