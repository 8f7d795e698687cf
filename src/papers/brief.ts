import type { ItemDetails } from '../../db/queries/feed.js'
import type { Extract } from '../../db/queries/papers.js'
import type { BriefItem, FeedItem, itemDetails } from '../../schemas/feed.js'
import type { ItemMarks } from '../../schemas/item-state.js'
import type { PaperMetadata } from '../../schemas/metadata.js'
import type { Paper } from '../../schemas/paper.js'
import { shortText } from '../../schemas/short-text.js'
import { noticesIn } from './notices.js'
import { feedItemOf } from './records.js'
import { sentencesOf } from './summary.js'

/** Authors that are named; a further entry says that there are more. */
const maxAuthors = 3
const maxSummarySentences = 2
const maxNotices = 2
/** Bounds in characters, so that a page of brief items fits what clients show a model. */
const maxLengths = { title: 300, author: 60, venue: 120, note: 200, summary: 280, link: 200 } as const

/** Converts a stored feed item to what a digest needs of it. */
function briefItemOf (row: ItemDetails): BriefItem {
  const { id, paper_title, summary, relevance_score, must_read, personalized_note, ready_at, feedback, paper, ...item } = feedItemOf(row)
  const link = paper.index_url ?? paper.url
  return {
    id,
    paper_title: shortText(paper_title, maxLengths.title),
    summary: summary === null ? null : shortText(sentencesOf(summary).slice(0, maxSummarySentences).join(' '), maxLengths.summary),
    // Down: a rounded score would reach a threshold that the score does not.
    relevance_score: roundedDown(relevance_score),
    must_read,
    personalized_note: personalized_note === null ? null : shortText(personalized_note, maxLengths.note),
    ready_at,
    feedback,
    ...setMarksOf(item),
    paper: {
      authors: firstAuthors(paper.authors),
      published_date: paper.published_date,
      venue_name: paper.venue_name === null ? null : shortText(paper.venue_name, maxLengths.venue),
      reference_label: paper.reference_label,
      // Half an address leads nowhere.
      index_url: link !== null && link.length <= maxLengths.link ? link : null,
      ...noticesOf(paper.metadata)
    }
  }
}

/** To two digits. A score such as 0.57 may be stored as a little less. */
const roundedDown = (score: number) => Math.floor(score * 100 + 1e-9) / 100

/** A paper's record with its first authors, and of its metadata only what warns of it. */
export const briefPaper = <P extends Pick<Paper, 'authors' | 'metadata'>>(paper: P): P =>
  ({ ...paper, authors: firstAuthors(paper.authors), metadata: {}, ...noticesOf(paper.metadata) })

function firstAuthors (authors: Paper['authors']): Paper['authors'] {
  const first = authors.slice(0, maxAuthors).map(({ name }) => ({ name: shortText(name, maxLengths.author) }))
  return authors.length > maxAuthors ? [...first, { name: 'et al.' }] : first
}

/**
 * What is read of the papers of stored feed items, and how they are converted to the form that the caller asked for. Brief items pass as
 * the type of full ones; see schemas/feed.ts.
 */
export const itemReader = (detail: typeof itemDetails[number] = 'full'): { extract?: Extract, itemOf: (row: ItemDetails) => FeedItem } =>
  detail === 'brief'
    ? { extract: { authors: maxAuthors + 1, abstract: 0 }, itemOf: row => briefItemOf(row) as unknown as FeedItem }
    : { itemOf: feedItemOf }

/** The most serious notices on the paper, in words, and whether its record states a retraction. */
function noticesOf ({ retracted, ...metadata }: PaperMetadata): { metadata?: PaperMetadata } {
  const notices = noticesIn(metadata).slice(0, maxNotices).map(({ kind, label, date, url }) => ({ kind, label, date, url }))
  const stated = { ...(retracted === true ? { retracted } : {}), ...(notices.length === 0 ? {} : { notices }) }
  return Object.keys(stated).length === 0 ? {} : { metadata: stated }
}

/** Only the marks that are set, so that an item without any stays short. */
const setMarksOf = ({ seen_at, saved, tags, note }: ItemMarks): Partial<ItemMarks> => ({
  ...(seen_at === null ? {} : { seen_at }),
  ...(saved ? { saved } : {}),
  ...(tags.length === 0 ? {} : { tags }),
  ...(note === null ? {} : { note: shortText(note, maxLengths.note) })
})
