import { shortText } from '../../../../schemas/short-text.js'
import { InvalidArguments, PaperNotFound } from '../../../errors/operation-errors.js'
import type { Context } from '../../../operations/context.js'
import { paperGet } from '../../../operations/papers/paper-get.js'
import { normalizedTitle } from '../../../papers/identity.js'
import { describeNotices } from '../../../papers/notices.js'
import { quotationMarks } from '../../../papers/quotation-marks.js'
import { findTitledPapers } from '../../../papers/titled-items.js'
import type { Prompt } from '../prompt.js'

/** Characters of an abstract that the prompt quotes; paper_get has all of it. */
const maxAbstractChars = 4000

/** Maximum length of a reference: that of `paper_id`. */
const maxReferenceLength = 500
/** Papers that an error names. */
const maxNamed = 5

/** The paper that a person names, also by its title or words of it. @throws PaperNotFound, AmbiguousShortId, InvalidArguments */
async function findPaper (context: Context, reference: string) {
  try {
    return await paperGet.run(context, { paper_id: reference })
  } catch (cause) {
    if (!(cause instanceof PaperNotFound)) throw cause
    const titled = await findTitledPapers(context, reference)
    const words = normalizedTitle(reference)
    const exact = titled.filter(({ title }) => normalizedTitle(title) === words)
    const [paper, ...others] = exact.length > 0 ? exact : titled
    if (paper === undefined) throw cause
    if (others.length === 0) return await paperGet.run(context, { paper_id: paper.id })
    const named = [paper, ...others].slice(0, maxNamed).map(({ id, title }) => `${JSON.stringify(shortText(title, 80))} is ${id}`)
    const count = others.length + 1
    throw new InvalidArguments(
      `paper_id ${JSON.stringify(shortText(reference, 80))} fits ${count} papers. Use the whole title or the id: ${named.join('; ')}` +
      `${count > maxNamed ? '; and others' : ''}.`
    )
  }
}

/** Explains a paper from its full text. */
export const explainPaper: Prompt = {
  name: 'explain_paper',
  title: 'Explain a paper',
  description: 'Reads a paper in parts and explains what it asked, did and found, with citations of its sections.',
  arguments: [
    {
      name: 'paper_id',
      title: 'Paper',
      description: 'Title, DOI, PMID, PMCID or arXiv id, or the id of a feed item.',
      required: true,
      maxLength: maxReferenceLength,
      complete: async (context, prefix) =>
        (await findTitledPapers(context, prefix)).map(({ title }) => title).filter(title => title.length <= maxReferenceLength)
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
    const paper = await findPaper(context, paper_id!)
    const notices = describeNotices(paper.metadata)
    const { begin, end } = quotationMarks()
    const label = JSON.stringify(paper.reference_label ?? paper.short_id)
    return [
      `Explain the paper ${label}${paper.index_url === null ? '' : ` (${paper.index_url})`} to me.`,
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
