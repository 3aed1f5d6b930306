"""Meaning of the finding codes that a project can ignore: of a check, and of the editor (docs/findings.md)."""

from dataclasses import dataclass

from citeplug.records.finding import Severity


@dataclass(frozen=True, slots=True)
class Rule:
    """Description of a code. `severity` is the usual one; a finding may differ. `meaning`, `help`: sentences."""

    severity: Severity
    meaning: str
    help: str


_SEE = "Compare the entry with the record that is named, and correct the one that is wrong."
_SENTENCE = "Compare the sentence with its sources, then accept or change it."
_CORRECT = "Correct the text of the entry at the place that is named."

RULES: dict[str, Rule] = {
    "title_differs": Rule("error", "The title is not that of the record.", _SEE),
    "authors_differ": Rule("error", "The authors are not those of the record.", _SEE),
    "year_differs": Rule(
        "warning", "The year is neither that of a version of the paper nor that of its journal.", _SEE
    ),
    "doi_differs": Rule("warning", "The DOI is not that of the record, or is another paper's.", _SEE),
    "id_differs": Rule("error", "The arXiv id is another paper's, does not exist, or is one of several.", _SEE),
    "id_malformed": Rule("warning", "There is something like an arXiv id that cannot be read.", "Write the whole id."),
    "not_found": Rule("error", "The service that was asked has no such paper.", "Check that the work exists."),
    "retracted_work": Rule(
        "warning", "A service says that the work was retracted or withdrawn.", "Cite it as such, or cite another."
    ),
    "possibly_withdrawn": Rule(
        "warning", "The record says that the paper was withdrawn.", "Look at its page on arXiv, which alone decides."
    ),
    "newer_version": Rule(
        "info", "There is a later version than the one cited.", "Check that it still says what you cite it for."
    ),
    "title_changed": Rule(
        "info", "The paper has another title since the version that the entry gives.", "Give the present title."
    ),
    "published_version": Rule(
        "info", "The paper has been published, and the entry cites the preprint.", "Run `citeplug fix --published`."
    ),
    "entry_unchecked": Rule("info", "The entry could not be checked.", "Run again when the sources can be reached."),
    "undefined_key": Rule(
        "error", "A key is cited that no bibliography file defines.", "Add the entry, or correct the key."
    ),
    "key_case": Rule("info", "A key is cited in another case than it is defined.", "Write the key as it is defined."),
    "uncited_entry": Rule(
        "info", "The entry is never cited.", "Nothing has to be done: only what is cited is printed."
    ),
    "duplicate_entry": Rule("warning", "The same paper has two keys.", "Cite one of the two."),
    "shared_id": Rule("warning", "Two entries have one id and two titles.", "Correct the id that is wrong."),
    "duplicate_key": Rule("error", "A key is defined twice.", "Rename or remove one of the two."),
    "duplicate_field": Rule("warning", "An entry has the same field twice; only one of them is used.", "Keep one."),
    "missing_field": Rule("warning", "A field is missing that the entry's type asks for.", "Add it."),
    "missing_comma": Rule("error", "A comma is missing, and the rest of the entry is lost.", "Put it there."),
    "extra_comma": Rule("error", "Two commas follow each other, and the rest of the entry is lost.", "Take one out."),
    "missing_value": Rule("error", "A field has no value, and the rest of the entry is lost.", "Write `{}`."),
    "bare_value": Rule("error", "A value that is not a number has no braces.", "Put it into braces."),
    "broken_entry": Rule("error", "The entry cannot be read to its end.", _CORRECT),
    "unbalanced_braces": Rule("error", "A brace or quote has no partner.", "Count the braces of the field."),
    "unclosed_entry": Rule("error", "The entry is not closed.", "Close it."),
    "lost_fields": Rule(
        "error", "An extra brace ends the entry early; the fields after it are not read.", "Take the brace out."
    ),
    "percent_comment": Rule("error", "BibTeX has no comments within an entry.", "Take the line out of the entry."),
    "stray_at": Rule("error", "An @ between entries is taken for the beginning of one.", "Take it out."),
    "entry_without_key": Rule("error", "The entry has no key.", "Give it one."),
    "bad_key": Rule(
        "error", "The key has a character that stops BibTeX or Biber.", "Rename it, here and where it is cited."
    ),
    "bad_crossref": Rule("error", "The crossref names a key that is not defined.", "Add that entry, or correct it."),
    "name_commas": Rule("error", "A name has too many commas.", "Put `and` between the names."),
    "empty_name": Rule("error", "A name is empty, and Biber drops the entry.", "Remove the extra `and`."),
    "name_cut": Rule(
        "error", "BibTeX cuts a multi-byte letter of a name in two.", "Write it as a TeX accent, or use Biber."
    ),
    "raw_percent": Rule("error", "A raw % hides the rest of its line.", r"Write `\%`."),
    "raw_special": Rule(
        "error",
        "A special character without a backslash stops LaTeX.",
        "Put a backslash before it, or put it into math.",
    ),
    "html_entity": Rule("error", "An HTML entity stops LaTeX.", "Write the character that it means."),
    "unpaired_dollar": Rule("error", "A dollar sign has no partner.", r"Write `\$`, or close the math."),
    "not_utf8": Rule("warning", "The file is not UTF-8.", "Save it as UTF-8, or name its encoding."),
    "undefined_macro": Rule("warning", "A macro prints as nothing, since no @string defines it.", "Define it."),
    "expansion_limit": Rule("warning", "The @string macros expand to more text than is read.", "Shorten them."),
    "bibliography_too_large": Rule(
        "warning",
        "The bibliography is larger than what is read of one.",
        "Put what is cited first, or into a file of its own.",
    ),
    "source_unavailable": Rule("warning", "A source could not be reached.", "Try again later, or run with --offline."),
    "missing_bib": Rule("warning", "A bibliography file that the draft names does not exist.", "Add it."),
    "unreadable_bib": Rule("error", "A bibliography file cannot be read.", "Check its permissions."),
    "bib_outside_project": Rule("warning", "A bibliography file is outside of the project.", "Copy it there."),
    "bib_found_elsewhere": Rule("info", "A bibliography file was found in another folder.", "Name its folder."),
    "unknown_code": Rule("warning", "A comment ignores a code that there is not.", "Correct it: docs/findings.md."),
    # Of the check's own message, where no finding says the same.
    "entry_differs": Rule("error", "The entry differs from the record of the paper.", _SEE),
    "entry_not_found": Rule("error", "The paper of the entry was not found.", "Check that the work exists."),
    "entry_possibly_withdrawn": Rule(
        "warning", "The record says that the paper was withdrawn.", "Look at its page on arXiv, which alone decides."
    ),
    # Of an audit.
    "missing_work": Rule("info", "A paper near the draft is not cited.", "Discuss it, or leave it out with --exclude."),
    "uncited_name": Rule("warning", "A method, data set or model is named without its paper.", "Cite the paper."),
    "named_otherwise": Rule(
        "warning", "The people or the name in front of a citation are another reference's.", "Cite that reference."
    ),
    "source_differs": Rule("warning", "A sentence contradicts the work that it cites.", "Compare the two passages."),
    "quotation_differs": Rule(
        "warning", "The work that is cited nearly has the words of a quotation.", "Compare the two passages."
    ),
    "quotation_changed": Rule(
        "warning", "A quotation is of another version of the work than the newest.", "Compare the two passages."
    ),
    "quotation_not_found": Rule(
        "info", "The work that is cited does not have the words of a quotation.", "Compare the two passages."
    ),
    "not_borne_out": Rule(
        "warning", "A model found that a work does not bear out what is said of it.", "Compare the two passages."
    ),
    "fits_other_work": Rule(
        "info", "A sentence fits another reference better than the one that it cites.", "Compare the two passages."
    ),
    "cited_in_row": Rule("info", "Many works are cited in one place, and nowhere else.", "Say what each is cited for."),
    # Of the editor.
    "uncited_claim": Rule("info", "A sentence describes others' work without a citation.", "Cite the work."),
    "low_support": Rule("info", "Few words of a generated sentence are its sources'.", _SENTENCE),
    "claim_suspected": Rule("info", "The words of a generated sentence raise a suspicion.", _SENTENCE),
    "claim_unsupported": Rule("info", "A judge found that a sentence's sources do not bear it out.", _SENTENCE),
    "source_changed": Rule("warning", "A source no longer has the words that a sentence quotes.", _SENTENCE),
    "plan_not_written": Rule("info", "A plan has no text yet.", "Run `citeplug related`."),
    "plan_not_followed": Rule("info", "A line of a plan is newer than its text.", "Run `citeplug related`."),
}


def rule(code: str) -> Rule:
    """Return the rule of a code; an unlisted code is described by its own name."""
    return RULES.get(code) or Rule("warning", code.replace("_", " ").capitalize() + ".", "See docs/findings.md.")
