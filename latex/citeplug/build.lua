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

packtdszip = false
