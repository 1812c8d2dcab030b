# SPDX-License-Identifier: Apache-2.0
# Training logs as their writers leave them: each metric is a series by step.
mkdir old new
echo '== JSON Lines: a line of training and one of evaluation share a step'
printf '{"step": 1, "loss": 8.05}\n{"step": 2, "loss": 7.5}\n{"step": 2, "eval_loss": 7.25}\n' >old/log.jsonl
sed 's/7\.5/7.125/; s/1, /1, "phase": "warmup", /' old/log.jsonl >new/log.jsonl
regild compare --old old/log.jsonl --new new/log.jsonl
echo '== Hugging Face'
printf '{"global_step": 20, "log_history": [{"epoch": 0.5, "step": 10, "loss": 2.5}, {"epoch": 1.0, "step": 20, "loss": 2.25}, {"epoch": 1.0, "step": 20, "eval_loss": 2.0}]}' >old/trainer_state.json
sed 's/2\.25/2.5/' old/trainer_state.json >new/trainer_state.json
regild compare --old old/trainer_state.json --new new/trainer_state.json --csv - -q
echo '== Lightning: an empty cell is no record'
printf 'epoch,step,train_loss,val_loss\n0,49,0.61,\n0,49,,0.5\n1,99,0.5,\n1,99,,0.4\n' >old/metrics.csv
printf 'epoch,step,train_loss,val_loss\n0,49,0.61,\n0,49,,0.5\n1,99,0.5,\n1,99,,0.45\n2,149,0.4,\n' >new/metrics.csv
regild compare --old old/metrics.csv --new new/metrics.csv --csv - -q --columns metric,n_steps,avg_rel_diff,left_out
echo '== after a restart steps come again: the last value counts, and no other is another in silence'
printf 'epoch,step,loss,phase\n0,49,8.5,a\n0,49,8.25,b\n' >old/again.csv
printf 'epoch,step,loss,phase\n0,49,9.5,c\n0,49,8.25,b\n' >new/again.csv
regild compare --old old/again.csv --new new/again.csv
echo '== a text that came at a step'
printf 'epoch,step,phase\n0,49,a\n0,50,\n' >old/texts.csv
printf 'epoch,step,phase\n0,49,a\n0,50,b\n' >new/texts.csv
regild compare --old old/texts.csv --new new/texts.csv
echo '== a step that is not one'
printf 'epoch,step,train_loss\n0,x,0.61\n' >new/metrics.csv
regild compare --old old/metrics.csv --new new/metrics.csv
# exit: 4
