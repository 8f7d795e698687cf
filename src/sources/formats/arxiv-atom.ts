import type { PaperRecord } from '../../../schemas/paper.js'
import { arxivIn, arxivVersionIn, doiIn, webAddress } from '../../papers/identifiers.js'
import { readDate } from '../../papers/stated-date.js'
import type { Format } from './format.js'
import { toMetadata } from './metadata.js'
import { authorsOf } from './names.js'
import { type XmlElement, child, children, readElements, textOf } from './xml.js'
import { arxivAddress } from '../../papers/paper-address.js'

/** Responses of the arXiv API. @see https://info.arxiv.org/help/api/user-manual.html */
export const arxivAtom: Format = {
  name: 'arxiv-atom',
  title: 'arXiv Atom',
  extensions: ['.xml', '.atom'],
  matches: head => /<feed[\s>]/.test(head) && /arxiv\.org/i.test(head),
  async * read (text) {
    let place = 0
    let root = ''
    for await (const item of readElements(text, new Set(['entry']), name => { root = name })) {
      place++
      if ('fault' in item) yield { place, reason: item.fault, ended: item.ended }
      else yield { place, line: item.line, ...readEntry(item.element) }
    }
    if (place === 0 && root !== '' && root !== 'feed') yield { place: 1, reason: `the file contains <${root}> instead of an Atom feed` }
  }
}

function readEntry (entry: XmlElement): { record: PaperRecord } | { reason: string } {
  const id = textOf(child(entry, 'id'))
  // The API responds to some invalid queries with an entry that describes the error.
  if (id.includes('/api/errors')) return { reason: 'arXiv returned an error instead of the record' }
  const title = textOf(child(entry, 'title'))
  if (title === '') return { reason: 'title is missing' }
  const arxiv = arxivIn(id)
  // Other sites publish similar feeds that mention arXiv.
  if (arxiv === null) return { reason: 'the entry has no arXiv id' }
  const links = children(entry, 'link')
  const pdf = links.find(({ attributes }) => attributes.title === 'pdf' || attributes.type === 'application/pdf')?.attributes.href
  return {
    record: {
      title,
      // Daily feeds prefix the abstract with an announcement type.
      abstract: textOf(child(entry, 'summary')).replace(/^arXiv:\S+ Announce Type: \S+ Abstract: /, '') || null,
      authors: authorsOf(namesOf(entry)),
      published_date: readDate(textOf(child(entry, 'published')).slice(0, 10)),
      url: arxivAddress(arxiv),
      pdf_url: secure(webAddress(pdf)),
      // The journal's DOI; arXiv's own DOI follows from the id.
      doi: doiIn(textOf(child(entry, 'doi'))),
      venue_name: 'arXiv',
      external_ids: { arxiv },
      source: { name: 'arxiv' },
      source_paper_id: arxiv,
      metadata: toMetadata({
        published: textOf(child(entry, 'published')),
        updated: textOf(child(entry, 'updated')),
        version: arxivVersionIn(id),
        primary_category: child(entry, 'primary_category')?.attributes.term,
        categories: children(entry, 'category').flatMap(({ attributes }) => attributes.term ?? []),
        comment: textOf(child(entry, 'comment')),
        journal_ref: textOf(child(entry, 'journal_ref'))
      })
    }
  }
}

/** The API has one element per author, daily feeds have one for all. */
const namesOf = (entry: XmlElement) => [
  ...children(entry, 'author').map(author => textOf(child(author, 'name'))),
  ...children(entry, 'creator').flatMap(creators => textOf(creators).split(/, (?!Jr\b|Sr\b|I[IV]+\b)/))
]

const secure = (address: string | null) => address?.replace(/^http:\/\/(\w+\.)?arxiv\.org\//, 'https://arxiv.org/') ?? null
