#!/bin/sh
# Each letter is a task; what no answer is known to goes to a person.
set -eu
letter() {
  input="{\"from\": \"$1\", \"text\": \"$2\"}"
  result=$(agent task run "letter of $1" --type reply --input "$input" --json)
  case $result in
    *'"answered": true'*) echo "$1: answered" ;;
    *)
      agent task create "letter of $1" --type answer --input "$input" --queue >/dev/null
      echo "$1: for a person"
      ;;
  esac
}
letter ada@example.org "When are you open? What are your hours?"
letter bo@example.org "My cat has eaten the invoice."
letter cy@example.org "Where is my order?"
