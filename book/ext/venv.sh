#!/bin/sh
# Runs the Python of the environment .venv, for the Git hook on any system; Git brings sh along.
for python in .venv/bin/python .venv/Scripts/python.exe; do
  if [ -x "$python" ]; then exec "$python" "$@"; fi
done
echo "There is no environment .venv yet. Run: make hooks (Windows: py -3 book/ext/make.py hooks)" >&2
exit 1
