import { keysOf } from '../../schemas/closed-lists.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { doiVersions } from './doi-versions.js'
import { arxivDoi, arxivIn, doiIn, idsIn, pmcidIn } from './identifiers.js'

/** An identifier of a paper in an outside index. */
export interface PastedIdentifier { kind: 'doi' | 'arxiv' | 'pmid' | 'pmcid', value: string }
/** A paper as a person names it: by an identifier, by the address of a page that may state one, or by its whole title. */
export type NamedPaper = SoughtPaper | { kind: 'page', value: string }
/** A paper as sources are asked for it. */
export type SoughtPaper = PastedIdentifier | { kind: 'title', value: string }

/** Text before a pasted identifier: the address of a resolver or an index, or its name. */
const prefix = /^(?:(?:info|urn):doi[/:]|(?:https?:\/\/)?(?:(?:www\.|dx\.)?doi\.org\/|doi\s*[:=]?\s*))/i
const isResolver = /^(?:https?:\/\/)?(?:www\.|dx\.)?doi\.org\//i
const arxivForm = new RegExp(
  String.raw`^(?:(?:https?:\/\/)?(?:(?:www\.|export\.)?arxiv\.org\/(?:abs|pdf|html)|ar5iv(?:\.labs\.arxiv)?\.org\/(?:abs|html)|` +
  String.raw`(?:www\.)?alphaxiv\.org\/(?:abs|overview)|(?:www\.)?huggingface\.co\/papers)\/|arxiv\s*:?\s*)?` +
  String.raw`(\d{4}\.\d{4,5}|[a-z-]+(?:\.[A-Z]{2})?\/\d{7})(?:v\d+)?(?:\.pdf)?\/?(?:[?#]\S*)?$`,
  'i'
)
const pmidForm = /^(?:PMID|PubMed(?:\s?ID)?)\s*:?\s*0{0,11}([1-9]\d{0,11})$/i
/** As PubMed's own queries have it. */
const pmidField = /^([1-9]\d{0,11})\s*\[(?:pmid|uid)\]$/i
/** No id begins with a zero, but a short id of the service can. */
const pmidDigits = /^[1-9]\d{0,11}$/
const pmcidForm = /^(?:PMCID\s*:?\s*(?:PMC)?|PMC\s?)0{0,9}([1-9]\d{0,9})(?:\.\d{1,3})?$/i
const indexName = /^(?:doi|arxiv|pmid|pmcid|pubmed(?:\s?id)?|pmc)\s*:?\s*/i
/** A DOI as a part of an address. */
const encodedSlash = /^((?:doi\s*[:=]?\s*)?10\.\d{4,9})%2F/i
const nameBeforeAddress = new RegExp(`${indexName.source}(?=https?:)`, 'i')

/** Longest text that is looked at: a link with its words and an address. */
const maxPastedLength = 2000

/**
 * The identifier that a whole text is, in any form that people paste; undefined for anything else, such as a title with a DOI in it.
 * @param options.digitsArePmid whether digits alone are a PubMed id
 */
export function pastedIdentifier (text: string, { digitsArePmid = false } = {}): PastedIdentifier | undefined {
  const trimmed = text.trim()
  if (trimmed.length > maxPastedLength) return undefined
  const unwrappedText = unwrapped(trimmed)
  if (unwrappedText.length > 600) return undefined
  const written = halfWidth(unwrappedText).replace(nameBeforeAddress, '').replace(encodedSlash, '$1/')
  // The end of a sentence may follow, and Chinese and Japanese texts have colons and digits of their own. The lookbehind keeps it linear.
  const plain = written.normalize('NFKC').replace(/(?<![.,;:])[.,;:]+$/, '')
  const field = pmidField.exec(plain)?.[1]
  if (field !== undefined) return { kind: 'pmid', value: field }
  if (plain === '' || /\s/.test(plain.replace(indexName, ''))) return undefined
  const arxiv =
    arxivForm.exec(plain)?.[1] ??
    /^(?:(?:https?:\/\/)?(?:dx\.)?doi\.org\/|doi\s*:?\s*)?10\.48550\/arxiv\.(\S+?)(?:v\d+)?$/i.exec(plain)?.[1]
  if (arxiv !== undefined) return identifier('arxiv', arxivIn(arxiv))
  const pmid = pmidForm.exec(plain)?.[1]
  if (pmid !== undefined) return { kind: 'pmid', value: pmid }
  if (digitsArePmid && pmidDigits.test(plain)) return { kind: 'pmid', value: plain }
  const pmcid = pmcidForm.exec(plain)?.[1]
  if (pmcid !== undefined) return { kind: 'pmcid', value: `PMC${pmcid}` }
  if (isDoi(written)) {
    // An address can have more than the DOI: a query, a fragment, a slash.
    const doi = isResolver.test(written) ? written.replace(prefix, 'https://doi.org/').replace(/\/$/, '') : written.replace(prefix, '')
    return identifier('doi', doiIn(doi))
  }
  if (!/^(?:https?:\/\/)?[\w.-]+\.\w+\//.test(written)) return undefined
  const address = /^https?:/i.test(written) ? written : `https://${written}`
  const { pmid: pubmed, pmcid: pmc } = idsIn([address])
  return (
    identifier('pmid', pubmed) ??
    identifier('pmcid', pmc ?? (/ncbi\.nlm\.nih\.gov|europepmc\.org/i.test(address) ? pmcidIn(address) : null)) ??
    identifier('doi', doiIn(address))
  )
}

/**
 * The forms in which a work can be stored: its identifier first, then the DOIs of the work's other versions, or the one that arXiv derives
 * from its id, which is all that some files state.
 */
export const allVersions = ({ kind, value }: PastedIdentifier): Array<{ kind: PastedIdentifier['kind'], values: string[] }> => [
  { kind, values: kind === 'doi' ? doiVersions(value) : [value] },
  ...(kind === 'arxiv' ? [{ kind: 'doi' as const, values: [arxivDoi(value)] }] : [])
]

/** The identifiers that a record states. */
export function identifiersOf ({ doi, external_ids }: Pick<PaperRecord, 'doi' | 'external_ids'>): PastedIdentifier[] {
  const ids = { doi, arxiv: external_ids.arxiv, pmid: external_ids.pmid, pmcid: external_ids.pmcid }
  return keysOf(ids).flatMap(kind => {
    const value = ids[kind]
    return value == null ? [] : { kind, value }
  })
}

const quotes = [['<', '>'], ['(', ')'], ['[', ']'], ['"', '"'], ["'", "'"], ['`', '`'], ['“', '”'], ['‘', '’']] as const

/** Without the link, brackets or quotes around it, and without the subject that arXiv appends: "arXiv:2401.01234 [q-bio.NC]". */
function unwrapped (text: string): string {
  const whole = /^\[[^\]]{0,300}\]\(\s*(\S{1,600}?)\s*\)$/.exec(text)?.[1] ?? text
  const pair = quotes.find(([open, close]) => whole.length > 2 && whole.startsWith(open) && whole.endsWith(close))
  const inner = pair === undefined ? whole : whole.slice(1, -1).trim()
  return /^(?:arxiv\b|\d{4}\.\d{4,5}|[a-z-]+\/\d{7})/i.test(inner) ? inner.replace(/(?<!\s)\s+\[[a-z-]+(?:\.[a-z]{2})?\]$/i, '') : inner
}

const isDoi = (text: string) => /^10\.\d{4,9}\//.test(text.replace(prefix, ''))

/** With ASCII for its full-width forms, "10.1000/1" for "１０．１０００／１", unless it is a DOI: its own characters stay. */
const halfWidth = (text: string): string =>
  isDoi(text) ? text : text.replace(/[！-～]/g, sign => String.fromCharCode(sign.charCodeAt(0) - 0xfee0))

const identifier = (kind: PastedIdentifier['kind'], value: string | null): PastedIdentifier | undefined =>
  value === null ? undefined : { kind, value }

/**
 * Formats an identifier as people name it: "DOI 10.1000/xyz", "arXiv 2401.01234", "PMID 123", "PMCID PMC123". pastedIdentifier reads it
 * back. A page is its address, a title its words.
 */
export const formatIdentifier = ({ kind, value }: NamedPaper): string =>
  kind === 'page' || kind === 'title' ? value : `${kind === 'arxiv' ? 'arXiv' : kind.toUpperCase()} ${value}`
