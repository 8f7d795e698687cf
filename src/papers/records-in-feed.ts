import type { Db } from '../../db/connection.js'
import { findInFeed, findMatchingPapers } from '../../db/queries/import.js'
import { readStoredPapers } from '../../db/queries/stored-papers.js'
import type { Paper, PaperRecord } from '../../schemas/paper.js'
import { doiVersions, versionlessDoi } from './doi-versions.js'
import { isIdentifiedByTitle, soughtTitleKeys, titleKeysOf } from './identity.js'
import { contradicts, publishersDoi } from './same-work.js'
import { importedFiles } from './ownership.js'
import { collectIdentities, PaperIndex } from './paper-index.js'
import { createYielder } from '../threads/yielder.js'

/** The ids of the papers of a feed that records describe, in their order; undefined where the feed has none. */
export async function findRecordsInFeed (
  db: Db,
  project: { id: string, account_id: string },
  records: readonly PaperRecord[]
): Promise<Array<string | undefined>> {
  const matching = await findMatchingPapers(db, project.account_id, await collectIdentities(records))
  const inFeed = await findInFeed(db, project.id, matching.map(({ id }) => id))
  const index = await PaperIndex.of(await readStoredPapers(db, project.account_id, inFeed), importedFiles.isSameWork)
  const yieldIfDue = createYielder()
  const ids: Array<string | undefined> = []
  for (const record of records) {
    const found = index.findAll(index.withoutOthersDoi(record))
    ids.push((found.find(paper => !contradicts(paper.record, record)) ?? found[0])?.id)
    await yieldIfDue()
  }
  return ids
}

/**
 * Texts that identify a work: identifiers, each after its kind, and title, first author and year where all are stated. To be stored, and
 * compared by `isSameIdentity`.
 */
export function identityKeysOf (record: PaperRecord | Paper): string[] {
  const { external_ids: { arxiv, pmid, pmcid } } = record
  const keys = Object.entries({ doi: publishersDoi(record), arxiv, pmid, pmcid })
    .flatMap(([kind, id]) => id == null || id === '' ? [] : [`${kind} ${id}`])
  return isIdentifiedByTitle(record) ? [...keys, ...titleKeysOf(record).map(key => `title ${key}`)] : keys
}

/** All keys by which a work can have been stored: also with other versions of its DOI, and by earlier versions of Litfeed. */
export function soughtIdentityKeys (record: PaperRecord | Paper): string[] {
  const versions = record.doi === null ? [] : doiVersions(record.doi).map(doi => `doi ${doi}`)
  const titles = isIdentifiedByTitle(record) ? soughtTitleKeys(record).map(key => `title ${key}`) : []
  return [...new Set([...identityKeysOf(record), ...versions, ...titles])]
}

/** Whether two works have one of their keys in common, and no identifier of one kind that differs. */
export function isSameIdentity (one: readonly string[], other: readonly string[]): boolean {
  const [keys, others] = [comparedKeys(one), comparedKeys(other)]
  const kindOf = (key: string) => key.slice(0, key.indexOf(' '))
  const differs = (key: string) => others.some(other => kindOf(other) === kindOf(key)) && !others.includes(key)
  return keys.some(key => others.includes(key)) && !keys.some(key => kindOf(key) !== 'title' && differs(key))
}

/** Keys without versions of DOIs, and without the DOI that arXiv derives from an id, which does not contradict a journal's. */
function comparedKeys (keys: readonly string[]): string[] {
  const isOnArxiv = keys.some(key => key.startsWith('arxiv '))
  return keys.filter(key => !(isOnArxiv && key.startsWith('doi 10.48550/')))
    .map(key => key.startsWith('doi ') ? `doi ${versionlessDoi(key.slice('doi '.length))}` : key)
}
