import { arxiv } from './arxiv.js'
import { biorxiv, medrxiv } from './biorxiv.js'
import { crossref } from './crossref.js'
import { europepmc } from './europepmc.js'
import { feed } from './journal-feed.js'
import { openalex } from './openalex.js'
import { pubmed } from './pubmed.js'
import type { Source } from './source.js'

/** Where papers come from. */
export const sources: readonly Source[] = [arxiv, pubmed, europepmc, biorxiv, medrxiv, openalex, crossref, feed]

export const findSource = (name: string): Source | undefined => sources.find(each => each.name === name)

export const sourceNames: readonly string[] = sources.map(({ name }) => name)
