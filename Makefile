# Aliases only; everything is done by start.py.
.PHONY: serve test bench lock

serve:
	python3 start.py

test:
	python3 start.py test

bench:
	python3 start.py bench $(NAME)

lock:
	python3 start.py lock
