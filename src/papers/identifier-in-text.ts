import { doiIn, webAddress } from './identifiers.js'
import { type NamedPaper, type PastedIdentifier, pastedIdentifier } from './pasted-identifier.js'

/** Characters of each text that are searched. */
const maxSearchedLength = 4000
/** Addresses in a text that are looked at. */
const maxAddresses = 10

/**
 * Finds the identifier of a paper in what a browser or a phone shares: an identifier in any pasted form, the address of a page, or a text
 * that contains either. The first text with one wins. Digits alone are no identifier there: they can be a number of anything.
 */
export function identifierInTexts (texts: ReadonlyArray<string | undefined>): PastedIdentifier | undefined {
  for (const text of texts) {
    const found = text === undefined ? undefined : identifierInText(text.slice(0, maxSearchedLength))
    if (found !== undefined) return found
  }
  return undefined
}

/** Finds the identifier in what a person types, where digits alone are a PubMed id. */
export const typedIdentifier = (text: string): PastedIdentifier | undefined =>
  pastedIdentifier(text, { digitsArePmid: true }) ?? identifierInTexts([text])

/** Finds the address of a page in what a browser or a phone shares. The first text with one wins. */
export function pageInTexts (texts: ReadonlyArray<string | undefined>): string | undefined {
  for (const text of texts) {
    const address = text === undefined ? undefined : addressesIn(text.slice(0, maxSearchedLength))[0]
    if (address !== undefined && URL.canParse(address)) return address
  }
  return undefined
}

/** Reads what names a paper: an identifier in any pasted form, or the address of a page. @returns undefined for any other text */
export function namedPaper (text: string): NamedPaper | undefined {
  const address = pageAddress(text)
  return namedIdentifier(text, { digitsArePmid: true }) ?? (address === null ? undefined : { kind: 'page', value: new URL(address).href })
}

/**
 * The identifier that a whole text is, in any pasted form, or that the address of a publisher's page contains.
 * @param options.digitsArePmid whether digits alone are a PubMed id
 */
export function namedIdentifier (text: string, options?: { digitsArePmid?: boolean }): PastedIdentifier | undefined {
  const address = pageAddress(text)
  return pastedIdentifier(text, options) ?? (address === null ? undefined : identifierInTexts([address]))
}

/** The web address that a whole text is, or null. */
const pageAddress = (text: string): string | null => /\s/.test(text.trim()) ? null : webAddress(text)

/** The addresses in a text, without the punctuation of the sentence around them. */
const addressesIn = (text: string): string[] =>
  (text.match(/https?:\/\/[^\s<>"']+/gi) ?? []).slice(0, maxAddresses)
    .map(address => address.replace(/(?<![.,;:!?)\]}’”])[.,;:!?)\]}’”]+$/, ''))

function identifierInText (text: string): PastedIdentifier | undefined {
  const whole = pastedIdentifier(text)
  if (whole !== undefined) return whole
  for (const address of addressesIn(text)) {
    const found = pastedIdentifier(address) ?? publisherDoi(address)
    if (found !== undefined) return found
  }
  const doi = doiIn(text.replace(/https?:\/\/[^\s<>"']+/gi, ' '))
  if (doi !== null) return { kind: 'doi', value: doi }
  for (const form of namedForms) {
    const named = form.exec(text)?.[0]
    const found = named === undefined ? undefined : pastedIdentifier(named)
    if (found !== undefined) return found
  }
  return undefined
}

/** Identifiers with their names within a text. Titles have short ones of other kinds: the gene PMC1, "PubMed 2.0". */
const namedForms = [
  /\barxiv\s*(?::\s*)?(?:\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?/i,
  /\b(?:(?:PMID|PubMed\s?ID)\s*(?::\s*)?\d{1,12}|PubMed\s*(?::\s*)?\d{7,12})\b(?!\.\d)/i,
  /\b(?:PMCID\s*(?::\s*)?(?:PMC)?\d{1,10}|PMC\d{5,10})\b/i
]

/**
 * Publishers whose pages have a DOI without its prefix in their addresses. Hosts are complete and paths begin at the host's end, so another
 * host with such a name in its own name or path does not match.
 */
const publishers: ReadonlyArray<[address: RegExp, prefix: string]> = [
  [/^https?:\/\/(?:www\.)?nature\.com\/articles\/([\w.-]+)/i, '10.1038/'],
  [/^https?:\/\/elifesciences\.org\/articles\/(\d+)/i, '10.7554/elife.'],
  [/^https?:\/\/(?:papers\.|www\.)?ssrn\.com\/(?:abstract=|[^?#]*\?(?:[^#]*&)?abstract_?id=)(\d{1,10})\b/i, '10.2139/ssrn.'],
  [/^https?:\/\/(?:www\.)?zenodo\.org\/records?\/(\d{1,12})\b/i, '10.5281/zenodo.'],
  // Ids of earlier years, such as P19-1001, have DOIs only in part.
  [/^https?:\/\/(?:www\.)?aclanthology\.org\/(20[2-9]\d\.[a-z\d]+-[a-z\d]+\.\d{1,4})(?:v\d+)?(?:\.pdf|\.bib)?(?=[/?#]|$)/i, '10.18653/v1/']
]

function publisherDoi (address: string): PastedIdentifier | undefined {
  for (const [form, prefix] of publishers) {
    const suffix = form.exec(address)?.[1]
    if (suffix !== undefined) return { kind: 'doi', value: `${prefix}${suffix.replace(/\.pdf$/, '').toLowerCase()}` }
  }
  return undefined
}
