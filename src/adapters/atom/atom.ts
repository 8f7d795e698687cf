import { type ComponentChildren, h, type VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
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

/** Characters that XML 1.0 forbids. */
const forbiddenCharacters = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu

const element = (name: string, attributes: Record<string, string> | null, ...children: ComponentChildren[]): VNode =>
  h(name, attributes, ...children)
const text = (name: string, value: string | null): VNode | null => value === null ? null : element(name, null, value)
const link = (rel: string, type: string, href: string | null): VNode | null => href === null ? null : element('link', { rel, type, href })

/**
 * Writes an Atom feed. Identifiers are in Dublin Core and PRISM elements, which reference managers read.
 * @see RFC 4287
 */
export function atomOf ({ project, updated, items, self, website }: AtomFeed): string {
  const feed = element('feed', namespaces,
    text('id', `urn:uuid:${project.id}`),
    text('title', project.name),
    text('subtitle', project.interest_description || null),
    text('updated', updated.toISOString()),
    link('self', 'application/atom+xml', self),
    link('alternate', 'text/html', `${website}/`),
    element('generator', { uri: `${website}/` }, 'Litfeed'),
    // RFC 4287 requires an author of the feed if an entry has none.
    author('Litfeed'),
    items.map(entry)
  )
  // The renderer escapes for HTML, which allows "]]>" and every character in text.
  return `<?xml version="1.0" encoding="utf-8"?>\n${renderToString(feed).replaceAll(']]>', ']]&gt;').replace(forbiddenCharacters, '')}`
}

const author = (name: string) => element('author', null, text('name', name))

function entry ({ id, paper, ready_at, summary, relevance_class, personalized_note }: FeedItem): VNode {
  const { title, published_date, authors, url, index_url, pdf_url, doi, external_ids: { pmid, arxiv }, venue_name, abstract } = paper
  const page = url ?? index_url
  const note = summary ?? personalized_note
  return element('entry', null,
    text('id', `urn:uuid:${id}`),
    text('title', title),
    text('updated', ready_at),
    text('published', published_date && `${published_date}T00:00:00Z`),
    authors.map(({ name }) => author(name)),
    link('alternate', 'text/html', page),
    link('related', 'text/html', index_url === page ? null : index_url),
    link('enclosure', 'application/pdf', pdf_url),
    element('category', { term: relevance_class }),
    text('dc:identifier', doi && `doi:${doi}`),
    text('prism:doi', doi),
    text('dc:identifier', pmid && `pmid:${pmid}`),
    text('dc:identifier', arxiv && `arxiv:${arxiv}`),
    text('dc:source', venue_name),
    text('prism:publicationName', venue_name),
    note === null ? null : element('summary', { type: 'text' }, note),
    // RFC 4287, section 4.1.2, requires content if an entry has no link.
    abstract === null && page !== null ? null : element('content', { type: 'text' }, abstract ?? note ?? title)
  )
}
