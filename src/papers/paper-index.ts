import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { maxAlike, type SourceId } from '../../db/queries/alike-papers.js'
import type { Identities } from '../../db/queries/import.js'
import type { StoredPaper } from '../../db/queries/stored-papers.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { doiVersions, versionlessDoi } from './doi-versions.js'
import { otherYearKeysOf, soughtTitleKeys, titleKeysOf } from './identity.js'
import { merge } from './merge.js'
import { contradicts, differsBesidesVersion, differsInDoi, isEqualRecord, isPlainlyOther } from './same-work.js'
import { isOnlineFirst } from './online-first.js'
import { describedBy, recordOf } from './paper-row.js'
import { doiAddress } from './paper-address.js'
import { workKindsOf } from './publication-kinds.js'
import { createYielder } from '../threads/yielder.js'

/** A paper while a batch is ingested: as it is stored, or as it will be. */
export interface IndexedPaper {
  id: string
  record: PaperRecord
  /** Whether every account sees it. */
  shared: boolean
  /** The record before the batch; for a new paper, its first record. */
  readonly original: PaperRecord
  readonly isNew: boolean
  /** Bytes that count for its owner; 0 of a new paper. */
  readonly storedBytes: number
}

/** Whether the batch changed a paper, all of its records taken together. */
export const isChanged = ({ record, original }: IndexedPaper): boolean => record !== original && !isEqualRecord(record, original)

/** What a search finds a paper by, and the date, of which its feed items have a copy. */
const itemColumns = ['title', 'abstract', 'authors', 'published_date', 'doi', 'arxiv_id', 'pmid', 'pmcid', 'openalex_id'] as const

/** Whether the feed items of a paper change with what the batch changed. */
export function changesItems ({ record, original }: IndexedPaper): boolean {
  const [now, before] = [describedBy(record), describedBy(original)]
  return itemColumns.some(column => !isDeepStrictEqual(now[column], before[column]))
}

/** The papers that the records of a batch can match, found by identifiers and titles. */
export class PaperIndex {
  readonly #papers = new Set<IndexedPaper>()
  readonly #byIdentity = new Map<string, IndexedPaper>()
  readonly #byTitle = new Map<string, IndexedPaper[]>()
  readonly #isSameWork: (paper: IndexedPaper, record: PaperRecord) => boolean

  /** @param isSameWork whether a paper and a record of equal title key, and no identifier in common, are one work */
  constructor (isSameWork: (paper: IndexedPaper, record: PaperRecord) => boolean) {
    this.#isSameWork = isSameWork
  }

  /** An index of many stored papers. Reading long titles takes a while, so it yields to the event loop. */
  static async of (
    stored: readonly StoredPaper[],
    isSameWork: (paper: IndexedPaper, record: PaperRecord) => boolean
  ): Promise<PaperIndex> {
    const index = new PaperIndex(isSameWork)
    const yieldIfDue = createYielder()
    for (const row of stored) {
      const record = recordOf(row)
      index.#put({ id: row.id, record, original: record, shared: row.account_id === null, isNew: false, storedBytes: row.bytes })
      await yieldIfDue()
    }
    return index
  }

  /**
   * All papers that a record describes, best first: by DOI, DOI of another version, arXiv id, PMID, PMCID, OpenAlex id or source id, else
   * by title, author and year, or the year before or after where it appeared online first. Several where the record shows that they are
   * one work.
   */
  findAll (record: PaperRecord): IndexedPaper[] {
    const found = new Set<IndexedPaper>()
    for (const identity of identities(record)) {
      const paper = this.#byIdentity.get(identity)
      if (paper === undefined || (identity.startsWith(versionsPrefix) && differsBesidesVersion(paper.record, record))) continue
      if (identity === idOfForms(record) && differsInDoi(paper.record, record)) continue
      found.add(paper)
    }
    if (found.size === 0) {
      const inYear = this.#findTitled(titleKeysOf(record), record)
      const alike = inYear.length > 0
        ? inYear
        : this.#findTitled(otherYearKeysOf(record), record).filter(paper => isOnlineFirst(paper.record, record))
      // Among several, prefer the one that the record was merged into before.
      const best = alike.length > 1 ? alike.find(({ original }) => isEqualRecord(merge(original, record), original)) ?? alike[0] : alike[0]
      if (best !== undefined) found.add(best)
    }
    return [...found]
  }

  #findTitled (keys: readonly string[], record: PaperRecord): IndexedPaper[] {
    const titled = new Set(keys.flatMap(key => this.#byTitle.get(key) ?? []))
    return [...titled].filter(paper => this.#isSameWork(paper, record))
  }

  /** A record that a file states with the DOI of another work, without it: it becomes its address. */
  withoutOthersDoi (record: PaperRecord): PaperRecord {
    return this.#withoutDoiOf(record, known => isPlainlyOther(known, record) || sharesOnlyDoi(known, record))
  }

  /**
   * A record that a source states with the DOI of another work, without it: some journals give one DOI to all letters on an article, and
   * PubMed repeats that of an article in its erratum. They have ids and titles of their own.
   */
  withoutSharedDoi (record: PaperRecord): PaperRecord {
    return this.#withoutDoiOf(record, known => sharesOnlyDoi(known, record))
  }

  #withoutDoiOf (record: PaperRecord, isOther: (known: PaperRecord) => boolean): PaperRecord {
    const paper = record.doi === null ? undefined : this.#byIdentity.get(`doi ${record.doi}`)
    return paper === undefined || !isOther(paper.record) ? record : withoutDoi(record)
  }

  /** Takes the DOI that a record states from a notice on its work, which came before the work and repeats the DOI. */
  takeDoiFromNotice (record: PaperRecord): void {
    const paper = record.doi === null ? undefined : this.#byIdentity.get(`doi ${record.doi}`)
    if (paper === undefined || !isNotice(paper.record) || isNotice(record) || !sharesOnlyDoi(paper.record, record)) return
    for (const identity of doiIdentities(record.doi!)) if (this.#byIdentity.get(identity) === paper) this.#byIdentity.delete(identity)
    this.replace(paper, withoutDoi(paper.record))
  }

  add (record: PaperRecord, { shared }: { shared: boolean }): IndexedPaper {
    const paper: IndexedPaper = { id: randomUUID(), record, original: record, shared, isNew: true, storedBytes: 0 }
    this.#put(paper)
    return paper
  }

  /** Removes a paper that was merged into another, which takes over its identifiers. */
  remove (paper: IndexedPaper, kept: IndexedPaper): void {
    this.#papers.delete(paper)
    for (const [identity, each] of this.#byIdentity) if (each === paper) this.#byIdentity.set(identity, kept)
    for (const [key, alike] of this.#byTitle) {
      if (alike.includes(paper)) this.#byTitle.set(key, [...new Set(alike.map(each => each === paper ? kept : each))])
    }
  }

  /** @returns whether the new record differs from the paper's */
  replace (paper: IndexedPaper, record: PaperRecord): boolean {
    if (isEqualRecord(paper.record, record)) return false
    paper.record = record
    this.#index(paper)
    return true
  }

  /** Papers that are new or changed. */
  unsaved (): IndexedPaper[] {
    return [...this.#papers].filter(paper => paper.isNew || isChanged(paper))
  }

  #put (paper: IndexedPaper): void {
    this.#papers.add(paper)
    this.#index(paper)
  }

  #index (paper: IndexedPaper): void {
    for (const identity of identities(paper.record)) {
      if (!this.#byIdentity.has(identity)) this.#byIdentity.set(identity, paper)
    }
    for (const key of titleKeysOf(paper.record)) {
      const alike = this.#byTitle.get(key) ?? []
      if (alike.length < maxAlike && !alike.includes(paper)) this.#byTitle.set(key, [...alike, paper])
    }
  }
}

const withoutDoi = (record: PaperRecord): PaperRecord => ({ ...record, doi: null, url: record.url ?? doiAddress(record.doi!) })

const isNotice = (record: PaperRecord): boolean => workKindsOf(record).includes('notice')

/** Whether two records of one DOI state other identifiers that differ, and other titles, first authors or years. */
function sharesOnlyDoi (one: PaperRecord, other: PaperRecord): boolean {
  if (!contradicts({ ...one, doi: null }, { ...other, doi: null })) return false
  const keys = new Set(titleKeysOf(one))
  return !titleKeysOf(other).some(key => keys.has(key))
}

/** Begins the identity that all versions of a work have. */
const versionsPrefix = 'versions of '

const doiIdentities = (doi: string): string[] => [`doi ${doi}`, `${versionsPrefix}${versionlessDoi(doi)}`]

function identities ({ doi, external_ids: { arxiv, pmid, pmcid, openalex }, source, source_paper_id }: PaperRecord): string[] {
  return [
    ...(doi ? doiIdentities(doi) : []),
    arxiv && `arxiv ${arxiv}`,
    pmid && `pmid ${pmid}`,
    pmcid && `pmcid ${pmcid}`,
    openalex && `openalex ${openalex}`,
    source_paper_id && `${source.name} ${source_paper_id}`
  ].filter(identity => typeof identity === 'string').filter(identity => identity !== '')
}

/**
 * The identity that an index gives all forms of a work: OpenAlex keeps its id of a preprint for the article, with the article's DOI. It
 * tells nothing about forms with other DOIs. Undefined for records of others, such as files, which may correct a DOI.
 */
const idOfForms = ({ source, source_paper_id, external_ids: { openalex } }: PaperRecord): string | undefined =>
  openalex != null && openalex === source_paper_id ? `${source.name} ${openalex}` : undefined

/** Whether two records are of one entry of a source, which describes one form of a work. */
export const isOneEntry = (one: PaperRecord, other: PaperRecord): boolean =>
  one.source.name === other.source.name && one.source_paper_id !== null && one.source_paper_id === other.source_paper_id &&
  idOfForms(other) === undefined

/** Everything by which stored papers can match these records. Reading long titles takes a while, so it yields to the event loop. */
export async function collectIdentities (records: readonly PaperRecord[]): Promise<Identities> {
  const yieldIfDue = createYielder()
  const titleKeys = new Set<string>()
  const sourceIds = new Map<string, SourceId>()
  for (const record of records) {
    const { source: { name }, source_paper_id: id } = record
    if (id !== null) sourceIds.set(`${name} ${id}`, { source: name, id })
    for (const key of [...soughtTitleKeys(record), ...otherYearKeysOf(record)]) titleKeys.add(key)
    await yieldIfDue()
  }
  const all = (of: (record: PaperRecord) => string | null | undefined) =>
    [...new Set(records.map(of).filter(value => value != null))]
  return {
    dois: [...new Set(all(({ doi }) => doi).flatMap(doiVersions))],
    arxivIds: all(({ external_ids }) => external_ids.arxiv),
    pmids: all(({ external_ids }) => external_ids.pmid),
    pmcids: all(({ external_ids }) => external_ids.pmcid),
    openalexIds: all(({ external_ids }) => external_ids.openalex),
    sourceIds: [...sourceIds.values()],
    titleKeys: [...titleKeys]
  }
}
