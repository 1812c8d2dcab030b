# SPDX-License-Identifier: Apache-2.0
# A large HDF5 that is packed with gzip is read as it is unpacked, and not from the packed file.
needs_binary HDF5
/usr/bin/python3 - <<'end' || skip "needs h5py"
import h5py, numpy as np
for name, more in ("old", 0), ("new", 1):
    with h5py.File(name + ".h5", "w") as f:
        f["x"] = np.random.default_rng(1).random(1 << 18) + more
end
gzip old.h5 new.h5
regild compare old.h5.gz new.h5.gz
