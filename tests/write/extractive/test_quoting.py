from citeplug.write.extractive.quoting import quote

SOURCE = "we study the parsing of very long system logs with many different templates in practice"


def test_wording_without_a_run_stays() -> None:
    assert quote("they study long logs", SOURCE) == "they study long logs"


def test_a_run_is_quoted_from_a_phrases_beginning_to_its_end() -> None:
    text = "{{author:1}} study the parsing of very long system logs with many different templates."
    quoted = quote(text.rstrip("."), SOURCE, "study")
    assert quoted == "{{author:1}} study “the parsing of very long system logs with many different templates”"


def test_what_is_quoted_is_the_sources_to_the_letter() -> None:
    text = "study The parsing of very long system logs with many different templates"
    assert quote(text, SOURCE, "study") == "study The parsing of “very long system logs with many different templates”"


def test_a_run_too_long_to_be_quoted_gives_none() -> None:
    source = " ".join(f"word{n}" for n in range(40))
    assert quote(source, source) is None


def test_wording_that_quotes_already_is_not_quoted_again() -> None:
    source = "study the “parsing” of very long system logs with many templates"
    assert quote(source, source, "study") is None
