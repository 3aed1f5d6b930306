"""Texts of .bib files as people and tools leave them, for hypothesis."""

from hypothesis import strategies as st

NEWLINES = ("\n", "\r\n", "\r")
_WORDS = (
    r"""the Attention {BERT} nets $O(N)$ M{\"u}ller Über 100\% R\&D {\L}ukasz -- naïve a_{b} \emph{x} U-Net""".split()
)
words = st.lists(st.sampled_from(_WORDS), min_size=1, max_size=6)
_names = st.sampled_from("title note journal booktitle publisher annote abstract Keywords file series".split())
_authors = st.lists(
    st.sampled_from(["Smith, J.", "Jane Doe", "{ATLAS Collaboration}", r"M{\"u}ller, Karl", "van Dam, A.", "Łoś, B."]),
    min_size=1,
    max_size=4,
)
_keys = st.from_regex(r"[a-z][a-z0-9:_-]{0,10}", fullmatch=True)
_junk = st.sampled_from(
    ["", "% a comment line", "Some words, an address: a(at)b.org", "@comment{x, y = {z}}", '@string{jml = "J. of ML"}',
     "@preamble{ {\\newcommand{\\x}{y}} }", "}", "   ", "é ï"]
)  # fmt: skip


@st.composite
def values(draw: st.DrawFn, newline: str, name: str) -> str:
    """A value with its delimiters."""
    if name == "author":
        text = draw(st.sampled_from([" and ", f" and{newline}    "])).join(draw(_authors))
    elif name == "year":
        return draw(st.sampled_from(["2001", "{2001}", '"2001"']))
    else:
        text = draw(st.sampled_from([" ", f"{newline}     "])).join(draw(words))
    form = draw(st.sampled_from(["{}", '""', "{{}}", "#"]))
    if form == "#":
        return (
            draw(st.sampled_from(['jml # " and more"', f'"a" #{newline} {{b}}', "jml"])) if name != "author" else "{X}"
        )
    return form[: len(form) // 2] + text + form[len(form) // 2 :]


@st.composite
def entries(draw: st.DrawFn, key: str, newline: str) -> str:
    opening, closing = draw(st.sampled_from([("{", "}"), ("(", ")")]))
    names = ["author", *dict.fromkeys(name.lower() for name in draw(st.lists(_names, max_size=4))), "year"]
    case = draw(st.sampled_from([str.lower, str.upper, str.capitalize]))
    gap = draw(st.sampled_from([f",{newline}  ", ", ", ",", f"{newline}  , ", f",{newline}\t"]))
    equals = draw(st.sampled_from([" = ", "=", "= ", " =\t"]))
    width = draw(st.sampled_from([0, 14]))
    text = f"@{draw(st.sampled_from(['misc', 'Article', 'BOOK']))}{draw(st.sampled_from(['', ' ']))}{opening}{key}"
    for name in names:
        text += gap + case(name).ljust(width) + equals + draw(values(newline, name))
    return text + draw(st.sampled_from(["", ",", f",{newline}", newline])) + closing


@st.composite
def bib_texts(draw: st.DrawFn) -> str:
    """A file of one to four entries, with comments, macros and rubbish between them."""
    newline = draw(st.sampled_from(NEWLINES))
    keys = draw(st.lists(_keys, min_size=1, max_size=4))
    text = ""
    for key in keys:
        text += draw(_junk) + newline * draw(st.integers(1, 3)) + draw(entries(key, newline))
        text += draw(st.sampled_from([newline, newline * 2, "\n"]))
    return text + draw(_junk)
