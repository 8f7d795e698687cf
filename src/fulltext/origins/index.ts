import { arxiv } from './arxiv.js'
import { europepmc } from './europepmc.js'
import type { Findable, Origin } from './origin.js'
import { pdf } from './pdf.js'
import { pmc } from './pmc.js'
import { preprint } from './preprint.js'

/** Where full text is looked for, the best first: structured text says what a PDF lets only guess. */
export const origins: readonly Origin[] = [europepmc, pmc, preprint, arxiv, pdf]

/** Whether any of them may have the paper. */
export const mayHaveFulltext = (paper: Findable): boolean => origins.some(origin => origin.mayHave(paper))
