-- Build script of the LaTeX package: `l3build check`, `l3build doc`, `l3build ctan`.

module = "citeplug"

-- The package itself is a part of the Python package, which puts it beside a draft.
sourcefiledir = "../../citeplug/latex/sty"
sourcefiles   = {"citeplug.sty"}
installfiles  = {"citeplug.sty"}
unpackfiles   = {}

checkengines = {"pdftex", "xetex", "luatex"}
checkruns    = 1

docfiles     = {"citeplug-doc-section.tex", "citeplug-doc-section-citeplug.tex"}
typesetfiles = {"citeplug-doc.tex"}
textfiles    = {"README.md", "LICENSE"}
typesetruns  = 2

-- The examples of the manual, in every release of l3build.
typesetsuppfiles = docfiles
supportdir       = "."

packtdszip = true

-- For `l3build upload`; CITEPLUG_URL is the address of the repository.
local url = os.getenv("CITEPLUG_URL")
uploadconfig = {
  pkg         = module,
  version     = "0.1.0 2026-11-21",
  author      = "The citeplug authors",
  uploader    = "The citeplug authors",
  license     = "lppl1.3c",
  summary     = "A related-work section from a program beside the document",
  description = "Gives the section that the program citeplug writes a place in the document, with its options, "
    .. "papers that must or must not be discussed, a disclosure of how it was made, and a view of the source of each sentence.",
  topic       = {"bibtex-sty", "package-supp"},
  ctanPath    = "/macros/latex/contrib/citeplug",
  home        = url,
  repository  = url,
  bugtracker  = url and url .. "/issues",
  update      = false,
}
