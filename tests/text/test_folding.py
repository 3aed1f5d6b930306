import pytest
from hypothesis import given
from hypothesis import strategies as st

from citeplug.text.folding import Name, fold, fold_name, fold_title, same_family, split_name


@pytest.mark.parametrize(
    ("text", "folded"),
    [
        (
            "Strømer Groß Łódź Yıldız Þór Ægir œuvre Đặng Ðor Škrda",
            "Stromer Gross Lodz Yildiz Thor AEgir oeuvre Dang Dor Skrda",
        ),
        ("“a”–b’s…", '"a"-b\'s...'),
        ("ﬁne ½ x² Ⅳ", "fine 1/2 x2 IV"),
        ("Иванов α Ω Ε", "Ivanov alpha Omega Epsilon"),
        ("中文", "中文"),
    ],
)
def test_letters_become_ascii(text: str, folded: str) -> None:
    assert fold(text) == folded


@pytest.mark.parametrize(
    ("title", "same"),
    [
        ('The {$\\alpha$}-{S}ch\\"odinger', "The α-Schödinger"),
        ("$O(n\\log n)$ {BERT}s", "O(n log n) BERTs"),
        ("{\\O}rsted's \\emph{best} --- \\& more", "Ørsted’s best — more"),
        ("\\textbf{A}\\,B~C", "A B C"),
    ],
)
def test_titles_of_two_writers_fold_alike(title: str, same: str) -> None:
    assert fold_title(title).replace(" ", "") == fold_title(same).replace(" ", "")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ashish Vaswani", Name("Ashish", "", "Vaswani")),
        ("Given van der Family Jr.", Name("Given", "van der", "Family", "Jr.")),
        ("van der Family, Jr., Given", Name("Given", "van der", "Family", "Jr.")),
        ("Herbert Van de Sompel", Name("Herbert", "Van de", "Sompel")),
        ("Van de Sompel, Herbert", Name("Herbert", "Van de", "Sompel")),
        ("José María de la Cruz", Name("José María", "de la", "Cruz")),
        ("Quoc V. Le", Name("Quoc V.", "", "Le")),
        ("Garcia Marquez, Gabriel", Name("Gabriel", "", "Garcia Marquez")),
        ("Erd{\\H{o}}s, P.", Name("P.", "", "Erdős")),
        ("{ATLAS Collaboration}", Name("", "", "ATLAS Collaboration")),
        (" H1 Collaboration", Name("", "", "H1 Collaboration")),
        ("{Barnes and Noble}", Name("", "", "Barnes and Noble")),
        ("Plato", Name("", "", "Plato")),
        ("A. B. V", Name("A. B.", "", "V")),
        ("", Name("", "", "")),
    ],
)
def test_names_are_split_into_their_parts(text: str, name: Name) -> None:
    assert split_name(text) == name


def test_surnames_of_two_writers_are_the_same() -> None:
    assert same_family(split_name("Jörg Schröder"), split_name("Schroeder, J."))
    assert same_family(split_name("Ludwig van Beethoven"), split_name("Beethoven, L."))
    assert not same_family(split_name("John Smith"), split_name("John Smyth"))


@given(st.text(max_size=40))
def test_any_text_folds_and_splits(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold_title(fold_title(text)) == fold_title(text)
    name = split_name(text)
    assert fold_name(name.surname) is not None
