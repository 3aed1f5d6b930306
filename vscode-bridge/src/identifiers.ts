/** Names of papers, for the editor and for the browser extension. */

/** An id of arXiv's, the present kind or that of before 2007, without a version. */
export const ARXIV_ID = /^(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})$/;
