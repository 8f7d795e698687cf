import { arxiv } from './arxiv.js'
import { europepmc } from './europepmc.js'
import type { FulltextLocators, Origin } from './origin.js'
import { pdf } from './pdf.js'
import { pmc } from './pmc.js'
import { preprint } from './preprint.js'

/** Origins in the order of preference. Structured text converts better than PDF. */
export const origins: readonly Origin[] = [europepmc, pmc, preprint, arxiv, pdf]

/** Whether an origin can have the paper. */
export const mayHaveFulltext = (paper: FulltextLocators): boolean => origins.some(origin => origin.mayHave(paper))
