"""Grades a folder of notebooks: each in a process of its own, closed off from the machine.

questions     what can be earned: the tests that `make assignments` made
submissions   what was handed in, by whom, when
contain       a closed room for a process: no network, no view of the machine
kernel        runs the student's cells, then tests that arrive afterwards
worker        a warm process that opens a room for each submission
runner        speaks with a worker, and stops it when a limit is passed
marking       the whole folder: side by side, resumed after a stop
rules         late and repeated work
written       rubrics, and the answers that people read
tables        CSV files for a gradebook
feedback      a page for each student
summary       how hard each question was, and what went wrong
command       `make grade`
"""
