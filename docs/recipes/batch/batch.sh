#!/bin/sh
# Ten jobs go into the queue together; two workers take them; the queue is looked at until it is empty.
set -eu
bots=
for worker in one two; do
  agent bot run "$worker" --capabilities "process:data_processing" \
    --command "python:job.py:process" 2>"$worker.log" &
  bots="$bots $!"
done
python3 jobs.py | agent task batch batch_001 --tasks -

queue() { agent taskbot status --json | sed -n 's/.*"queue_size": *\([0-9]*\).*/\1/p'; }
while [ "$(queue)" != 0 ]; do
  echo "Remaining: $(queue)"
  sleep 0.1
done
# What is out of the queue may still be in somebody's hands.
for task in $(agent task list --batch 1 --json | sed -n 's/^ *"id": "\([0-9]*\)".*/\1/p'); do
  agent task wait "$task" >/dev/null
done
agent task batches
kill $bots
wait
