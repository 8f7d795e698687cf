import { arxiv } from './origins/arxiv.js'
import { europepmc } from './origins/europepmc.js'
import type { Findable, Origin } from './origins/origin.js'
import { pdf } from './origins/pdf.js'
import { pmc } from './origins/pmc.js'
import { preprint } from './origins/preprint.js'

/** Where full text is looked for, the best first: structured text says what a PDF lets only guess. */
export const origins: readonly Origin[] = [europepmc, pmc, preprint, arxiv, pdf]

/** Whether any of them may have the paper. */
export const mayHaveFulltext = (paper: Findable): boolean => origins.some(origin => origin.mayHave(paper))
