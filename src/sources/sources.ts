import { arxiv } from './indexes/arxiv.js'
import { biorxiv, medrxiv } from './indexes/biorxiv.js'
import { crossref } from './indexes/crossref.js'
import { europepmc } from './indexes/europepmc.js'
import { feed } from './indexes/feed.js'
import { openalex } from './indexes/openalex.js'
import { pubmed } from './indexes/pubmed.js'
import type { Source } from './source.js'

/** Where papers come from. */
export const sources: readonly Source[] = [arxiv, pubmed, europepmc, biorxiv, medrxiv, openalex, crossref, feed]

export const findSource = (name: string): Source | undefined => sources.find(each => each.name === name)

export const sourceNames: readonly string[] = sources.map(({ name }) => name)
