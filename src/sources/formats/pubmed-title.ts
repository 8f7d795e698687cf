/**
 * Removes PubMed's additions from a title: the full stop, and brackets around a translation.
 * @param original the title in the original language, used without a translation
 */
export function pubmedTitle (title: string, original: string): string {
  const translated = title.replace(/^\[(.*)\]\.?$/, '$1')
  const isThere = translated !== '' && !/^not available\.?$/i.test(translated)
  return (isThere ? translated : original || title).replace(/(?<!\.)\.$/, '')
}
