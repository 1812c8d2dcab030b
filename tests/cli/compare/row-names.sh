# SPDX-License-Identifier: Apache-2.0
# R's write.csv numbers the rows of a data frame, and pandas' to_csv its index: after a row was dropped, the numbers are others.
compare() { regild compare --no-pager old.csv new.csv --columns metric,n_steps,avg_rel_diff,max_abs_rel_step; }
echo "== R, without row 2"
printf '"","name","y"\n"1","a",2\n"2","b",3\n"3","c",4\n"4","d",5\n' >old.csv
printf '"","name","y"\n"1","a",2\n"2","c",4\n"3","d",5.5\n' >new.csv
compare
echo "== pandas, without row 1"
printf ',x,y\n0,1.5,2\n1,2.5,3\n2,3.5,4\n' >old.csv
printf ',x,y\n0,1.5,2\n1,3.5,4.5\n' >new.csv
compare
echo "== as many rows"
printf ',x,y\n0,1.5,2\n1,2.5,3\n2,3.5,4\n' >old.csv
printf ',x,y\n0,1.5,2\n1,2.5,3\n2,3.5,4.5\n' >new.csv
compare
echo "== row names that were kept are keys"
printf '"","y"\n"1",2\n"2",3\n"3",4\n' >old.csv
printf '"","y"\n"1",2\n"3",4.5\n' >new.csv
compare
echo "== and so is a column with a name"
printf 'id,y\n1,2\n2,3\n3,4\n' >old.csv
printf 'id,y\n1,2\n2,4.5\n' >new.csv
compare
