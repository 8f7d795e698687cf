/** Characters of the token of a link, at most. */
export const maxTokenLength = 100
