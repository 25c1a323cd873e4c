"""`python -m twofold.learners.kernels`: compile every kernel now; nobody waits for it later."""

from __future__ import annotations

from twofold.learners.kernels.compile_all import main

if __name__ == "__main__":
    main()
