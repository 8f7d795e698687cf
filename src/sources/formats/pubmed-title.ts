/**
 * Removes PubMed's additions from a title: the full stop, and brackets around a translation.
 * @param original the title in the original language, used without a translation
 */
export function pubmedTitle (title: string, original: string): string {
  const [, inner] = /^\[(.*)\]\.?$/.exec(title) ?? []
  const translated = inner !== undefined && isBalanced(inner) ? inner : title
  const isThere = translated !== '' && !/^not available\.?$/i.test(translated)
  return (isThere ? translated : original || title).replace(/(?<!\.)\.$/, '')
}

/** Whether each bracket of a text is closed within it: the first bracket of "[18F]FDG and [11C]acetate" does not enclose the title. */
function isBalanced (text: string): boolean {
  let depth = 0
  for (const [bracket] of text.matchAll(/[[\]]/g)) {
    depth += bracket === '[' ? 1 : -1
    if (depth < 0) return false
  }
  return depth === 0
}
