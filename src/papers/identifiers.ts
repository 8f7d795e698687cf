/* Identifiers as people and programs write them, and as they are stored. */

/** Characters of a text that are searched for an identifier; a hostile field may have megabytes. */
const maxScannedLength = 2048

/**
 * A DOI anywhere in a text: 10., four to nine digits, a slash, and everything up to a space or quote. DOIs made from a SICI contain angle
 * brackets; some say so at the start, others end like one: 10.1175/1520-0469(1963)020<0130:DNF>2.0.CO;2.
 * @see https://www.niso.org/publications/ansiniso-z3956-1996-r2002-serial-item-and-contribution-identifier-sici
 */
const doiForm = new RegExp(
  String.raw`\b(10\.\d{4,9}(?:\.\d+)*/(?:` +
    String.raw`[^\s"<>]{1,100}<[^\s"<>]{1,100}>\d\.\d\.[A-Z]{2};\d(?:-[^\s"<>.,;)\]])?|` +
    String.raw`\(SICI\)(?:[^\s"<]|<(?!/))+|[^\s"<>]+))`,
  'i'
)
/** Control characters and lone surrogates, which escapes in an address can hide; no database and no URL takes them. */
const unprintable = /[\p{Cc}\p{Cs}]/u
/** Characters that nobody sees, such as the zero-width space at which pages break long addresses. */
const invisible = /\p{Default_Ignorable_Code_Point}+/gu
const entities: Readonly<Record<string, string>> = { '&lt;': '<', '&gt;': '>', '&amp;': '&' }

/**
 * The DOI in a text such as "doi:10.1000/ABC" or an address: lower case, without surrounding punctuation.
 * @see https://www.doi.org/the-identifier/resources/handbook/2_numbering: DOIs are case-insensitive
 */
export function doiIn (text: string | undefined | null): string | null {
  if (!text) return null
  // Entities come from HTML, backslashes and the braces around them from LaTeX.
  const written = text
    .slice(0, maxScannedLength)
    .trim()
    .replace(/&(?:lt|gt|amp);/g, entity => entities[entity]!)
    .replace(/\{\\([_%&#$])\}|\\([_%&#$])/g, '$1$2')
  return /^https?:/i.test(written) ? doiInAddress(written) : firstDoi(decoded(written))
}

function firstDoi (text: string): string | null {
  const found = doiForm.exec(text.replace(invisible, ''))?.[1]
  const doi = found === undefined || unprintable.test(found) ? '' : trimEnd(found).toLowerCase()
  return /\/./.test(doi) ? doi : null
}

/** What publishers append to a DOI in an address: the part or the form of the article that the page shows. */
const shownPart = /(?:\/(?:abstract|e?pdf|full|fulltext|full-text|html|meta|references|summary))+$/

/**
 * The DOI of a reference, which may be copied from an address, or that of arXiv for a text such as "arXiv preprint arXiv:1706.03762".
 * @param texts of the reference; the first with an identifier counts
 */
export function citedDoiIn (...texts: ReadonlyArray<string | undefined | null>): string | null {
  for (const text of texts) {
    const doi = doiIn(text)
    if (doi !== null) return doi.replace(shownPart, '')
    const arxiv = arxivIn(/\barxiv[\s:.]*(?:preprint[\s:]*)?(?:arxiv[\s:.]*)?(\S{1,40})/i.exec(text?.slice(0, maxScannedLength) ?? '')?.[1])
    if (arxiv !== null) return arxivDoi(arxiv)
  }
  return null
}

/** Publishers append to the DOI in an address: a query, or the part or form of the article that the page shows. */
function doiInAddress (address: string): string | null {
  const doi = address.split(/[?#&]/).map(part => firstDoi(decoded(part))).find(each => each !== null) ?? null
  if (doi === null || /^https?:\/\/[^/]*\bdoi\.org\//i.test(address)) return doi
  // Silverchair's platforms append the number and the title of the article.
  const own = /\/(?:advance-)?article[\w-]*\/doi\//i.test(address) ? doi.replace(/\/\d{4,9}(?:\/[^/]*)?$/, '') : doi
  return own.replace(shownPart, '').replace(/\.(?:pdf|html?)$/, '')
    .replace(/^(10\.(?:1101|64898)\/.*?)v\d+(?:\.[a-z-]+)*$/, '$1')
}

function decoded (text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/**
 * Punctuation of the sentence around it; a closing bracket belongs to the DOI only where it opens one. Takes linear time: a source or a
 * file can write any number of brackets.
 */
function trimEnd (doi: string): string {
  let end = withoutLast(doi, doi.length, ".,;:'’”/")
  for (const [open, close] of [['(', ')'], ['[', ']'], ['{', '}']] as const) {
    let unopened = countOf(doi, close, end) - countOf(doi, open, end)
    for (; unopened > 0 && doi[end - 1] === close; unopened--) end = withoutLast(doi, end - 1, '.,;:')
  }
  return doi.slice(0, end)
}

/** The end of a text without such characters before it. */
function withoutLast (text: string, end: number, characters: string): number {
  let shorter = end
  while (shorter > 0 && characters.includes(text[shorter - 1]!)) shorter--
  return shorter
}

/** How often a character occurs before the end of a text. */
function countOf (text: string, character: string, end: number): number {
  let count = 0
  for (let at = text.indexOf(character); at !== -1 && at < end; at = text.indexOf(character, at + 1)) count++
  return count
}

const newArxiv = /\b(\d{4}\.\d{4,5})(v\d+)?\b/
/** The archives of ids before April 2007. @see https://info.arxiv.org/help/arxiv_identifier.html */
const archives = 'acc-phys|adap-org|alg-geom|ao-sci|astro-ph|atom-ph|bayes-an|chao-dyn|chem-ph|cmp-lg|comp-gas|cond-mat|cs|dg-ga|' +
  'funct-an|gr-qc|hep-(?:ex|lat|ph|th)|math(?:-ph)?|mtrl-th|nlin|nucl-(?:ex|th)|patt-sol|physics|plasm-ph|q-(?:alg|bio)|quant-ph|' +
  'solv-int|supr-con'
const oldArxiv = new RegExp(String.raw`(?<![\w-])(${archives})(?:\.[a-z]{2})?/(\d{7})(v\d+)?\b`, 'i')

/**
 * The arXiv id in a text, without its version, and without the subject class that old ones may have, as arXiv states it: 2401.01234 or
 * math/0309136.
 * @see https://info.arxiv.org/help/arxiv_identifier_for_services.html
 */
export function arxivIn (text: string | undefined | null): string | null {
  if (!text) return null
  const begun = text.slice(0, maxScannedLength)
  const recent = newArxiv.exec(begun)?.[1]
  if (recent !== undefined) return recent
  const [, archive, number] = oldArxiv.exec(begun) ?? []
  return archive === undefined ? null : `${archive.toLowerCase()}/${number}`
}

/** The DOI that arXiv derives from an id. */
export const arxivDoi = (id: string): string => `10.48550/arxiv.${id.toLowerCase()}`

/** The version in an arXiv id, such as 2 in 2401.01234v2. */
export function arxivVersionIn (text: string): number | null {
  const version = /v(\d+)$/.exec(text)?.[1]
  return version === undefined ? null : Number(version)
}

/** A PubMed id: digits, with or without "PMID:". Files have zeros where an id is missing, or before one. */
export function pmidIn (text: string | undefined | null): string | null {
  return /^\s*(?:PMID:?\s*)?0{0,11}([1-9]\d{0,11})\s*$/i.exec(text ?? '')?.[1] ?? null
}

/** A PubMed Central id, with PMC. */
export function pmcidIn (text: string | undefined | null): string | null {
  const digits = /\bPMC\s?0{0,9}([1-9]\d{0,9})\b/i.exec(text ?? '')?.[1]
  return digits === undefined ? null : `PMC${digits}`
}

/** An OpenAlex work's id, with W. */
export const openalexIn = (text: string | undefined | null): string | null =>
  /^\s*(W\d{1,15})\s*$/i.exec(text ?? '')?.[1]?.toUpperCase() ?? null

const orcidForm = [4, 4, 4].map(digits => String.raw`(\d{${digits}})[-\s\u2010-\u2015\u2212]?`).join('') + String.raw`(\d{3}[\dX])(?![\dX])`
/** In an address, whatever follows; otherwise at the end of a text. */
const orcidForms = [
  new RegExp(`orcid\\.org/${orcidForm}`, 'i'),
  new RegExp(String.raw`(?:^|[^\d-])${orcidForm}[/.]?(?:[?#]\S*)?\s*$`, 'i')
]

/**
 * The ORCID iD in a text such as "https://orcid.org/0000-0002-1825-0097"; PubMed also has some without hyphens, and publishers some with
 * typographic ones. One with a typing error has another check digit.
 */
export function orcidIn (text: string | undefined | null): string | null {
  const begun = (text ?? '').slice(0, 200)
  const groups = orcidForms.map(form => form.exec(begun)?.slice(1)).find(found => found !== undefined)
  if (groups === undefined || !hasCheckDigit(groups.join(''))) return null
  return groups.join('-').toUpperCase()
}

/** Whether the last character is the check digit of the others. Source: ISO/IEC 7064, MOD 11-2. */
function hasCheckDigit (characters: string): boolean {
  const sum = [...characters.slice(0, -1)].reduce((total, digit) => (total + Number(digit)) * 2, 0)
  return '0123456789X'[(12 - sum % 11) % 11] === characters.at(-1)!.toUpperCase()
}

/** Reads an OpenAlex id that begins with this letter, alone or at the end of an address. */
function openalexIdIn (letter: 'A' | 'S' | 'I') {
  const form = new RegExp(String.raw`(?:^|/)(${letter}\d{1,15})\s*$`, 'i')
  return (text: string | undefined | null): string | null => form.exec((text ?? '').slice(0, 200))?.[1]?.toUpperCase() ?? null
}

/** The OpenAlex id of an author. */
export const openalexAuthorIn = openalexIdIn('A')
/** The OpenAlex id of a journal or repository. */
export const openalexSourceIn = openalexIdIn('S')
/** The OpenAlex id of an institution. */
export const openalexInstitutionIn = openalexIdIn('I')

/** A ROR id, such as 03vek6s52, alone or at the end of an address. @see https://ror.readme.io/docs/ror-identifier-pattern */
export const rorIn = (text: string | undefined | null): string | null =>
  /(?:^|ror\.org\/)(0[a-hj-km-np-tv-z0-9]{6}\d{2})\s*$/i.exec((text ?? '').slice(0, 200))?.[1]?.toLowerCase() ?? null

/** An ISSN, with its hyphen. */
export const issnIn = (text: string | undefined | null): string | null => {
  const [, first, last] = /^\s*(\d{4})-?(\d{3}[\dX])\s*$/i.exec((text ?? '').slice(0, 200)) ?? []
  return first === undefined ? null : `${first}-${last!.toUpperCase()}`
}

/** The PMID and PMCID that lines of a note state. Any other number in a note may be of another work, or of another index. */
export function idsInNote (note: string): { pmid: string | null, pmcid: string | null } {
  return {
    pmid: pmidIn(/^[^\w\n]{0,9}PMID:? {0,9}(\d{1,12})[^\w\n]{0,9}(?:PMCID:? {0,9}PMC\d{1,10}[^\w\n]{0,9})?$/im.exec(note)?.[1]),
    pmcid: pmcidIn(/^[^\w\n]{0,9}(?:PMID:? {0,9}\d{1,12}[^\w\n]{1,9})?PMCID:? {0,9}(PMC\d{1,10})[^\w\n]{0,9}$/im.exec(note)?.[1])
  }
}

/** The valid ISSNs of some texts, each once. */
export const issnsIn = (texts: readonly string[]): string[] => [...new Set(texts.slice(0, 20).map(issnIn))].filter(issn => issn !== null)

/** An http or https address; null for anything else, such as a file or a script. */
export function webAddress (text: string | undefined | null): string | null {
  const written = text?.trim() ?? ''
  return /^https?:\/\//i.test(written) && URL.canParse(written) ? written : null
}

/** Identifiers in addresses of indexes and in DOIs of arXiv. The first address with an id of a kind wins. */
export function idsIn (addresses: ReadonlyArray<string | undefined | null>): {
  arxiv: string | null
  pmid: string | null
  pmcid: string | null
  openalex: string | null
} {
  const first = (form: RegExp) => addresses.map(address => form.exec(address ?? '')?.[1]).find(found => found !== undefined)
  return {
    arxiv: arxivIn(first(/(?:\barxiv\.org\/(?:abs|pdf|html)\/|\b10\.48550\/arxiv\.)(\S+)/i)),
    pmid: pmidIn(
      first(/\b(?:pubmed\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov\/pubmed|europepmc\.org\/(?:article|abstract)\/med)\/(\d+)/i)
    ),
    pmcid: pmcidIn(first(/\b(?:pmc\.ncbi\.nlm\.nih\.gov|ncbi\.nlm\.nih\.gov\/pmc)\/articles\/(PMC\d+)/i)),
    openalex: openalexIn(first(/\bopenalex\.org\/(W\d+)/i))
  }
}
