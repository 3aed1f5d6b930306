/** The documents that citeplug is told of. */

export const LANGUAGES = ["latex", "tex", "rsweave", "bibtex"];

/** A file; a new document; a file of Overleaf Workshop, which lies on no disk. */
const SCHEMES = ["file", "untitled", "overleaf-workshop"];

export const SELECTOR = SCHEMES.flatMap((scheme) => LANGUAGES.map((language) => ({ scheme, language })));
