/** Languages by their English names, as LaTeX's package babel names them. */
const babelLanguages: ReadonlyMap<string, string> = new Map([
  ...('basque bulgarian catalan croatian czech danish dutch english estonian finnish french galician greek hungarian icelandic italian ' +
    'latin latvian lithuanian polish portuguese romanian russian serbian slovak spanish swedish turkish ukrainian')
    .split(' ').map(name => [name, name] as const),
  // The present spelling.
  ['german', 'ngerman'],
  ['norwegian', 'norsk'],
  ['slovenian', 'slovene']
])
const babelNames: ReadonlySet<string> = new Set(babelLanguages.values())
const englishNames = new Intl.DisplayNames('en', { type: 'language' })

/** The name that babel gives a language: "english" for "en-US", "eng" (MEDLINE) or "English"; undefined for others. */
export function babelLanguage (stated: string | undefined): string | undefined {
  const word = stated?.trim().toLowerCase() ?? ''
  if (babelNames.has(word)) return word
  const code = /^[a-z]{2,3}(?=$|[-_])/.exec(word)?.[0]
  return babelLanguages.get(code === undefined ? word : englishNames.of(code)?.toLowerCase() ?? '')
}
