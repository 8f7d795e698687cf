import { arxiv } from './arxiv.js'
import { europepmc } from './europepmc.js'
import type { Findable, Origin } from './origin.js'
import { pdf } from './pdf.js'
import { pmc } from './pmc.js'
import { preprint } from './preprint.js'

/** Origins in the order they are tried, best first: structured text states what a PDF only suggests. */
export const origins: readonly Origin[] = [europepmc, pmc, preprint, arxiv, pdf]

/** Whether any origin may have the paper. */
export const mayHaveFulltext = (paper: Findable): boolean => origins.some(origin => origin.mayHave(paper))
