import { randomUUID } from 'node:crypto'
import type { Identities, PaperValues, SamePaper } from '../../db/queries/import.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { indexUrlOf, referenceLabelOf, slugOf, titleKeyOf } from './identity.js'
import { contradicts } from './merge.js'

/** A paper while a batch is applied: as it is stored, or as it will be. */
export interface Work {
  id: string
  record: PaperRecord
  /** It came from a source and is everybody's: what a person imports leaves it as it is. */
  shared: boolean
  state: 'stored' | 'changed' | 'new'
}

/** The papers that a batch can meet, found by what identifies them. Source: contract, section 6, import. */
export class Shelf {
  readonly #works: Work[] = []
  readonly #byIdentity = new Map<string, Work>()
  readonly #byTitle = new Map<string, Work[]>()

  readonly #isAlike: (one: PaperRecord, other: PaperRecord) => boolean

  /** @param isAlike whether records with the same title, first author and year, and no identifier in common, are of one work */
  constructor (stored: readonly SamePaper[], isAlike: (one: PaperRecord, other: PaperRecord) => boolean = (one, other) => !contradicts(one, other)) {
    this.#isAlike = isAlike
    // An account's own paper is met before a shared one.
    for (const row of [...stored].sort((a, b) => Number(a.account_id === null) - Number(b.account_id === null))) {
      this.#put({ id: row.id, record: recordOf(row), shared: row.account_id === null, state: 'stored' })
    }
  }

  ids (): string[] {
    return this.#works.map(({ id }) => id)
  }

  /** The paper that the record is of: by DOI, arXiv id, PMID or source id, else by title, author and year where no identifier speaks against it. */
  find (record: PaperRecord): Work | undefined {
    return this.findAll(record)[0]
  }

  /** All papers that the record is of, the best first: more than one where it is the record that tells that they are one work. */
  findAll (record: PaperRecord): Work[] {
    const found = new Set<Work>()
    for (const identity of identities(record)) {
      const work = this.#byIdentity.get(identity)
      if (work !== undefined) found.add(work)
    }
    if (found.size === 0) {
      const alike = this.#byTitle.get(titleKeyOf(record))?.find(work => this.#isAlike(work.record, record))
      if (alike !== undefined) found.add(alike)
    }
    return [...found]
  }

  add (record: PaperRecord, { shared }: { shared: boolean }): Work {
    const work: Work = { id: randomUUID(), record, shared, state: 'new' }
    this.#put(work)
    return work
  }

  /** Takes a paper away whose place another has taken: what identified it finds the other. */
  remove (work: Work, inFavourOf: Work): void {
    this.#works.splice(this.#works.indexOf(work), 1)
    for (const [identity, each] of this.#byIdentity) if (each === work) this.#byIdentity.set(identity, inFavourOf)
    for (const [key, alike] of this.#byTitle) if (alike.includes(work)) this.#byTitle.set(key, [...new Set(alike.map(each => each === work ? inFavourOf : each))])
  }

  /** @returns whether anything is different now */
  replace (work: Work, record: PaperRecord, equal: (a: unknown, b: unknown) => boolean): boolean {
    if (equal(described(work.record), described(record))) return false
    work.record = record
    if (work.state === 'stored') work.state = 'changed'
    this.#index(work)
    return true
  }

  unsaved (): Work[] {
    return this.#works.filter(({ state }) => state !== 'stored')
  }

  #put (work: Work): void {
    this.#works.push(work)
    this.#index(work)
  }

  #index (work: Work): void {
    for (const identity of identities(work.record)) {
      if (!this.#byIdentity.has(identity)) this.#byIdentity.set(identity, work)
    }
    const key = titleKeyOf(work.record)
    const alike = this.#byTitle.get(key) ?? []
    if (!alike.includes(work)) this.#byTitle.set(key, [...alike, work])
  }
}

function identities ({ doi, external_ids: { arxiv, pmid, pmcid, openalex }, source, source_paper_id }: PaperRecord): string[] {
  return [
    doi && `doi ${doi}`,
    arxiv && `arxiv ${arxiv}`,
    pmid && `pmid ${pmid}`,
    pmcid && `pmcid ${pmcid}`,
    openalex && `openalex ${openalex}`,
    source_paper_id && `${source.name} ${source_paper_id}`
  ].filter(identity => typeof identity === 'string' && identity !== '') as string[]
}

/** Everything that may find a stored paper of these records. */
export function identitiesOf (records: readonly PaperRecord[]): Identities {
  const all = (of: (record: PaperRecord) => string | null | undefined) => [...new Set(records.map(of).filter(value => value != null))] as string[]
  return {
    dois: all(({ doi }) => doi),
    arxivIds: all(({ external_ids }) => external_ids.arxiv),
    pmids: all(({ external_ids }) => external_ids.pmid),
    pmcids: all(({ external_ids }) => external_ids.pmcid),
    openalexIds: all(({ external_ids }) => external_ids.openalex),
    sourcePaperIds: all(({ source_paper_id }) => source_paper_id),
    titleKeys: all(titleKeyOf)
  }
}

function recordOf (row: SamePaper): PaperRecord {
  return {
    title: row.title,
    abstract: row.abstract,
    authors: row.authors,
    published_date: row.published_date,
    url: row.url,
    pdf_url: row.pdf_url,
    doi: row.doi,
    venue_name: row.venue_name,
    external_ids: { arxiv: row.arxiv_id, pmid: row.pmid, pmcid: row.pmcid, openalex: row.openalex_id },
    source: { name: row.source_name },
    source_paper_id: row.source_paper_id,
    ...(row.reference_label === null ? {} : { reference_label: row.reference_label }),
    ...(row.index_url === null ? {} : { index_url: row.index_url }),
    metadata: row.metadata
  }
}

/** The columns of a paper that describe it. */
function described (record: PaperRecord) {
  const { title, abstract, authors, published_date, url, pdf_url, doi, venue_name, external_ids: { arxiv, pmid, pmcid, openalex }, source, source_paper_id, metadata } = record
  return {
    title,
    abstract,
    authors,
    published_date,
    url,
    pdf_url,
    doi,
    venue_name,
    source_name: source.name,
    source_paper_id,
    metadata,
    slug: slugOf(title),
    reference_label: referenceLabelOf(record),
    index_url: indexUrlOf(record),
    arxiv_id: arxiv ?? null,
    pmid: pmid ?? null,
    pmcid: pmcid ?? null,
    openalex_id: openalex ?? null,
    title_key: titleKeyOf(record)
  }
}

/** @param accountId whose the papers are that are not shared */
export function valuesOf ({ id, record, shared }: Work, accountId: string): PaperValues {
  const { authors, metadata, ...columns } = described(record)
  return { id, account_id: shared ? null : accountId, ...columns, authors: JSON.stringify(authors), metadata: JSON.stringify(metadata) }
}

/** Texts as a database can hold them: no NUL, no half of a surrogate pair. */
export function wellFormed<T> (value: T): T {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '') as T
  if (Array.isArray(value)) return value.map(wellFormed) as T
  if (typeof value === 'object' && value !== null) return Object.fromEntries(Object.entries(value).map(([name, each]) => [name.toWellFormed().replaceAll('\0', ''), wellFormed(each)])) as T
  return value
}
