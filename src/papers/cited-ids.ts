import type { CitedIds } from '../../db/queries/signals.js'
import { doiVersions } from './doi-versions.js'
import { arxivDoi, doiIn, idsIn } from './identifiers.js'

type Id = string | null | undefined

/** Identifiers of a paper, and the DOIs of its published form and its preprint as its metadata states them. */
export interface WorkIds { doi: Id, arxiv_id: Id, pmid: Id, openalex_id: Id, published_doi: unknown, preprint_doi: unknown }

/** Identifiers by which references name a work. Others cite a preprint under the DOI of its published form, and the other way around. */
export function workIdsOf ({ doi, arxiv_id, pmid, openalex_id, published_doi, preprint_doi }: WorkIds): string[] {
  const forms = [published_doi, preprint_doi].map(form => typeof form === 'string' ? doiIn(form) : null)
  return [doi, arxiv_id == null ? null : arxivDoi(arxiv_id), pmid, openalex_id, ...forms].filter(id => id != null)
}

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
