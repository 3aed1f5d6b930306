"""A library in JabRef's own .bib file."""

from pathlib import Path

from citeplug.bib.bib_file import read_bib_file
from citeplug.bib.cite import cite_in
from citeplug.bib.collect_library import add
from citeplug.corpus.records_by_id import Lookup
from citeplug.corpus.stores import lookup_in, open_corpus, settings
from citeplug.records.work import Holding

JABREF = """% Encoding: UTF-8

@Book{Tutte1984,
  author = {W. T. Tutte},
  title  = {Graph Theory},
  year   = {1984},
  file   = {:Tutte1984 - Graph\\_Theory.pdf:PDF;scan:gone.pdf:PDF},
  groups = {Graphs, To read},
}

@Article{Berg1998,
  author = {Eva Berg},
  title  = {On the Weaving of Baskets},
  file   = {notes\\: first:sub/berg.pdf:PDF},
}

@Comment{jabref-meta: databaseType:bibtex;}

@Comment{jabref-meta: fileDirectory:papers;}

@Comment{jabref-meta: saveActions:enabled;
all-text-fields[identity]
;}

@Comment{jabref-meta: saveOrderConfig:specified;year;true;}
"""


def sync(file: Path) -> dict[str, list[Holding]]:
    add(settings(), [file], lambda *_: None, linked=True)
    works: dict[str, list[Holding]] = {}
    with open_corpus(settings()) as corpus:
        for value, holding in corpus.library.holdings():
            works.setdefault(value, []).append(holding)
    return works


def test_groups_are_collections_and_linked_files_are_the_texts_of_their_entries(tmp_path: Path) -> None:
    file = tmp_path / "library.bib"
    file.write_text(JABREF, "utf-8")
    scan, berg = tmp_path / "Tutte1984 - Graph_Theory.pdf", tmp_path / "papers" / "sub" / "berg.pdf"
    berg.parent.mkdir(parents=True)
    for pdf in (scan, berg):
        pdf.write_bytes(b"%PDF-1.4")
    works = sync(file)
    assert [h.file for h in works["lib:Tutte1984"]] == [file, scan]
    assert works["lib:Tutte1984"][0].collections == ("Graphs", "To read")
    assert [h.file for h in works["lib:Berg1998"]] == [file, berg]
    assert sync(file) == works
    file.write_text(JABREF.replace("sub/berg.pdf", "nothing.pdf"), "utf-8")
    assert [h.file for h in sync(file)["lib:Berg1998"]] == [file]


def test_an_entry_is_added_at_the_end_of_jabrefs_file_and_every_byte_before_it_stays(tmp_path: Path) -> None:
    file = tmp_path / "library.bib"
    file.write_bytes(JABREF.replace("\n", "\r\n").encode())
    other = tmp_path / "own.bib"
    other.write_text("@misc{mine, title={My own notes on weaving}, author={Berg, Eva}, year=1999}", "utf-8")
    add(settings(), [other], lambda *_: None)
    with open_corpus(settings()) as corpus:
        lookup: Lookup = lookup_in(corpus)
        citing = cite_in(read_bib_file(file), None, "lib:mine", lookup)
        citing.write(settings().home)
    assert file.read_bytes().startswith(JABREF.replace("\n", "\r\n").encode())
    assert b"@misc{mine" in file.read_bytes()
