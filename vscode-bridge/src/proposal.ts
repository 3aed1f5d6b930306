/** What `citeplug related --json` would write. */

export interface Proposal {
  /** Absolute paths, and what would stand there. */
  tex: string;
  bib: string;
  texContent: string;
  bibContent: string;
}

/** A proposal out of the program's answer; undefined if it is none. */
export function readProposal(answer: string): Proposal | undefined {
  try {
    const { tex, bib, tex_content, bib_content } = JSON.parse(answer) as Partial<Record<string, unknown>>;
    return typeof tex === "string" &&
      typeof bib === "string" &&
      typeof tex_content === "string" &&
      typeof bib_content === "string"
      ? { tex, bib, texContent: tex_content, bibContent: bib_content }
      : undefined;
  } catch {
    return undefined;
  }
}
