# Each command sets up what it needs. Without make (Windows): py -3 book/ext/make.py NAME
PYTHON ?= python3
export PYTHONUTF8 = 1

# For `make assignments` and `make grade`: folders, the secret seed of a term, and what else they take.
export ASSIGNMENTS SEED WORLD SUBMISSIONS ASSIGNMENT OUT STUDENT QUESTION

.DEFAULT_GOAL := help
.PHONY: help book test check tidy serve pdf lab edit save chapter assignments grade bench robustness hooks links lock clean

help book test check tidy serve pdf lab edit save chapter assignments grade bench robustness hooks links lock clean:
	@$(PYTHON) book/ext/make.py $@ $(ARGS)

# A slip of the pen gets an answer from the program that knows the commands.
.DEFAULT:
	@$(PYTHON) book/ext/make.py $@
