# SPDX-License-Identifier: Apache-2.0
# TensorBoard's event files as protobuf-c encodes them are read, value by value; when they were written says
# nothing.
events=$REGILD_TOP/tests/formats/events.out.tfevents.1.golden
echo '== values'
regild textconv "$events"
echo '== other values, a minute later'
cp "$events" old.tfevents.1
cp "$REGILD_TOP/tests/formats/events.out.tfevents.2.other" new.tfevents.2
regild compare --old old.tfevents.1 --new new.tfevents.2 -q --csv -
echo '== cut off'
head -c 100 "$events" >cut.tfevents.3
try regild compare -q --old old.tfevents.1 --new cut.tfevents.3
command -v protoc-c >/dev/null || skip "needs protoc-c and libprotobuf-c (protobuf-c-compiler, libprotobuf-c-dev)"
cp "$REGILD_TOP"/tests/formats/event.proto "$REGILD_TOP"/tests/formats/events.inc .
protoc-c --c_out=. event.proto
cc -I. -o events -x c events.inc event.pb-c.c -lprotobuf-c
./events | cmp - "$events"
