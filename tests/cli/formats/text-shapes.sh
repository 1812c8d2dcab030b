# SPDX-License-Identifier: Apache-2.0
# Texts as GROMACS, MITgcm and ASPECT keep them, and a log: a line more or less makes no figure for the others, and each number
# has the name that a reader would give it.
pair() {
	printf '%b' "$1" >old.dat
	printf '%b' "$2" >new.dat
	regild compare -q --old old.dat --new new.dat --columns metric,n_steps,avg_rel_diff,changes --csv -
}
echo '== five lines, of which the first goes'
rest='iteration 2 energy -1.6 residual 1e-2\niteration 3 energy -1.7 residual 1e-3\niteration 4 energy -1.8 residual 1e-4\niteration 5 energy -1.9 residual 1e-5\n'
pair "iteration 1 energy -1.5 residual 1e-1\n$rest" "$rest"
echo '== of two of a kind, the one goes that leaves the other nearest to what is there'
pair 'start\nloss 8.0\nloss 2.0\nend 1\n' 'start\nloss 2.1\nend 1\n'
echo '== GROMACS: two quantities, each half of what it was'
energy() {
	printf '  <Energy Name="%s">\\n' "$1"
	printf '    <Real Name="Time %s.0 Step %s in frame %s">%s</Real>\\n' 0 0 0 "$2" 1 1 1 "$3"
	printf '  </Energy>\\n'
}
pair "$(energy Potential -8 -9)$(energy 'Dens. fitting' -4 -6)" "$(energy Potential -4 -4.5)$(energy 'Dens. fitting' -2 -3)"
echo '== MITgcm: a monitor line came, another moved'
mon='(PID.TID 0000.0001) %MON '
pair "${mon}time_secondsf = 3.6E+03\n${mon}dynstat_eta_max = 2.0E-01\n${mon}dynstat_eta_min = -2.0E-01\n${mon}ke_max = 4.0E-02\n" \
	"${mon}time_secondsf = 3.6E+03\n${mon}dynstat_eta_min = -2.0E-01\n${mon}dynstat_eta_max = 2.0E-01\n${mon}ke_max = 5.0E-02\n${mon}ke_mean = 1.0E-02\n"
echo '== ASPECT: a list of columns, and a name of a file that changed'
columns='# 1: Time step number\n# 2: Time (years)\n# 3: Iterations for Stokes solver\n# 4: Visualization file name\n'
pair "${columns}0 0.0e+00 4 out/solution-00000\n1 2.0e+04 5 \"\"\n2 4.0e+04 5 out/solution-00001\n" \
	"${columns}0 0.0e+00 5 run/solution-00000\n1 2.0e+04 5 \"\"\n2 4.0e+04 5 run/solution-00001\n"
echo '== and where the only number beside the name changed, too'
columns='# 1: Time step number\n# 2: Visualization file name\n# 3: RMS velocity (m/s)\n'
pair "${columns}0 out/a 1.5\n1 \"\" 2.0\n2 out/b 2.5\n" "${columns}0 out/a 1.5\n1 \"\" 2.0\n2 run/b 5\n"
echo '== a blank line more makes no lost number, though the old side has one block alone'
pair 'p q\n1 13\n1 2\n1 2\nend 5\n' 'p q\n1 13\n1 2\n\n1 4\nend 5\n'
echo '== a log with times in front of its lines'
pair '[10:00:01] step 1 loss 2.0\n[10:00:02] step 2 loss 1.0\ndone\n' '[11:30:01] step 1 loss 2.0\n[11:30:07] step 2 loss 1.5\ndone\n'
echo '== other blanks and other ways to write a number'
printf 'a 100\nb 2.5\n' >old.dat
printf 'a   1e2\nb 2.50\n' >new.dat
regild compare --old old.dat --new new.dat
