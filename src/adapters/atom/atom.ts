import { create } from 'xmlbuilder2'
import type { FeedItem } from '../../../schemas/feed.js'

export interface AtomFeed {
  project: { id: string, name: string, interest_description: string }
  updated: Date
  items: readonly FeedItem[]
  /** Address of this feed, and of the service. */
  self: string
  website: string
}

const namespaces = {
  xmlns: 'http://www.w3.org/2005/Atom',
  'xmlns:dc': 'http://purl.org/dc/elements/1.1/',
  'xmlns:prism': 'http://prismstandard.org/namespaces/basic/2.0/'
}

/**
 * An Atom feed; identifiers stand in Dublin Core and PRISM, where reference managers look for them.
 * @see RFC 4287
 */
export function atomOf ({ project, updated, items, self, website }: AtomFeed): string {
  const feed = create({ version: '1.0', encoding: 'utf-8', invalidCharReplacement: '' }).ele('feed', namespaces)
  feed.ele('id').txt(`urn:uuid:${project.id}`)
  feed.ele('title').txt(project.name)
  if (project.interest_description !== '') feed.ele('subtitle').txt(project.interest_description)
  feed.ele('updated').txt(updated.toISOString())
  feed.ele('link', { rel: 'self', type: 'application/atom+xml', href: self })
  feed.ele('link', { rel: 'alternate', type: 'text/html', href: `${website}/` })
  feed.ele('generator', { uri: `${website}/` }).txt('Litfeed')
  // RFC 4287 wants an author of the feed, since an entry may have none.
  feed.ele('author').ele('name').txt('Litfeed')
  for (const item of items) addEntry(feed, item)
  return feed.end()
}

function addEntry (feed: ReturnType<typeof create>, { id, paper, ready_at, summary, relevance_class, personalized_note }: FeedItem): void {
  const entry = feed.ele('entry')
  entry.ele('id').txt(`urn:uuid:${id}`)
  entry.ele('title').txt(paper.title)
  entry.ele('updated').txt(ready_at)
  if (paper.published_date !== null) entry.ele('published').txt(`${paper.published_date}T00:00:00Z`)
  for (const { name } of paper.authors) entry.ele('author').ele('name').txt(name)
  const page = paper.url ?? paper.index_url
  if (page !== null) entry.ele('link', { rel: 'alternate', type: 'text/html', href: page })
  if (paper.index_url !== null && paper.index_url !== page) entry.ele('link', { rel: 'related', type: 'text/html', href: paper.index_url })
  if (paper.pdf_url !== null) entry.ele('link', { rel: 'enclosure', type: 'application/pdf', href: paper.pdf_url })
  entry.ele('category', { term: relevance_class })
  if (paper.doi !== null) {
    entry.ele('dc:identifier').txt(`doi:${paper.doi}`)
    entry.ele('prism:doi').txt(paper.doi)
  }
  if (paper.external_ids.pmid !== null) entry.ele('dc:identifier').txt(`pmid:${paper.external_ids.pmid}`)
  if (paper.external_ids.arxiv !== null) entry.ele('dc:identifier').txt(`arxiv:${paper.external_ids.arxiv}`)
  if (paper.venue_name !== null) {
    entry.ele('dc:source').txt(paper.venue_name)
    entry.ele('prism:publicationName').txt(paper.venue_name)
  }
  const text = summary ?? personalized_note
  if (text !== null) entry.ele('summary', { type: 'text' }).txt(text)
  // An entry without a link needs content: RFC 4287, section 4.1.2.
  if (paper.abstract !== null || page === null) entry.ele('content', { type: 'text' }).txt(paper.abstract ?? text ?? paper.title)
}
