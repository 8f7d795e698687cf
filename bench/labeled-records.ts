import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { PaperRecord } from '../schemas/paper.js'
import { bibtex as bibtexReference } from '../src/papers/citations/bibtex.js'
import { csl } from '../src/papers/citations/csl.js'
import { ris as risReference } from '../src/papers/citations/ris.js'
import { dedupe } from '../src/papers/dedupe.js'
import { doiIn, pmidIn } from '../src/papers/identifiers.js'
import { crossref } from '../src/sources/crossref.js'
import { europepmc } from '../src/sources/europepmc.js'
import { findFormat, recordFormatOf } from '../src/sources/formats/index.js'
import { child, children, readElements, textOf, type XmlElement } from '../src/sources/formats/xml.js'
import { openalex } from '../src/sources/openalex.js'
import type { Source } from '../src/sources/source.js'
import { paperOf } from '../test/support/service.js'
import { hardNegativesOf } from './hard-negatives.js'

/*
 * Pairs of recorded answers, labeled without the rules that merge records. Records of one paper share a DOI, PMID, PMCID or arXiv id, and
 * others have different ones. One of a pair then loses its identifiers, so that title, authors and year have to tell.
 */

/** A record with the file that has it. */
export interface Recorded { file: string, record: PaperRecord }

/** Two records, and whether they are of one paper. A recorded `work` has several pairs. */
export interface RecordedPair { kind: string, same: boolean, work: string, one: PaperRecord, other: PaperRecord }

/** What merging made of the pairs of a kind, each in both orders. `works` and `wrongWorks` tell how many works they are of. */
export interface PairCounts {
  kind: string
  same: boolean
  pairs: number
  merged: number
  failures: string[]
  works: Set<string>
  wrongWorks: Set<string>
}

/** Reads the records of a folder and its folders: answers of sources, files of reference managers, and the references of JATS articles. */
export async function readFolder (folder: string): Promise<Recorded[]> {
  const records: Recorded[] = []
  for (const name of readdirSync(folder, { recursive: true }).map(String).sort()) {
    const path = join(folder, name)
    if (!statSync(path).isFile() || !/\.(?:n?xml|json|nbib|ris|bib)$/.test(name)) continue
    for (const record of await readRecorded(path)) records.push({ file: name, record })
  }
  return records
}

async function readRecorded (path: string): Promise<PaperRecord[]> {
  const text = readFileSync(path, 'utf8')
  if (path.endsWith('.json')) return await readAnswer(text)
  if (/<article[\s>]/.test(text.slice(0, 4096))) return await readJats(text)
  const format = recordFormatOf(text.slice(0, 65_536))
  return format === undefined ? [] : await read(format.name, text)
}

async function read (format: string, text: string): Promise<PaperRecord[]> {
  const records: PaperRecord[] = []
  for await (const item of findFormat(format)!.read(pieces(text))) if ('record' in item) records.push(item.record)
  return records
}

type Json = Record<string, any>

/** An answer of Crossref, OpenAlex or Europe PMC, a list or a single work, or what Zotero reads in the file beside it. */
async function readAnswer (text: string): Promise<PaperRecord[]> {
  const answer = JSON.parse(text) as Json
  if (Array.isArray(answer)) return answer.map(readZoteroItem).filter(record => record !== undefined)
  if (answer.resultList !== undefined) return await ask(europepmc, answer)
  if (answer['message-type'] !== undefined) return await ask(crossref, { message: { items: answer.message.items ?? [answer.message] } })
  if (String(answer.id).includes('openalex.org') || Array.isArray(answer.results)) {
    return await ask(openalex, { meta: {}, results: answer.results ?? [answer] })
  }
  return []
}

/** Lets a source parse an answer. */
async function ask (source: Source, answer: Json): Promise<PaperRecord[]> {
  const response = { status: 200, headers: new Headers(), url: '', bytes: Buffer.from(JSON.stringify(answer)) }
  const context = { fetch: async () => response, baseUrl: 'https://example.org', contact: undefined, apiKey: undefined }
  // An id as query: works are not compared with its words.
  const query = source === crossref ? 'issn:0000-0000' : 'all'
  const pages = source.search(context, { query, from: '2000-01-01', to: '2030-01-01', cursor: null })
  // The next page would be the same answer.
  const first = await pages[Symbol.asyncIterator]().next()
  return first.done === true ? [] : first.value.parsed.flatMap(each => 'record' in each ? [each.record] : [])
}

function readZoteroItem (item: Json): PaperRecord | undefined {
  if (typeof item.title !== 'string' || item.title === '' || item.itemType === 'attachment') return undefined
  const authors = (item.creators ?? []).filter((each: Json) => each.creatorType === 'author')
    .map((each: Json) => ({ name: each.name ?? [each.firstName, each.lastName].filter(part => part).join(' ') }))
  const { volume, issue, pages } = item
  return recordWith({
    title: item.title,
    authors,
    year: /\b\d{4}\b/.exec(item.date ?? '')?.[0],
    doi: doiIn(item.DOI),
    pmid: pmidIn(/^PMID: (\d+)/m.exec(item.extra ?? '')?.[1]),
    venue: item.publicationTitle ?? item.repository,
    metadata: { volume, issue, pages, type: item.itemType === 'preprint' ? 'preprint' : undefined }
  })
}

async function readJats (text: string): Promise<PaperRecord[]> {
  const records: PaperRecord[] = []
  for await (const item of readElements(pieces(text), new Set(['article-meta', 'ref']))) {
    if (!('element' in item)) continue
    const { element } = item
    const record = element.name === 'ref' ? readReference(element) : readArticle(element)
    if (record !== undefined) records.push(record)
  }
  return records
}

function readArticle (meta: XmlElement): PaperRecord | undefined {
  const title = textOf(child(meta, 'title-group', 'article-title'))
  if (title === '') return undefined
  const idOf = (type: string) => textOf(children(meta, 'article-id').find(({ attributes }) => attributes['pub-id-type'] === type))
  return recordWith({
    title,
    authors: namesIn(child(meta, 'contrib-group')),
    year: textOf(child(meta, 'pub-date', 'year')),
    doi: doiIn(idOf('doi')),
    pmid: pmidIn(idOf('pmid')),
    metadata: placeIn(meta)
  })
}

function readReference (ref: XmlElement): PaperRecord | undefined {
  const citation = findElement(ref, ['element-citation', 'mixed-citation', 'citation', 'nlm-citation'])
  const title = textOf(child(citation, 'article-title'))
  if (citation === undefined || title === '') return undefined
  const idOf = (type: string) =>
    textOf(children(citation, 'pub-id').find(({ attributes }) => attributes['pub-id-type'] === type))
  return recordWith({
    title,
    authors: namesIn(citation),
    year: /\d{4}/.exec(textOf(child(citation, 'year')))?.[0],
    doi: doiIn(idOf('doi')),
    pmid: pmidIn(idOf('pmid')),
    venue: textOf(child(citation, 'source')),
    metadata: placeIn(citation)
  })
}

const placeIn = (element: XmlElement) =>
  ({ volume: textOf(child(element, 'volume')), issue: textOf(child(element, 'issue')), pages: textOf(child(element, 'fpage')) })

function findElement (element: XmlElement, names: readonly string[]): XmlElement | undefined {
  if (names.includes(element.name)) return element
  for (const part of element.content) {
    const found = typeof part === 'string' ? undefined : findElement(part, names)
    if (found !== undefined) return found
  }
  return undefined
}

/** Names of people, in order. */
function namesIn (element: XmlElement | undefined): Array<{ name: string }> {
  if (element === undefined) return []
  if (element.name === 'name' || element.name === 'string-name') {
    const name = [textOf(child(element, 'given-names')), textOf(child(element, 'surname'))].filter(part => part !== '').join(' ')
    return name === '' ? [] : [{ name }]
  }
  return element.content.flatMap(part => typeof part === 'string' ? [] : namesIn(part))
}

interface Stated {
  title: string
  authors: Array<{ name: string }>
  year: string | undefined
  doi: string | null
  pmid: string | null
  venue?: string | undefined
  metadata: Record<string, string | undefined>
}

const recordWith = ({ title, authors, year, doi, pmid, venue, metadata }: Stated): PaperRecord => ({
  title,
  abstract: null,
  authors,
  published_date: year === undefined || year === '' ? null : `${year}-01-01`,
  url: null,
  pdf_url: null,
  doi,
  venue_name: venue || null,
  external_ids: pmid === null ? {} : { pmid },
  source: { name: 'json-lines' },
  source_paper_id: null,
  metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value))
})

async function * pieces (text: string): AsyncIterable<string> {
  yield text
}

/** The record without anything that identifies it besides its description. */
function masked ({ reference_label: _label, index_url: _url, ...record }: PaperRecord): PaperRecord {
  return { ...structuredClone(record), doi: null, external_ids: {}, source_paper_id: null, url: null, pdf_url: null }
}

const idsOf = ({ doi, external_ids: { pmid, pmcid, arxiv } }: PaperRecord): string[] =>
  [doi && `doi ${doi}`, pmid && `pmid ${pmid}`, pmcid && `pmcid ${pmcid}`, arxiv && `arxiv ${arxiv}`].filter(id => typeof id === 'string')

/** The work of each record that has an identifier: records are of one if they share one, directly or through others. */
function worksOf (records: readonly Recorded[]): Array<number | undefined> {
  const parents = records.map((_record, at) => at)
  const root = (at: number): number => parents[at] === at ? at : root(parents[at]!)
  const byId = new Map<string, number>()
  for (const [at, { record }] of records.entries()) {
    for (const id of idsOf(record)) {
      const known = byId.get(id)
      if (known === undefined) byId.set(id, at)
      else parents[root(at)] = root(known)
    }
  }
  return records.map(({ record }, at) => idsOf(record).length === 0 ? undefined : root(at))
}

const lettersOf = (text: string) => text.normalize('NFKD').toLowerCase().replace(/[^\p{L}\p{N}]+/gu, ' ').trim()

/** What records that look alike have in common: the beginning of their titles, the first author's last word, or a page of a year. */
function likenesses ({ title, authors, published_date, metadata: { volume, pages } }: PaperRecord): string[] {
  const words = lettersOf(title.replace(/^(?:[a-z]+ ?){1,3}: /i, '')).split(' ')
  const author = lettersOf(authors[0]?.name ?? '').split(' ').at(-1)!
  return [
    `title ${lettersOf(title)}`,
    `start ${words.slice(0, 5).join(' ')}`,
    ...author === '' ? [] : [`author ${author}`],
    ...published_date === null || !volume || !pages
      ? []
      : [`place ${published_date.slice(0, 4)} ${String(volume)} ${Number.parseInt(String(pages))}`]
  ]
}

const notice = /^\W*(?:erratum|errata|corrigend|correction|retraction|publisher correction|author correction|expression of concern|comment on|reply)/i

/** Labeled pairs of all kinds. */
export async function pairsOf (records: readonly Recorded[]): Promise<RecordedPair[]> {
  const works = worksOf(records)
  const pairs: RecordedPair[] = []
  const add = (kind: string, same: boolean, one: PaperRecord, other: PaperRecord, of = one) => {
    const isStated = !same || (isComplete(one) && isComplete(other))
    pairs.push({ kind: isStated ? kind : `${kind}, incomplete`, same, work: lettersOf(of.title), one, other })
  }
  const groups = new Map<string, number[]>()
  for (const [at, { record }] of records.entries()) {
    for (const likeness of [`work ${works[at] ?? `without id ${at}`}`, ...likenesses(record)]) {
      groups.set(likeness, [...groups.get(likeness) ?? [], at])
    }
  }
  const compared = new Set<string>()
  for (const group of groups.values()) {
    for (const [place, first] of group.entries()) {
      for (const second of group.slice(place + 1)) {
        const key = `${first} ${second}`
        if (works[first] === undefined || works[second] === undefined || compared.has(key)) continue
        compared.add(key)
        const [one, other] = [records[first]!, records[second]!]
        if (works[first] === works[second]) {
          if (one.file === other.file) continue
          add('one paper in two files, identifiers kept', true, one.record, other.record)
          add('one paper in two files, one masked', true, one.record, masked(other.record))
          continue
        }
        const kind = lettersOf(one.record.title) === lettersOf(other.record.title)
          ? 'two papers of one title'
          : notice.test(one.record.title) !== notice.test(other.record.title) ? 'a notice and another paper' : 'two papers that look alike'
        add(`${kind}, identifiers kept`, false, one.record, other.record)
        add(`${kind}, one masked`, false, one.record, masked(other.record))
      }
    }
  }
  const described = [...new Map(records.map(({ record }, at) => [works[at], record] as const)
    .filter(([work, record]) => work !== undefined && isComplete(record))).values()]
  for (const { kind, of, one, other } of hardNegativesOf(described)) {
    add(`${kind}, made up, one masked`, false, one, masked(other), of)
    add(`${kind}, made up, both masked`, false, masked(one), masked(other), of)
  }
  for (const [at, { record }] of records.entries()) {
    if (works[at] === undefined) continue
    for (const copy of await roundTrips(record)) add('one paper through a reference manager, masked', true, record, copy)
  }
  for (const [one, other] of readTwice(records)) add('one record as Zotero reads it, masked', true, one, masked(other))
  return pairs
}

/** Whether title, authors and year are there: without them, nothing but an identifier tells works apart. */
const isComplete = ({ title, authors, published_date }: PaperRecord) => title !== '' && authors.length > 0 && published_date !== null

/** The record as RIS, BibTeX and CSL-JSON say it. */
async function roundTrips (record: PaperRecord): Promise<PaperRecord[]> {
  const { external_ids: _ids, ...described } = masked(record)
  const paper = paperOf(described)
  const copies: PaperRecord[] = []
  for (const [format, { write, list }] of [['ris', risReference], ['bibtex', bibtexReference], ['csl-json', csl]] as const) {
    const text = `${list?.begin ?? ''}${write(paper, new Map())}${list?.end ?? ''}`
    copies.push(...(await read(format, text)).map(masked))
  }
  return copies
}

/** A file as Litfeed and as Zotero read it, where both find the same number of records. */
function readTwice (records: readonly Recorded[]): Array<[PaperRecord, PaperRecord]> {
  const files = new Map<string, PaperRecord[]>()
  for (const { file, record } of records) files.set(file, [...files.get(file) ?? [], record])
  return [...files].flatMap(([file, ours]) => {
    const zoteros = [...files].find(([name]) => name.endsWith('.expected.json') && name.startsWith(file.replace(/\.\w+$/, '.')))?.[1]
    if (file.endsWith('.json') || zoteros?.length !== ours.length) return []
    return ours.map((one, at): [PaperRecord, PaperRecord] => [one, zoteros[at]!])
  })
}

/** Merges the two records of each pair, in both orders. */
export async function measurePairs (pairs: readonly RecordedPair[]): Promise<PairCounts[]> {
  const kinds = new Map<string, PairCounts>()
  for (const { kind, same, work, one, other } of pairs) {
    const counts = kinds.get(kind) ?? { kind, same, pairs: 0, merged: 0, failures: [], works: new Set(), wrongWorks: new Set() }
    kinds.set(kind, counts)
    counts.works.add(work)
    for (const [first, second] of [[one, other], [other, one]] as const) {
      const isMerged = (await dedupe([[structuredClone(first)], [structuredClone(second)]])).size === 1
      counts.pairs++
      counts.merged += Number(isMerged)
      if (isMerged === same) continue
      counts.failures.push(`${describe(first)} / ${describe(second)}`)
      counts.wrongWorks.add(work)
    }
  }
  return [...kinds.values()]
}

const describe = ({ title, authors, published_date, metadata: { volume, issue, pages } }: PaperRecord) =>
  `${title.slice(0, 90)} [${authors.slice(0, 2).map(({ name }) => name).join(', ')}; ${published_date ?? ''}; ${[volume, issue, pages].join(' ')}]`

/** Precision over all kinds, and recall over pairs that state title, authors and year. */
export function accuracyOf (counts: readonly PairCounts[]): { precision: number, recall: number } {
  const sum = (same: boolean, of: 'pairs' | 'merged') =>
    counts.filter(each => each.same === same && !each.kind.endsWith('incomplete')).reduce((all, each) => all + each[of], 0)
  const found = sum(true, 'merged')
  return { precision: found / (found + sum(false, 'merged')), recall: found / sum(true, 'pairs') }
}

/** Negatives merged by mistake, and upper bounds of their share, with 95 % confidence: of pairs in any order, and of works. */
export function falseMergesOf (counts: readonly PairCounts[]) {
  const negatives = counts.filter(({ same }) => !same)
  const union = (of: 'works' | 'wrongWorks') => new Set(negatives.flatMap(each => [...each[of]])).size
  const sum = (of: 'pairs' | 'merged') => negatives.reduce((all, each) => all + each[of], 0)
  const [pairs, merged, works, wrong] = [sum('pairs'), sum('merged'), union('works'), union('wrongWorks')]
  return { pairs, merged, works, wrong, maxOfPairs: upperBound(merged, pairs / 2), maxOfWorks: upperBound(wrong, works) }
}

/** The upper bound of a share, with 95 % confidence. @see Clopper and Pearson 1934 */
function upperBound (found: number, of: number): number {
  const atMost = (share: number) => {
    let term = (1 - share) ** of
    let sum = term
    for (let count = 1; count <= found; count++) {
      term *= (of - count + 1) / count * share / (1 - share)
      sum += term
    }
    return sum
  }
  let [low, high] = [found / of, 1]
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2
    if (atMost(middle) > 0.05) low = middle
    else high = middle
  }
  return high
}
