"""``python -m cli`` is ``trickwatch``."""

from cli.main import main

main()
