# SPDX-License-Identifier: Apache-2.0
"""usage: tool.py TOOL FOLDER: prints the tool's version, and "CHECK NNN passes|fails" for each pair of FOLDER/pairs and each
line of FOLDER/rules that is about it. Exit code 77: the tool is not installed."""
import math
import re
import struct
import subprocess
import sys
import types
import warnings
from importlib import metadata
from pathlib import Path

CODES = {'float64': 'd', 'float32': 'f', 'int64': 'q', 'int32': 'i', 'uint8': 'B'}
DTYPES = {'float64': 'f8', 'float32': 'f4', 'int64': 'i8', 'int32': 'i4', 'uint8': 'u1'}


def passes(call, *args, **parameters):
    try:
        return call(*args, **parameters) is not False
    except (AssertionError, ValueError, OverflowError):
        return False


def number(text):
    return {'yes': True, 'no': False}[text] if text in ('yes', 'no') else float(text)


class Numpy:
    @staticmethod
    def version(): return 'numpy ' + np.__version__

    calls = {
        'numpy-allclose': lambda old, new, **p: bool(np.allclose(new, old, **p)),
        'numpy-testing-allclose': lambda old, new, **p: np.testing.assert_allclose(new, old, **p),
        'numpy-testing-array_equal': lambda old, new: np.testing.assert_array_equal(new, old),
        'numpy-testing-almost_equal': lambda old, new, **p: np.testing.assert_array_almost_equal(new, old, **p),
        'numpy-testing-max_ulp': lambda old, new, **p: np.testing.assert_array_max_ulp(new, old, **p) is not None,
    }


class Python:
    @staticmethod
    def version(): return 'Python %d.%d.%d' % sys.version_info[:3]

    @staticmethod
    def isclose(old, new, **p):
        return len(old) == len(new) and all(math.isclose(b.item(), a.item(), **p) for a, b in zip(old, new))

    calls = {'math-isclose': isclose.__func__}


class Pytest:
    @staticmethod
    def version(): return 'pytest ' + pytest.__version__

    calls = {'pytest-approx': lambda old, new, **p: new == pytest.approx(old, **p)}


class Regressions:
    @staticmethod
    def version(): return 'pytest-regressions ' + metadata.version('pytest-regressions')

    @staticmethod
    def check(old, new, **tolerance):
        from pytest_regressions.num_regression import NumericRegressionFixture
        path = folder / 'regressions.csv'
        path.unlink(missing_ok=True)
        request = types.SimpleNamespace(config=types.SimpleNamespace(getoption=lambda *_: False), cls=None,
                                        node=types.SimpleNamespace(name='x', cls=None))
        for values in (old, new):
            try:
                NumericRegressionFixture(folder, folder, request).check({'x': values}, fullpath=path, default_tolerance=tolerance)
            except BaseException as e:  # the first call makes the golden, and fails
                if values is new:
                    return False
        return True

    calls = {'pytest-regressions': check.__func__}


class Pandas:
    @staticmethod
    def version(): return 'pandas ' + pandas.__version__

    calls = {'pandas-frame': lambda old, new, **p: pandas.testing.assert_frame_equal(
        pandas.DataFrame({'x': new}), pandas.DataFrame({'x': old}), **p)}


class Xarray:
    @staticmethod
    def version(): return 'xarray ' + metadata.version('xarray').replace('999', '(unnumbered)')

    calls = {
        'xarray': lambda old, new, **p: xarray.testing.assert_allclose(xarray.DataArray(new), xarray.DataArray(old), **p),
        'xarray-equal': lambda old, new: xarray.testing.assert_equal(xarray.DataArray(new), xarray.DataArray(old)),
    }


class Fits:
    @staticmethod
    def version(): return 'astropy ' + astropy.__version__

    @staticmethod
    def diff(old, new, r=0.0, a=0.0):
        lists = [fits.HDUList([fits.PrimaryHDU(x if len(x) else None)]) for x in (old, new)]
        return fits.FITSDiff(*lists, rtol=r, atol=a).identical

    calls = {'fitsdiff': diff.__func__}


# All pairs are in two files, and one process compares them.
class H5diff:
    calls = ('h5diff',)

    @staticmethod
    def version(): return run(['h5diff', '-V']).stdout.strip().replace('Version ', '')

    @staticmethod
    def verdicts(p):
        for side in (0, 1):
            with h5py.File(folder / ('%d.h5' % side), 'w') as f:
                for name, arrays in pairs:
                    f[name] = arrays[side]
        options = [x for k, v in p.items() for x in (['-' + k, str(v)] if len(k) == 1 else ['--use-system-epsilon'])]
        out = run(['h5diff', '-v', *options, folder / '0.h5', folder / '1.h5']).stdout
        found = dict(re.findall(r'dataset: </(\d+)> and </\d+>.*?(\d+) differences found', out, re.S))
        return {name: found.get(name, '0') == '0' for name, _ in pairs}


# Arrays of other lengths end a comparison, so that each such pair has files of its own.
class Cdo:
    calls = ('cdo-diffn',)

    @staticmethod
    def version(): return 'cdo ' + re.search(r'version (\S+)', run(['cdo', '-V']).stderr + run(['cdo', '-V']).stdout)[1]

    @staticmethod
    def write(path, arrays):
        with netCDF4.Dataset(path, 'w') as f:
            f.createDimension('time', None)
            time = f.createVariable('time', 'f8', ('time',))
            time.units = 'days since 2000-01-01'
            time[:] = [0]
            for name, values in arrays:
                if not f.dimensions.get('x%d' % len(values)):
                    f.createDimension('x%d' % len(values), len(values))
                f.createVariable('v' + name, values.dtype, ('time', 'x%d' % len(values)))[0, :] = values

    @staticmethod
    def compare(chosen, p):
        for side in (0, 1):
            Cdo.write(folder / ('%d.nc' % side), [(name, arrays[side]) for name, arrays in chosen])
        operator = ','.join(['diffn'] + ['%s=%s' % item for item in p.items()])
        return run(['cdo', operator, folder / '0.nc', folder / '1.nc'])

    @staticmethod
    def verdicts(p):
        alike = [pair for pair in pairs if pair[1][0].shape == pair[1][1].shape and len(pair[1][0])]
        differ = set(re.findall(r': v(\d+)', Cdo.compare(alike, p).stdout))
        out = {name: name not in differ for name, _ in alike}
        for name, arrays in pairs if not p else ():
            if name not in out and len(arrays[0]) and len(arrays[1]):
                out[name] = Cdo.compare([(name, arrays)], p).returncode == 0
        return out


class Numdiff:
    calls = ('numdiff',)

    @staticmethod
    def version(): return run(['numdiff', '-v']).stdout.split('\n')[0]

    @staticmethod
    def verdicts(p):
        out = {}
        options = [x for k, v in p.items() for x in (['-2'] if k == 'strict' else ['-' + k, str(v)])]
        for name, arrays in pairs:
            paths = [folder / ('%s.%d' % (name, side)) for side in (0, 1)]
            for side in (0, 1) if not paths[0].exists() else ():
                paths[side].write_text(''.join(repr(x.item()) + '\n' for x in arrays[side]))
            out[name] = run(['numdiff', *options, *paths]).returncode == 0
        return out


def run(command):
    return subprocess.run(command, capture_output=True, text=True, check=False)


def each_pair(calls, rule, p):
    return {name: passes(calls[rule], *arrays, **p) for name, arrays in pairs}


def read_pairs():
    for line in (folder / 'pairs').read_text().splitlines():
        name, *kinds_and_bits = line.split()
        arrays = []
        for kind, bits in zip(kinds_and_bits[:2], kinds_and_bits[2:]):
            values = [struct.unpack('>' + CODES[kind], bytes.fromhex(b))[0] for b in bits.split(',') if b != '-']
            arrays.append(np.array(values, dtype=DTYPES[kind]))
        yield name, arrays


TOOLS = {'numpy': (Numpy, 'numpy'), 'math': (Python, 'numpy'), 'pytest': (Pytest, 'numpy pytest'),
         'pytest-regressions': (Regressions, 'numpy pandas pytest_regressions'), 'pandas': (Pandas, 'numpy pandas'),
         'xarray': (Xarray, 'numpy xarray'), 'fitsdiff': (Fits, 'numpy astropy astropy.io.fits'),
         'h5diff': (H5diff, 'numpy h5py'), 'cdo': (Cdo, 'numpy netCDF4'), 'numdiff': (Numdiff, 'numpy')}
tool, modules = TOOLS[sys.argv[1]]
folder = Path(sys.argv[2])
warnings.simplefilter('ignore')
try:
    for module in modules.split():
        globals()[module.split('.')[0]] = __import__(module)
    import numpy as np
    if modules.endswith('fits'):
        from astropy.io import fits
    print(tool.version())
except (ImportError, FileNotFoundError):
    sys.exit(77)
np.seterr(all='ignore')
pairs = list(read_pairs())
for line in (folder / 'rules').read_text().splitlines():
    check, rule, *parameters = line.split()
    if rule not in tool.calls:
        continue
    p = {k.replace('-', '_'): number(v) for k, v in (x.split('=') for x in parameters)}
    if rule.startswith('numpy-testing-almost'):
        p = {k: int(v) for k, v in p.items()}
    found = tool.verdicts(p) if hasattr(tool, 'verdicts') else each_pair(tool.calls, rule, p)
    for name, verdict in found.items():
        print(check, name, 'passes' if verdict else 'fails')
