"""A Celery worker that draws no pictures: `python -m tests.bench.plainworker -A worker.app worker …`."""

from unittest import mock

from celery.__main__ import main

if __name__ == "__main__":
    with mock.patch("pbem.reports.board.svg", return_value=""):
        main()
