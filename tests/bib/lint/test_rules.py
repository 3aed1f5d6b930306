"""Each claim of the lint is held against a run of the program that it speaks of."""

from pathlib import Path

import pytest

from citeplug.bib.lint.rules import Lint, Surroundings, guess_engine, lint_bib
from citeplug.bib.write.splice import apply
from citeplug.bibtex.entries import entries_of, parse_bib
from citeplug.bibtex.syntax import read_blocks
from tests.bib.runs import (
    keys_with_errors,
    needs_biber,
    needs_bibtex,
    needs_latex,
    run_biber,
    run_bibtex,
    run_latex,
)

FILE = Path("refs.bib")
RIGHT = "author = {Ann Author}, title = {A Title}, journal = {A Journal}, year = 2000"


def lint(text: str, **known: object) -> list[Lint]:
    given = Surroundings(**known)  # type: ignore[arg-type]
    blocks = read_blocks(text, percent_comments=given.engine == "biber")
    return lint_bib(text, FILE, blocks, entries_of(text, blocks, FILE), given)


def codes(text: str, least: str = "error", **known: object) -> list[str]:
    ranks = ("info", "warning", "error")
    found = (each.finding for each in lint(text, **known))
    return [finding.code for finding in found if ranks.index(finding.severity) >= ranks.index(least)]


BREAKING = {
    "missing comma": ("@article{a, author = {A B} title = {T}, journal = {J}, year = 2000}", "missing_comma"),
    "missing comma behind the key": ("@article{a author = {A B}, title = {T}}", "missing_comma"),
    "two commas": ("@article{a, title = {T},, year = 2000}", "extra_comma"),
    "a brace too many between quotes": ('@article{a, title = "T } b", year = 2000}', "unbalanced_braces"),
    "a brace that is never closed": ("@article{a, title = {T { b}, year = 2000}\n", "unbalanced_braces"),
    "a brace that takes in the next field": (
        "@article{a, title = {A, author={X}}\n@article{b, title={T}}",
        "unbalanced_braces",
    ),
    "an entry that is not closed": ("@article{a, title = {T}\n@article{b, title = {U}}", "unclosed_entry"),
    "letters in a number": ("@article{a, title = {T}, year = 2014b}", "bare_value"),
    "pages without braces": ("@article{a, title = {T}, pages = 1--5}", "bare_value"),
    "a field without a value": ("@article{a, title = , year = 2000}", "missing_value"),
    "a field name with a space": ("@article{a, ti tle = {T}}", "broken_entry"),
    "a field name that begins with a digit": ("@article{a, 1title = {T}}", "broken_entry"),
    "a semicolon": ("@article{a, title = {T}; year = 2000}", "broken_entry"),
    "a comment line within an entry": ("@article{a,\n  % title = {no},\n  title = {T}}", "percent_comment"),
    "a comment behind a field": ("@article{a,\n  title = {T}, % mine\n  year = 2000}", "percent_comment"),
    "a key with a space": ("@article{a b, title = {T}}", "bad_key"),
    "an address in the text between entries": ("me@home.org\n@article{a, title = {T}}", "stray_at"),
    "a string without a value": ("@string{x}\n@article{a, title = {T}}", "broken_entry"),
    "a key that is defined twice": (f"@article{{a, {RIGHT}}}\n@article{{A, {RIGHT}}}", "duplicate_key"),
    "a name with three commas": ("@article{a, author = {A, B, C, D}, title = {T}}", "name_commas"),
    "a comma at the end of a name": ("@article{a, author = {A, B, and C, D}, title = {T}}", "name_commas"),
    "a parent that is not there": ("@inproceedings{a, title = {T}, crossref = {none}}", "bad_crossref"),
}


@needs_bibtex
@pytest.mark.parametrize("name", BREAKING)
def test_bibtex_stops_at_what_is_called_an_error(name: str, tmp_path: Path) -> None:
    text, code = BREAKING[name]
    assert code in codes(text, engine="bibtex")
    assert run_bibtex(tmp_path, text.encode()).failed


MENDED = {
    "missing comma",
    "missing comma behind the key",
    "two commas",
    "an entry that is not closed",
    "letters in a number",
    "pages without braces",
    "a field without a value",
}


@needs_bibtex
@pytest.mark.parametrize("name", BREAKING)
def test_bibtex_takes_the_file_with_the_certain_corrections(name: str, tmp_path: Path) -> None:
    text, _ = BREAKING[name]
    edits = [edit for each in lint(text, engine="bibtex") for edit in each.edits]
    assert bool(edits) == (name in MENDED)
    mended = apply(text, edits)
    assert run_bibtex(tmp_path, mended.encode()).failed == (name not in MENDED)
    assert bool(codes(mended, engine="bibtex")) == (name not in MENDED)


ACCEPTED = {
    "parentheses": f"@article(a, {RIGHT})",
    "a comma at the end": f"@article{{a, {RIGHT},}}",
    "white space everywhere": f"@ article {{ a , {RIGHT} }}",
    "joined pieces and macros": '@string{x = "A"}\n@string(y = {B})\n@article{a, title = x # y # { C}, month = jan}',
    "a quote within braces": '@article{a, title = "A {"}quoted{"} word", author = {{A, B, C, D}}, year = 2000}',
    "a key with odd signs": f"@article{{a+b:c/d'e(f.g_h, {RIGHT}}}",
    "text between entries": f'what is this = {{}} \\ " % for\n@article{{a, {RIGHT}}}\n}} more',
    "a comment with an entry": f"@comment{{a, {RIGHT}}}\n@article{{b, {RIGHT}}}",
    "a preamble": '@preamble{"\\def\\x{y}" # "z"}\n' + f"@article{{a, {RIGHT}}}",
    "empty values": '@article{a, title = {}, author = ""}',
    "an entry without fields": "@article{a}",
    "escaped signs": r"@article{a, title = {50\% of A\&B \#1 x\_y \$5 and $a_b^c$}, author = {A B}, year = 2000}",
    "signs in addresses": (
        r"@misc{a, title = {T}, url = {http://a.b/%20_c#d&e}, doi = {10.1/a_b}, "
        r"note = {\url{http://a.b/%7Ec_d#e}}, author = {A B}}"
    ),
    "a field over several lines": "@article{a,\n  title = {A\n\n  B},\n  year = 2000\n}",
    "a byte order mark": f"\ufeff@article{{a, {RIGHT}}}",
    "lines that end in CR": f"@article{{a,\r  {RIGHT}\r}}\r",
    "an unknown type": f"@software{{a, {RIGHT}}}",
    "a field name with a colon": f"@article{{a, bdsk-url-1 = {{x}}, opt:x.y+z = {{y}}, {RIGHT}}}",
}


@needs_bibtex
@pytest.mark.parametrize("name", ACCEPTED)
def test_what_bibtex_takes_is_no_error(name: str, tmp_path: Path) -> None:
    text = ACCEPTED[name]
    assert codes(text, engine="bibtex") == []
    assert not run_bibtex(tmp_path, text.encode()).failed


@needs_bibtex
@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"@article{{a, {RIGHT}, journal = {{B}}}}", "duplicate_field"),
        (f"@article{{a, {RIGHT}, note = nomacro}}", "undefined_macro"),
        ("@article{a, author = {A B}, title = {T}, year = 2000}", "missing_field"),
        ("@book{a, title = {T}, publisher = {P}, year = 2000}", "missing_field"),
        ("@inproceedings{a, author = {A B}, title = {T}, year = 2000}", "missing_field"),
        ("@phdthesis{a, author = {A B}, title = {T}, year = 2000}", "missing_field"),
    ],
)
def test_bibtex_warns_of_what_is_called_a_warning(text: str, code: str, tmp_path: Path) -> None:
    assert codes(text, "warning", engine="bibtex") == [code]
    ran = run_bibtex(tmp_path, text.encode())
    assert (ran.failed, ran.warned) == (False, True)


RAW = {
    "ampersand": (r"journal = {A & B}", "raw_special"),
    "hash": (r"journal = {Day #1}", "raw_special"),
    "underscore": (r"journal = {The x_y method}", "raw_special"),
    "caret": (r"journal = {The x^2 method}", "raw_special"),
    "dollar": (r"journal = {It costs $5}", "unpaired_dollar"),
    "entity": (r"journal = {A &amp; B}", "html_entity"),
    "address": (r"note = {http://a.b/c_d}", "raw_special"),
    "command": (r"note = {\texttt{a_b}}", "raw_special"),
}


@needs_latex
def test_latex_stops_at_a_raw_sign(tmp_path: Path) -> None:
    kept = "author = {A B}, title = {T}, year = 2000"
    text = "".join(f"@article{{{key}, {kept}, {value}}}\n" for key, (value, _) in RAW.items())
    text += f"@article{{right, {RIGHT}}}\n"
    found = {each.finding.code for each in lint(text, engine="bibtex") if each.finding.severity == "error"}
    assert codes(text, engine="bibtex") == [code for _, code in RAW.values()]
    assert found == {code for _, code in RAW.values()}
    assert keys_with_errors(run_latex(tmp_path, text.encode(), "unsrt")) == set(RAW)


@needs_bibtex
def test_a_raw_percent_hides_the_rest_of_its_line(tmp_path: Path) -> None:
    text = "@article{a, author = {A B}, title = {50% of it}, journal = {J}, year = 2000}"
    assert codes(text, engine="bibtex") == ["raw_percent"]
    assert b"50% of it" in run_bibtex(tmp_path, text.encode()).bbl
    (each,) = lint(text, engine="bibtex")
    assert rb"50\% of it" in run_bibtex(tmp_path, apply(text, each.edits).encode()).bbl


@needs_latex
def test_latex_takes_raw_signs_in_math_in_addresses_and_in_fields_that_are_not_printed(tmp_path: Path) -> None:
    text = (
        r"@article{a, author = {A B}, title = {On $a_b^c$ and \(x_1\) \verb|a_b|}, journal = {J}, year = 2000, "
        r"note = {\url{http://a.b/c_d#e}, \href{http://a.b/%7Ec}{x}}, abstract = {50% of A & B}, keywords = {a_b}}"
    )
    assert codes(text, engine="bibtex") == []
    ran = run_latex(tmp_path, text.replace(r", \href{http://a.b/%7Ec}{x}", "").replace(r" \verb|a_b|", "").encode())
    assert not ran.failed, ran.out


BIBER_BREAKING = {
    "missing comma": "@article{a, author = {A B} title = {T}}",
    "two commas": "@article{a, title = {T},, year = 2000}",
    "a brace too many between quotes": '@article{a, title = "T } b", year = 2000}',
    "an entry that is not closed": "@article{a, title = {T}\n",
    "a name with three commas": "@article{a, author = {A, B, C, D}, title = {T}}",
    "no key": "@article{, title = {T}}",
    "a key with a hash": "@article{a#b, title = {T}}",
}


@needs_biber
@pytest.mark.parametrize("name", BIBER_BREAKING)
def test_biber_stops_at_what_is_called_an_error_for_it(name: str, tmp_path: Path) -> None:
    assert codes(BIBER_BREAKING[name], engine="biber")
    assert run_biber(tmp_path, BIBER_BREAKING[name].encode()).failed


@needs_biber
def test_what_biber_takes_is_no_error(tmp_path: Path) -> None:
    text = (
        "% me@home.org\n@article{a,\n  % title = {no},\n"
        "  author = {Ä B}, title = {T}, journaltitle = {J}, date = {2000}}\n"
        "@article{A, author = {A B}, title = {U}, journaltitle = {J}, date = {2001}}\n"
        "@article{a, author = {A B}, title = {U}, journaltitle = {J}, date = {2001}}\n"
    )
    assert codes(text, engine="biber") == []
    assert codes(text, "warning", engine="biber") == ["duplicate_key"]
    ran = run_biber(tmp_path, text.encode())
    assert (ran.failed, ran.warned) == (False, True)


@needs_biber
def test_latex_stops_at_raw_signs_in_the_list_of_biber(tmp_path: Path) -> None:
    values = {"a": "note = {#1}", "b": "title = {A & B}", "c": "abstract = {50% of it}"}
    text = "".join(f"@misc{{{key}, author = {{A B}}, date = {{2000}}, {v}}}\n" for key, v in values.items())
    assert codes(text, engine="biber") == ["raw_special", "raw_special", "raw_percent"]
    ran = run_latex(tmp_path, text.encode(), style=None)
    assert "Illegal parameter number" in ran.out
    assert "Misplaced alignment" in ran.out or "File ended while scanning" in ran.out


@needs_bibtex
@pytest.mark.parametrize("style", ["abbrv", "alpha", "plain", "IEEEtran", "unsrtnat"])
@pytest.mark.parametrize(
    "author",
    [
        "Smith, Émile",
        "Émile Smith",
        "Jean-Émile Smith",
        "Jean Émile Smith",
        "Ørsted, Adam and Ångström, Carl",
        "Laøed, Adam",
        "Müller, Jörg",
        "Иван Смит",
        "Smith, A. É.",
        r"Smith, {\'E}mile",
        "{Équipe Ö} and Smith, Ann",
    ],
)
def test_bibtex_cuts_the_letters_that_are_named(author: str, style: str, tmp_path: Path) -> None:
    text = f"@article{{a, author = {{{author}}}, title = {{T}}, journal = {{J}}, year = 2000}}"
    ran = run_bibtex(tmp_path, text.encode(), style)
    assert ran.bbl
    try:
        cut = False
        ran.bbl.decode()
    except UnicodeDecodeError:
        cut = True
    assert ("name_cut" in codes(text, engine="bibtex", style=style)) == cut


def test_a_style_that_is_not_known_is_not_said_to_cut() -> None:
    text = "@article{a, author = {Smith, Émile}, title = {T}, journal = {J}, year = 2000}"
    assert codes(text, engine="bibtex", style="ours") == []
    assert codes(text) == []


@needs_bibtex
def test_a_brace_too_many_loses_the_fields_behind_it_without_a_word(tmp_path: Path) -> None:
    text = "@article{a, author = {A B}}, title = {Lost}, journal = {J}, year = 2000}"
    assert codes(text, engine="bibtex") == ["lost_fields"]
    ran = run_bibtex(tmp_path, text.encode())
    assert not ran.failed
    assert b"Lost" not in ran.bbl


@needs_bibtex
def test_bibtex_reads_uncited_entries_too_but_prints_no_raw_signs_of_theirs(tmp_path: Path) -> None:
    text = f"@article{{a, {RIGHT}}}\n@article{{b, title = {{A & B}}, year = 2000}}\n"
    assert codes(text, engine="bibtex", cited=frozenset({"a"})) == []
    broken = text + "@article{c, title = {T} year = 2000}\n"
    assert codes(broken, engine="bibtex", cited=frozenset({"a"})) == ["missing_comma"]
    assert run_bibtex(tmp_path, broken.encode(), cited="a").failed


@needs_bibtex
def test_a_key_that_is_defined_twice_and_not_cited_stops_nothing(tmp_path: Path) -> None:
    text = f"@article{{a, {RIGHT}}}\n@article{{a, {RIGHT}}}\n@article{{b, {RIGHT}}}\n"
    assert codes(text, engine="bibtex", cited=frozenset({"b"})) == []
    assert not run_bibtex(tmp_path, text.encode(), cited="b").failed


def test_each_finding_has_its_place_and_says_what_to_do() -> None:
    text = "\r\n@article{a,\r\n  title = {A & B},\r\n  author = {A B} journal = {J}, year = 2000}"
    raw, comma = (each.finding for each in lint(text))
    assert (raw.code, raw.line, raw.column) == ("raw_special", 3, 14)
    assert (comma.code, comma.line, comma.column) == ("missing_comma", 4, 17)
    assert all(each.finding.fix for each in lint(text))


def test_the_errors_of_one_entry_are_told_in_one_run() -> None:
    text = "@article{a, title = {T} year = 2000 author = {A B},, journal = {J}, pages = 1--5}\n@misc{b, title = {T}}"
    assert codes(text) == ["missing_comma", "missing_comma", "extra_comma", "bare_value"]
    assert [entry.key for entry in parse_bib(apply(text, [e for each in lint(text) for e in each.edits]))] == ["a", "b"]


def test_macros_of_other_files_are_known_and_those_of_ieeetran_taken_for_granted() -> None:
    text = f"@article{{a, {RIGHT}, note = mine, series = IEEE_J_PAMI}}"
    assert codes(text, "warning", macros=frozenset({"mine"})) == []
    assert codes(text, "warning") == ["undefined_macro"]
    assert codes(text, "warning", macros=None) == []


def test_the_engine_of_a_file_by_itself_is_seen_from_its_fields() -> None:
    def engine(text: str) -> str:
        return guess_engine(entries_of(text, read_blocks(text), FILE))

    assert engine("@article{a, journaltitle={J}, date={2000}}\n@book{b, title={T}}\n@online{c, title={T}}") == "biber"
    assert engine("@article{a, journal={J}, year={2000}}\n@online{c, title={T}}") == "bibtex"
