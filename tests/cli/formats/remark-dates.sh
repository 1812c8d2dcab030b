# SPDX-License-Identifier: Apache-2.0
# A date that changed in a remark of a text is no number, and loses none: Grace's files, as GROMACS writes them.
mkdir old new
cat >old/energy.xvg <<'END'
# This file was created Thu Nov 26 10:22:31 2026
# Created by gmx energy, run on 8 cores
@    subtitle "26 Nov 2026"
@ s0 legend "Potential"
0.0 -1.5
0.5 -1.25
END
sed 's/Thu Nov 26 10:22:31/Fri Nov 27 09:01:07/; s/26 Nov/27 Nov/' old/energy.xvg >new/energy.xvg
regild compare old/energy.xvg new/energy.xvg --fail-on lost --fail-above 0
echo '== a number beside it does'
sed -i 's/8 cores/16 cores/; s/-1.25/-1.5/' new/energy.xvg
regild compare -q --csv - old/energy.xvg new/energy.xvg
