import { serveTasks } from '../../threads/serve-tasks.js'
import { biorxivPreprints, medrxivPreprints } from '../biorxiv.js'
import { crossrefWorks } from '../crossref.js'
import { europepmcResults } from '../europepmc.js'
import { openalexWorks } from '../openalex.js'
import { type AnswerRequest, parseAnswer } from './answer-task.js'

/* The thread that parses large answers of sources. */

const parsers = [biorxivPreprints, crossrefWorks, europepmcResults, medrxivPreprints, openalexWorks]

serveTasks(
  (request: AnswerRequest) => parseAnswer(request, parsers),
  content => 'batches' in content ? content.batches.map(({ buffer }) => buffer) : []
)
