"""Tables of the commands of LaTeX and its common packages, by what they mean to a reader of text.

pylatexenc's table says how many arguments a command takes, and not whether they are text.
"""

import re


def words(text: str) -> frozenset[str]:
    """The words of a text, as a set."""
    return frozenset(text.split())


SECTIONS = {"part": -1, "chapter": 0, "section": 1, "subsection": 2, "subsubsection": 3}
SECTIONS |= {"addpart": -1, "addchap": 0, "addsec": 1}

# Commands that say what a document consists of.
STRUCTURE = frozenset(SECTIONS) | words(
    """title icmltitle abstract input include subfile import subimport bibliography addbibresource bibitem
    bibliographystyle endinput verb printbibliography maketitle nobibliography citeplugrelated citeplugpin
    citeplugexclude"""
)

# csquotes: they cite a key, and quote what follows.
QUOTING_CITES = words("textcquote blockcquote")

# natbib, biblatex, apacite, harvard, chicago, jurabib, cite, revtex, achemso, abntex2, acl
_CITES = words(
    """cite citep citet citealp citealt citeauthor citeyear citeyearpar citefullauthor citenum citetalias citepalias
citetitle citedate citeurl citen citeonline citeA citeNP citeN citeANP citeasnoun citeaffixed citeinline
citeyearNP citeauthorNP citeauthorA shortcite shortciteA shortciteNP shortciteN shortciteANP fullcite fullciteA
fullciteNP possessivecite onlinecite newcite inlinecite nocite autocite parencite textcite footcite footcitetext
smartcite supercite footfullcite footnotecite notecite pnotecite fnotecite nocitep maskcite maskcitep
maskcitet masknocite cites autocites parencites textcites footcites footcitetexts smartcites supercites volcite
pvolcite fvolcite ftvolcite svolcite tvolcite avolcite volcites citefield citelist defcitealias bibentry
apud footciteauthor footcitetitle textfootcite hypercite citealias textsupercite superscriptcite ocite"""
).union(QUOTING_CITES)
_MULTIPLE = re.compile(r"(?i)^(?:auto|paren|text|foot|smart|super|vol|pvol|fvol|svol|tvol|avol)?cites$|^footcitetexts$")
_VOLUME = re.compile(r"(?i)^(?:p|f|ft|s|t|a)?volcite$")
_NOT_CITES = re.compile(
    r"(?i)^(?:citation|citations?\w*|citestyle|citesort\w*|citeleft|citeright|citemid|citepunct|citeform|citedash|citedelim\w*"
    r"|citetext|citenamefont|citename|citeauthoryear\w*|citefont|citeindex\w*|citesetup|citereset\w*|citetracker\w*|citecounter|citepagerange\w*|citecolor"
    r"|citerm|citenumfont|citeprepunct|citeauthorfont|citetitlefont|setcite\w*|bibcite|aboutcite|citebordercolor|citeskip"
    r"|excite\w*|incite\w*|recite\w*|calcite\w*|cited?needed|citationneeded|needs?cite|needcites?|addcite|missingcite"
    r"|todocite|citetodo|citeme|citeplug\w*|todo\w*|every\w*|ateverycite\w*|atnextcite\w*|declare\w*|new\w*cites|newcitestyle|shortcites"
    r"|ifcite\w*|cited|citing|citeseer\w*|citehere|citex|precite|postcite|endcite\w*|startcite\w*|mkcite\w*|blx\w*|citemark)$"
)
_CITE_LIKE = re.compile(
    r"^(?:[A-Za-z]*[cC]ites?|[A-Za-z]{0,12}[cC]ite(?:[tpAN]|s|alp|alt|author|year|yearpar|n|num)?|[cC]ite[A-Za-z]+)$"
)
KNOWN_CITES = _CITES | {name[0].upper() + name[1:] for name in _CITES}


def is_cite(name: str) -> bool:
    """True if a command of this name (without backslash and star) cites keys."""
    if "@" in name or _NOT_CITES.match(name):
        return False
    return name in KNOWN_CITES or _CITE_LIKE.match(name) is not None


def cites_many_times(name: str) -> bool:
    """True if it takes `[..][..]{keys}` repeatedly (biblatex's `\\cites` family)."""
    return _MULTIPLE.match(name) is not None


def volume_first(name: str) -> bool:
    """True if its first argument is a volume (biblatex's `\\volcite` family)."""
    return _VOLUME.match(name) is not None


VERBATIM_ENVIRONMENTS = words(
    """verbatim verbatim* Verbatim Verbatim* BVerbatim LVerbatim SaveVerbatim spverbatim verbatimtab lstlisting minted
    alltt tcblisting tcolorboxlisting Sinput Soutput Scode Schunk CodeInput CodeOutput Code CodeChunk Rcode
    pycode pyblock pyconsole pyverbatim sagesilent sageblock luacode luacode* asy asydef ffcode phiquation
    phiquation* sodg ebnf python ipythonnb dot2tex gnuplot filecontentsdef VerbatimOut"""
)
COMMENT_ENVIRONMENTS = words("comment CCSXML")

DROPPED_ENVIRONMENTS = words(
    """figure figure* table table* tabular tabular* tabularx tabulary tabu longtable longtabu supertabular xltabular
    wrapfigure wraptable SCfigure sidewaystable sidewaystable* sidewaysfigure sidewaysfigure* tikzpicture tikzcd
    pgfpicture picture pspicture algorithm algorithm* algorithmic algorithm2e algo subfigure subtable axis
    forest overpic thebibliography keywords keyword IEEEkeywords teaserfigure marginfigure margintable CCSXML
    filecontents filecontents* lstlisting floatingfigure diagram xy scope pgfonlayer circuitikz threeparttable
    tablenotes deluxetable deluxetable* scheme chart listing citeplugplan"""
)
MATH_ENVIRONMENTS = words(
    """equation equation* align align* alignat alignat* flalign flalign* gather gather* multline multline* eqnarray
    eqnarray* displaymath math dmath dmath* dgroup dgroup* IEEEeqnarray IEEEeqnarray* subequations split aligned
    xalignat array empheq"""
)
# Environments with mandatory arguments that are not text: how many.
ENVIRONMENT_ARGUMENTS = {
    "minipage": 1,
    "adjustwidth": 2,
    "addmargin": 1,
    "addmargin*": 1,
    "multicols": 1,
    "multicols*": 1,
    "spacing": 1,
    "otherlanguage": 1,
    "otherlanguage*": 1,
    "CJK": 2,
    "CJK*": 2,
    "list": 2,
    "changemargin": 2,
    "adjustbox": 1,
    "textblock": 1,
    "textblock*": 1,
    "mdframed": 0,
    "column": 1,
    "block": 0,
    "frame": 0,
    "fontfamily": 1,
    "thebibliography": 1,
}

# Commands whose arguments are not text: how many are dropped. What follows them stays.
_DROPPED = {
    1: words(
        """Cref DIFdel DIFdelFL Description IEEEkeywords Keywords PACS RequirePackage Sexpr ULdeleted VerbatimInput Vref
        acks acmConference acmDOI acmISBN addbibresource address addvspace affiliation authorrunning autoref
        bibitem bibliography bibliographystyle cancel caption caption* captionsetup ccsdesc cellcolor citeplugexclude
        citeplugpin cline
        cmidrule color colorbox columncolor corref cortext cpageref cref definetheorem deleted documentclass
        email endnote endnotetext enlargethispage epsfbox epsfig eqref fnref fntext fontfamily fontseries
        fontshape footnote footnotemark footnotetext foreignlanguage fullref geometry glsadd graphicspath
        hphantom href hspace hspace* hyperlink hypersetup hypertarget hyphenation import include includegraphics
        index input inst institute keyword keywords label linespread lstinputlisting lstset marginnote marginpar
        missingfigure msc nameref newcounter newlength newsavebox newtheorem nomenclature only onslide orcid
        orcidID pacs pagecolor pageref pagestyle parbox pdfcatalog pdfinfo pgfplotsset phantom psfig raisebox
        ref refstepcounter remove rotatebox rowcolor savebox scalebox selectlanguage setbeamertemplate setlist
        sidecaption sidenote sisetup sout special st stepcounter subfile subjclass subref temporal
        texorpdfstring textcolor thanks thankses theoremstyle thispagestyle thispdfpagelabel tikzset
        titlerunning tnoteref todo transparent uncover usebox usepackage usetheme usetikzlibrary vadjust value
        verbatiminput visible vphantom vref vspace vspace* xout"""
    ),
    2: words(
        """Crefname DeclareMathOperator acrodef addtocontents addtocounter addtolength counterwithin crefname crefrange
        definecolor fcolorbox fontsize markboth multicolumn newglossaryentry numberwithin pdfbookmark
        providelength resizebox rule setcounter setlength subimport"""
    ),
    3: words("addcontentsline newacronym"),
}
DROPPED_ARGUMENTS = {name: count for count, names in _DROPPED.items() for name in names}

# Commands that keep their first argument and drop the second.
KEEPS_FIRST = words("replaced pdftooltip tooltip")

# Plain TeX parameters and skips, followed by a dimension.
DIMENSIONS = words(
    """vskip hskip kern mskip parskip parindent baselineskip leftskip rightskip topskip textwidth textheight hsize
    vsize hangindent oddsidemargin evensidemargin topmargin headheight headsep footskip columnsep labelsep
    itemsep topsep partopsep parsep leftmargin rightmargin linewidth columnwidth tabcolsep arraycolsep
    abovedisplayskip belowdisplayskip looseness hangafter penalty baselinestretch tolerance emergencystretch
    hbadness vbadness clubpenalty widowpenalty interlinepenalty lineskip textfloatsep floatsep intextsep
    abovecaptionskip belowcaptionskip vspaces spaceskip xspaceskip parfillskip vfuzz hfuzz pdfoutput fboxsep
    fboxrule vsplit moveleft moveright raise lower itemindent listparindent absleftindent absrightindent"""
)

# Commands that print white space, and macros that many authors define alike.
LAYOUT = {
    **dict.fromkeys("par item newpage clearpage smallskip medskip bigskip maketitle".split(), "\n\n"),
    **dict.fromkeys("dotfill enskip hfill linebreak and And AND".split(), " "),
    "eg": "e.g.",
    "ie": "i.e.",
    "etal": "et al.",
    "LaTeXe": "LaTeX2e",
    "XeTeX": "XeTeX",
}
