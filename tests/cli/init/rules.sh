# SPDX-License-Identifier: Apache-2.0
# Rules that a project's tests and scripts name are proposed with the place, commented out. Nothing that is found is run, and
# only numbers are copied.
new_repository
mkdir -p golden tests
echo '{"loss": {"1": 4}}' >golden/physics.json
cat >tests/test_loss.py <<'END'
import numpy as np
def test_a():
    np.testing.assert_allclose(new, old, rtol=1e-5, atol=1e-8)
    np.testing.assert_allclose(
        new(1, 2), old,
        rtol = 1e-5,
        atol = 1e-8)
    np.testing.assert_allclose(new, old, rtol=TOL)
    my_assert_allclose(new, old, rtol=3)
    torch.testing.assert_allclose(new, old, rtol=4)
    xr.testing.assert_allclose(new, old, rtol=0.5)
def test_b(num_regression):
    num_regression.check({'x': x}, default_tolerance={'rtol': 1e-3, "atol": 10**-5})
    assert x == pytest.approx(y, abs=1e-9) and z(rel=5)
END
cat >tests/check.sh <<'END'
h5diff -d 1e-3 --quiet a.h5 b.h5
touch never-run; numdiff -a 0.1 -r $(touch never-run) a b
END
echo 'expect_equal(x, y, tolerance = 1e-6); allequal(x, tolerance = 3)' >tests/test.R
commit
regild init
sed -n '/^# What/,$p' .regild
ls
echo '# the lines are settings'
sed -i '/^# What/,$s/^;//' .regild
echo '{"loss": {"1": 4.0001}}' >golden/physics.json
try regild compare
sed -i 's/(see there)/1e-3/' .regild
regild compare --columns metric,checks --csv -
echo '# hostile names and contents'
rm tests/*
git checkout -q golden
name=$'tests/\033[31m\n[core]\n\tfsmonitor = touch x\n.py'
printf 'assert_allclose(a, b, rtol=1e-5\n[core]\n\tpager = x\n)' >"$name"
printf 'assert_allclose(a, rtol=%0400d)' 1 >tests/long.py
printf 'assert_allclose(a, rtol=1e-5;\\nx)\nassert_allclose(a, rtol=nan)\nassert_allclose(a, rtol=-1)\nassert_allclose(a, rtol=1e999)' >tests/odd.py
printf 'assert_allclose(' >tests/short.py
printf 'rtol=1(assert_allclose' >tests/turned.py
head -c 2000000 /dev/zero | tr '\0' '(' >tests/large.py
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo "np.allclose(a, b, rtol=$i)" >tests/many$i.py; done
ln -s /etc/passwd tests/link.py
mkfifo tests/pipe.py
git add golden tests && git commit -qm hostile
regild init --force
sed -n '/^# What/,$p' .regild
grep -c '^\[core\]' .regild || true
