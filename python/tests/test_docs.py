"""Every example of the documentation runs."""

import doctest
import inspect
import pathlib

import pytest

import boardprint as bp

PAGES = pathlib.Path(__file__).resolve().parents[2] / "docs"


def documented():
    """Every public object with its name, members of classes included."""
    yield "boardprint", bp
    for name in bp.__all__:
        thing = getattr(bp, name)
        if not callable(thing):
            continue
        yield name, thing
        if inspect.isclass(thing):
            for member, value in vars(thing).items():
                if getattr(value, "__doc__", None) and not member.startswith("__"):
                    yield f"{name}.{member}", value


DOCUMENTED = list(documented())


@pytest.mark.parametrize("name, thing", DOCUMENTED, ids=[name for name, _ in DOCUMENTED])
def test_examples_run(name, thing):
    examples = doctest.DocTestParser().get_doctest(inspect.getdoc(thing) or "", {}, name, None, 0)
    failed, _ = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(examples)
    assert failed == 0


def test_everything_public_says_what_it_is():
    silent = [name for name, thing in DOCUMENTED if not (inspect.getdoc(thing) or "").strip()]
    assert silent == []


def test_help_shows_signatures():
    for name in ("canon", "cph", "read", "open", "dedup", "postings", "to_parquet"):
        assert "(" in str(inspect.signature(getattr(bp, name)))


@pytest.mark.parametrize("page", ["python.md", "tables.md"])
def test_pages_run(page, tmp_path, monkeypatch):
    for package in ("pyarrow", "polars", "duckdb"):
        pytest.importorskip(package, reason=f"{package} is not installed: docs/{page} is not run")
    monkeypatch.chdir(tmp_path)
    result = doctest.testfile(
        str(PAGES / page), module_relative=False, optionflags=doctest.NORMALIZE_WHITESPACE, encoding="utf-8"
    )
    assert result.attempted > 10
    assert result.failed == 0
