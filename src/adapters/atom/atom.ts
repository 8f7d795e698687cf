import { type ComponentChildren, h, type VNode } from 'preact'
import { renderToString } from 'preact-render-to-string'
import type { Paper } from '../../../schemas/paper.js'
import { shortText } from '../../../schemas/short-text.js'
import { createYielder } from '../../threads/yielder.js'

/** A paper of a feed. */
export interface AtomEntry {
  id: string
  updated: string
  /** A summary, or another text about the paper. */
  note: string | null
  category: string | null
  paper: Pick<Paper, 'title' | 'published_date' | 'authors' | 'url' | 'index_url' | 'pdf_url' | 'doi' | 'venue_name' | 'abstract'> & {
    external_ids: Pick<Paper['external_ids'], 'pmid' | 'arxiv'>
  }
}

/** A feed before it is written. */
export interface AtomFeed {
  id: string
  title: string
  subtitle: string | null
  updated: Date
  entries: readonly AtomEntry[]
  /** Address of this feed, of the page that shows the same, and of the service. */
  self: string
  page: string
  website: string
}

/** Authors of an entry, and characters of its content: a poll of 50 entries with 6,000 authors each would have 20 MB. */
const [maxAuthors, maxContentLength] = [20, 2000]

/** Reduces a feed to what its entries show, with bounded authors and text. */
export const boundedFeed = (feed: AtomFeed): AtomFeed => ({ ...feed, entries: feed.entries.map(boundedEntry) })

function boundedEntry ({ id, updated, note, category, paper }: AtomEntry): AtomEntry {
  const { title, published_date, authors, url, index_url, pdf_url, doi, external_ids: { pmid, arxiv }, venue_name, abstract } = paper
  const first = authors.slice(0, maxAuthors).map(({ name }) => ({ name }))
  return {
    id,
    updated,
    note: note === null ? null : shortText(note, maxContentLength),
    category,
    paper: {
      title,
      published_date,
      url,
      index_url,
      pdf_url,
      doi,
      external_ids: { pmid, arxiv },
      venue_name,
      authors: authors.length > maxAuthors ? [...first, { name: 'et al.' }] : first,
      abstract: abstract === null ? null : shortText(abstract, maxContentLength)
    }
  }
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
 * Writes an Atom feed, entry by entry, and yields to the event loop meanwhile. Identifiers are in Dublin Core and PRISM elements, which
 * reference managers read.
 * @see RFC 4287
 */
export async function writeAtom ({ id, title, subtitle, updated, entries, self, page, website }: AtomFeed): Promise<string> {
  const feed = element('feed', namespaces,
    text('id', `urn:uuid:${id}`),
    text('title', title),
    text('subtitle', subtitle),
    text('updated', updated.toISOString()),
    link('self', 'application/atom+xml', self),
    link('alternate', 'text/html', page),
    element('generator', { uri: `${website}/` }, 'Litfeed'),
    // RFC 4287 requires an author of the feed if an entry has none.
    author('Litfeed')
  )
  const end = '</feed>'
  const parts = ['<?xml version="1.0" encoding="utf-8"?>\n', write(feed).slice(0, -end.length)]
  const yieldIfDue = createYielder()
  for (const entry of entries) {
    parts.push(write(entryOf(entry)))
    await yieldIfDue()
  }
  return parts.join('') + end
}

/** The renderer escapes for HTML, which allows "]]>" and every character in text. */
const write = (node: VNode): string => renderToString(node).replaceAll(']]>', ']]&gt;').replace(forbiddenCharacters, '')

const author = (name: string) => element('author', null, text('name', name))

function entryOf ({ id, updated, note, category, paper }: AtomEntry): VNode {
  const { title, published_date, authors, url, index_url, pdf_url, doi, external_ids: { pmid, arxiv }, venue_name, abstract } = paper
  const page = url ?? index_url
  return element('entry', null,
    text('id', `urn:uuid:${id}`),
    text('title', title),
    text('updated', updated),
    text('published', published_date && `${published_date}T00:00:00Z`),
    authors.map(({ name }) => author(name)),
    link('alternate', 'text/html', page),
    link('related', 'text/html', index_url === page ? null : index_url),
    link('enclosure', 'application/pdf', pdf_url),
    category === null ? null : element('category', { term: category }),
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
