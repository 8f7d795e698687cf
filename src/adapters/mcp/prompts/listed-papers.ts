import type { AllFeedsItem } from '../../../../schemas/all-feeds.js'
import { shortText } from '../../../../schemas/short-text.js'
import { titleWithWarning } from '../../../papers/notices.js'
import { quotationMarks } from '../../../papers/quotation-marks.js'

/** Papers that a prompt lists: about 15,000 characters, which fits what clients show a model. */
export const maxListedPapers = 20

const maxAuthors = 3
/** Bounds in characters. */
const maxLengths = { title: 300, author: 60, venue: 120, summary: 280 } as const

/**
 * Quotes items of feeds for a prompt, one JSON object on a line: what a list needs, and an id for the tools. A paper of several feeds is
 * listed once, with their names.
 */
export function quoteItems (items: readonly AllFeedsItem[]): string[] {
  const papers = new Map<string, AllFeedsItem[]>()
  for (const item of items) papers.set(item.paper.id, [...papers.get(item.paper.id) ?? [], item])
  const lines = [...papers.values()].map(found => {
    const { paper_title, summary, relevance_score, feedback, saved, paper } = found[0]!
    const { id, authors, venue_name, published_date, reference_label, index_url, url, metadata } = paper
    return JSON.stringify({
      paper_id: id,
      title: shortText(titleWithWarning(paper_title, metadata), maxLengths.title),
      authors: authors.slice(0, maxAuthors).map(({ name }) => shortText(name, maxLengths.author)).join(', ') +
        (authors.length > maxAuthors ? ' et al.' : ''),
      venue: venue_name === null ? null : shortText(venue_name, maxLengths.venue),
      published_date,
      reference_label,
      link: index_url ?? url,
      projects: found.map(({ project_name }) => project_name),
      relevance_score: Math.floor(relevance_score * 100 + 1e-9) / 100,
      vote: feedback?.vote ?? null,
      ...(saved ? { saved } : {}),
      summary: summary === null ? null : shortText(summary, maxLengths.summary)
    })
  })
  const { begin, end } = quotationMarks()
  return [begin, ...lines, end]
}
