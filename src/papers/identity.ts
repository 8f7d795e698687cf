import { createHash } from 'node:crypto'
import slugify from '@sindresorhus/slugify'
import { indexEntries, tokenize } from '../search/tokenizer.js'
import type { PaperRecord } from '../../schemas/paper.js'

const maxSlugLength = 80

/** The title as part of an address: ASCII words joined by hyphens; "paper" if it has no word that ASCII can spell. */
export function slugOf (title: string): string {
  const slug = slugify(title.slice(0, 300), { decamelize: false })
  if (slug.length <= maxSlugLength) return slug || 'paper'
  return slug.slice(0, maxSlugLength).replace(/-[^-]*$/, '')
}

/** The label by which people cite a record: the arXiv id for arXiv's records, otherwise the first of PMID, arXiv id and DOI that it has. */
export function referenceLabelOf ({ reference_label, source, external_ids: { pmid, arxiv }, doi }: PaperRecord): string | null {
  if (reference_label !== undefined) return reference_label
  if (arxiv && (source.name === 'arxiv' || !pmid)) return `arXiv ${arxiv}`
  if (pmid) return `PMID ${pmid}`
  return doi ? `DOI ${doi}` : null
}

/** The record in the index that its label names. */
export function indexUrlOf ({ index_url, source, external_ids: { pmid, arxiv }, doi }: PaperRecord): string | null {
  if (index_url !== undefined) return index_url
  if (arxiv && (source.name === 'arxiv' || !pmid)) return `https://arxiv.org/abs/${arxiv}`
  if (pmid) return `https://pubmed.ncbi.nlm.nih.gov/${pmid}/`
  return doi ? `https://doi.org/${encodeURI(doi)}` : null
}

/** The words of a title, without case, accents and punctuation. */
export const normalizedTitle = (title: string): string => tokenize(title).flatMap(indexEntries).join(' ')

/** Normalized title, last name of the first author, year; empty if the record does not state them. */
function titleParts ({ title, authors, published_date }: Titled): [title: string, author: string, year: string] {
  const words = (text: string) => tokenize(text).flatMap(indexEntries)
  return [words(title).join(' '), words(authors[0]?.name ?? '').at(-1) ?? '', published_date?.slice(0, 4) ?? '']
}

type Titled = Pick<PaperRecord, 'title' | 'authors' | 'published_date'>

/** A hash of title, first author and year. Equal for records that agree in all three, missing ones included. */
export const titleKeyOf = (record: Titled): string =>
  createHash('sha256').update(titleParts(record).join('|')).digest('base64url').slice(0, 22)

/** Whether a record states all of title, first author and year, which together identify a work without an identifier. */
export const isIdentifiedByTitle = (record: Titled): boolean => titleParts(record).every(part => part !== '')
