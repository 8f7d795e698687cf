import { arxiv } from './arxiv.js'
import { biorxiv, medrxiv } from './biorxiv.js'
import { crossref } from './crossref.js'
import { europepmc } from './europepmc.js'
import { formats } from './formats/index.js'
import { journalFeed } from './journal-feed.js'
import { openalex } from './openalex.js'
import { pubmed } from './pubmed.js'
import { singleAddition } from '../../schemas/snapshot.js'
import type { Source } from './source.js'
import { zoteroOrigin } from './formats/zotero-item.js'

/** The sources of papers. */
export const sources: readonly Source[] = [arxiv, pubmed, europepmc, biorxiv, medrxiv, openalex, crossref, journalFeed]

/** The source of a name; undefined if there is none. */
export const findSource = (name: string): Source | undefined => sources.find(each => each.name === name)

/** The names of all sources. */
export const sourceNames: readonly string[] = sources.map(({ name }) => name)

/** Where a record came from, for people: a source's title, "RIS file", or "embase.ris (RIS file)". */
export function originTitle (name: string): string {
  // An imported file, as snapshots name it.
  const [, ofFile, file] = /^(.*?):(.*)$/s.exec(name) ?? []
  if (ofFile !== undefined) return `${file} (${originTitle(ofFile)})`
  if (name === zoteroOrigin) return 'Zotero'
  if (name === singleAddition) return 'Single additions'
  const format = formats.find(each => each.name === name)
  return findSource(name)?.title ?? (format === undefined ? name : `${format.title} file`)
}
