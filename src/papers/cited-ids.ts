import type { CitedIds } from '../../db/queries/signals.js'
import { doiVersions, idsIn } from './identifiers.js'

/** Whether a reference is a DOI; others are PMIDs and OpenAlex ids. */
export const isDoi = (id: string): boolean => id.startsWith('10.')

/** References by kind. A DOI stands for all versions of its work, of which one may be stored. */
export function citedIdsOf (references: readonly string[]): CitedIds {
  const dois = references.filter(isDoi)
  return {
    dois: dois.flatMap(doiVersions),
    arxivIds: dois.map(doi => idsIn([doi]).arxiv).filter(id => id !== null),
    pmids: references.filter(id => /^\d/.test(id) && !isDoi(id)),
    openalexIds: references.filter(id => id.startsWith('W'))
  }
}
