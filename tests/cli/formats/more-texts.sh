# SPDX-License-Identifier: Apache-2.0
# Tables of numbers, torchtune's logs and YAML are read as what they are, and as texts with numbers where
# they are not quite that, on both sides then; what is packed with gzip is read as what it holds.
new_repository
printf '[regild]\n\troot = g\n\tfiles = **\n' >.regild
mkdir g
printf '# x energy\n0.0 -1.5\n0.5 -1.25\n' >g/scan.dat
printf 'Step 1 | loss:2.5 lr:2e-05 \nStep 2 | loss:2.25 lr:2e-05 \n' >g/log.txt
printf 'loss: {1: 2.5, 2: 2.25}\nversion: 1.2.3\n' >g/golden.yaml
printf '{"name":"x","a":1}\n{"name":"y","a":2}\n' >g/list.jsonl
printf 'name,time\na,1\nb,2\n' | gzip -n >g/times.csv.gz
printf '{"lm loss": {"values": {"1": 2.5}}}' | gzip -n >g/loss.json.gz
commit
sed -i 's/-1\.25/-1.5/' g/scan.dat
sed -i 's/2\.25/2.5/' g/log.txt g/golden.yaml
printf 'name,time\na,1\nb,4\n' | gzip -n >g/times.csv.gz
printf '{"lm loss": {"values": {"1": 2.75}}}' | gzip -n >g/loss.json.gz
regild compare -q --csv -
regild check
echo '== a text that is packed, for people'
printf 'energy = -1.5 eV\n' | gzip -n >../scf.out.gz
regild textconv ../scf.out.gz
echo '== packed again, nothing else'
git checkout -q g
printf 'name,time\na,1\nb,2\n' | gzip -1 >g/times.csv.gz
cmp -s g/times.csv.gz <(git cat-file blob HEAD:g/times.csv.gz) && echo same
regild compare -q --csv -
echo '== not quite'
git checkout -q g
printf '# x energy\n0.0 -1.5\n0.5 -1.25 unconverged\n' >g/scan.dat
printf 'Step 1 | loss:2.5 lr:2e-05 \nout of memory at 17\n' >g/log.txt
printf 'loss: {1: 2.5, 2: 2.25\n' >g/golden.yaml
printf '{"name":"x","a":1}\n{"name":"x","a":3}\n' >g/list.jsonl
head -c 20 g/times.csv.gz >cut && mv cut g/times.csv.gz
try regild check
regild compare
# exit: 4
