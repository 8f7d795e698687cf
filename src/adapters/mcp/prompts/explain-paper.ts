import { paperGet } from '../../../operations/papers/paper-get.js'
import { describeNotices } from '../../../papers/notices.js'
import { quotationMarks } from '../../../papers/quotation-marks.js'
import type { Prompt } from '../prompt.js'

/** Characters of an abstract that the prompt quotes; paper_get has all of it. */
const maxAbstractChars = 4000

/** Explains a paper from its full text. */
export const explainPaper: Prompt = {
  name: 'explain_paper',
  title: 'Explain a paper',
  description: 'Reads a paper in parts and explains what it asked, did and found, with citations of its sections.',
  arguments: [
    {
      name: 'paper_id',
      title: 'Paper',
      description: 'DOI, PMID, PMCID or arXiv id, or the id of a feed item.',
      required: true,
      maxLength: 500,
      complete: async () => []
    },
    {
      name: 'question',
      title: 'Question',
      description: 'Question about the paper. Default: a general explanation.',
      required: false,
      maxLength: 2000,
      complete: async () => []
    }
  ],
  async write (context, { paper_id, question }) {
    const paper = await paperGet.run(context, { paper_id })
    const notices = describeNotices(paper.metadata)
    const { begin, end } = quotationMarks()
    return [
      `Explain the paper ${paper.reference_label ?? paper.short_id}${paper.index_url === null ? '' : ` (${paper.index_url})`} to me.`,
      ...(notices === undefined ? [] : [`Begin with what became of it: ${notices}`]),
      question === undefined ? 'What did it ask, how, what did it find, and how certain is that?' : `My question: ${question}`,
      '',
      begin,
      paper.title,
      ...(paper.abstract === null ? [] : ['', paper.abstract.slice(0, maxAbstractChars).toWellFormed()]),
      end,
      '',
      `1. Call paper_markdown with ${JSON.stringify({ paper_id: paper.id, outline: true })}. If it is queued, call again after a ` +
      'minute; if unavailable, explain from the abstract and say so.',
      '2. Read the sections that matter with section and outline: false. Where one ends early, go on with the same section and its ' +
      'next_offset as offset.',
      '3. Cite sections by title, linked to the url of the part, and the paper by its reference label. Separate what the paper says from ' +
      'what you infer.'
    ].join('\n')
  }
}
