/**
 * A title as PubMed writes it, without what PubMed adds: the full stop, and brackets around a translation.
 * @param original the title in the article's own language; it stands where PubMed has no translation
 */
export function pubmedTitle (title: string, original: string): string {
  const translated = title.replace(/^\[(.*)\]\.?$/, '$1')
  const isThere = translated !== '' && !/^not available\.?$/i.test(translated)
  return (isThere ? translated : original || title).replace(/(?<!\.)\.$/, '')
}
