import { JSONParser } from '@streamparser/json'
import type { PaperRecord } from '../../../schemas/paper.js'
import { arxivIn, doiIn, pmcidIn, pmidIn, webAddress } from '../identifiers.js'
import { dateOf, readDate } from './dates.js'
import type { Format, Reading } from './format.js'
import { longestRecord } from './lines.js'
import { stated } from './metadata.js'
import { authorsOf } from './names.js'
import { plainParagraphs, plainText } from './plain-text.js'

/** A list of CSL items, or an object with one under "items". @see https://citeproc-js.readthedocs.io/en/latest/csl-json/markup.html */
export const cslJson: Format = {
  name: 'csl-json',
  title: 'CSL-JSON',
  // A list, or an object that goes on over lines: JSON lines have a whole object in the first.
  matches: head => /^\s*\[\s*(\{|\])/.test(head) || /^\s*\{\s*"items"\s*:\s*\[/.test(head),
  async * read (text) {
    let place = 0
    let waiting: Reading[] = []
    let fault: string | undefined
    let since = 0
    const parser = new JSONParser({ paths: ['$.*', '$.items.*'], keepStack: false })
    parser.onValue = ({ value, stack }) => {
      if (stack.length === 1 && Array.isArray(value)) return
      since = 0
      waiting.push({ place: ++place, ...readItem(value) })
    }
    parser.onError = cause => { fault ??= `the JSON is broken: ${cause.message}` }
    for await (const part of text) {
      since += part.length
      try {
        parser.write(part)
      } catch (cause) {
        fault ??= `the JSON is broken: ${(cause as Error).message}`
      }
      yield * waiting
      waiting = []
      if (since > longestRecord) fault ??= 'a record is longer than 8 MB'
      if (fault !== undefined) break
    }
    if (fault === undefined && !parser.isEnded) fault = 'the JSON is cut short'
    if (fault !== undefined) yield { place: place + 1, reason: fault }
  }
}

type Item = Record<string, unknown>

function readItem (value: unknown): { record: PaperRecord } | { reason: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { reason: 'a record must be an object' }
  const item = value as Item
  const text = (name: string) => typeof item[name] === 'string' || typeof item[name] === 'number' ? String(item[name]) : undefined
  const title = plainText(text('title') ?? '')
  if (title === '') return { reason: 'title is missing' }
  const url = webAddress(text('URL'))
  const note = text('note') ?? ''
  const pmid = pmidIn(text('PMID')) ?? pmidIn(/PMID:?\s*(\d+)/i.exec(note)?.[1])
  const pmcid = pmcidIn(text('PMCID')) ?? pmcidIn(note)
  const arxiv = arxivIn(/arxiv\.org/i.test(url ?? '') ? url : undefined) ?? arxivIn(/arxiv/i.test(`${text('archive')} ${text('publisher')} ${text('number')}`) ? text('number') : undefined)
  return {
    record: {
      title,
      abstract: plainParagraphs(text('abstract') ?? ''),
      authors: authorsOf((Array.isArray(item.author) ? item.author : []).map(nameOf)),
      published_date: publishedOf(item.issued),
      url,
      pdf_url: url !== null && /\.pdf([?#]|$)/i.test(url) ? url : null,
      doi: doiIn(text('DOI')) ?? (/doi/i.test(url ?? '') ? doiIn(url) : null),
      venue_name: plainText(text('container-title') ?? text('publisher') ?? '') || null,
      external_ids: { ...(pmid === null ? {} : { pmid }), ...(pmcid === null ? {} : { pmcid }), ...(arxiv === null ? {} : { arxiv }) },
      source: { name: 'csl-json' },
      source_paper_id: null,
      metadata: stated({
        type: text('type'),
        citation_key: text('id'),
        volume: text('volume'),
        issue: text('issue'),
        pages: text('page'),
        issn: text('ISSN'),
        isbn: text('ISBN'),
        publisher: text('publisher'),
        language: text('language')
      })
    }
  }
}

function nameOf (value: unknown): string {
  if (typeof value !== 'object' || value === null) return ''
  const author = value as Record<string, unknown>
  const part = (name: string) => typeof author[name] === 'string' ? author[name] as string : ''
  const whole = part('literal') || [part('given'), part('dropping-particle'), part('non-dropping-particle'), part('family'), part('suffix')].filter(each => each !== '').join(' ')
  return plainText(whole)
}

function publishedOf (value: unknown): string | null {
  if (typeof value === 'string') return readDate(value)
  if (typeof value !== 'object' || value === null) return null
  const { 'date-parts': parts, raw, literal } = value as { 'date-parts'?: unknown, raw?: unknown, literal?: unknown }
  const first: unknown = Array.isArray(parts) ? parts[0] : undefined
  if (Array.isArray(first)) return dateOf(Number(first[0]), Number(first[1] ?? 1), Number(first[2] ?? 1))
  return readDate(typeof raw === 'string' ? raw : typeof literal === 'string' ? literal : null)
}
