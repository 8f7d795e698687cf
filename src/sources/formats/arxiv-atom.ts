import type { PaperRecord } from '../../../schemas/paper.js'
import { arxivIn, arxivVersionIn, doiIn, webAddress } from '../../papers/identifiers.js'
import { readDate } from './dates.js'
import type { Format } from './format.js'
import { stated } from './metadata.js'
import { authorsOf } from './names.js'
import { type XmlElement, child, children, readElements, textOf } from './xml.js'

/** Answers of the arXiv API. @see https://info.arxiv.org/help/api/user-manual.html */
export const arxivAtom: Format = {
  name: 'arxiv-atom',
  title: 'arXiv Atom',
  matches: head => /<feed[\s>]/.test(head) && /arxiv\.org/i.test(head),
  async * read (text) {
    let place = 0
    let root = ''
    for await (const met of readElements(text, new Set(['entry']), name => { root = name })) {
      place++
      if ('fault' in met) yield { place, reason: met.fault, ended: met.ended }
      else yield { place, ...readEntry(met.element) }
    }
    if (place === 0 && root !== '' && root !== 'feed') yield { place: 1, reason: `the file holds <${root}>, and no Atom feed` }
  }
}

function readEntry (entry: XmlElement): { record: PaperRecord } | { reason: string } {
  const id = textOf(child(entry, 'id'))
  // The API answers some bad queries with an entry that describes the error.
  if (id.includes('/api/errors')) return { reason: 'arXiv reports an error in place of the record' }
  const title = textOf(child(entry, 'title'))
  if (title === '') return { reason: 'title is missing' }
  const arxiv = arxivIn(id)
  // Other sites have feeds of this form, and name arXiv in them.
  if (arxiv === null) return { reason: 'the entry states no arXiv id' }
  const links = children(entry, 'link')
  const pdf = links.find(({ attributes }) => attributes.title === 'pdf' || attributes.type === 'application/pdf')?.attributes.href
  return {
    record: {
      title,
      // The daily feeds put what is new about the paper before its abstract.
      abstract: textOf(child(entry, 'summary')).replace(/^arXiv:\S+ Announce Type: \S+ Abstract: /, '') || null,
      authors: authorsOf(namesOf(entry)),
      published_date: readDate(textOf(child(entry, 'published')).slice(0, 10)),
      url: `https://arxiv.org/abs/${arxiv}`,
      pdf_url: secure(webAddress(pdf)),
      // This is the journal's DOI; arXiv's own is made from the id.
      doi: doiIn(textOf(child(entry, 'doi'))),
      venue_name: 'arXiv',
      external_ids: { arxiv },
      source: { name: 'arxiv' },
      source_paper_id: arxiv,
      metadata: stated({
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

/** The API has an element for each author, the daily feeds one for all. */
const namesOf = (entry: XmlElement) => [
  ...children(entry, 'author').map(author => textOf(child(author, 'name'))),
  ...children(entry, 'creator').flatMap(creators => textOf(creators).split(/, (?!Jr\b|Sr\b|I[IV]+\b)/))
]

const secure = (address: string | null) => address?.replace(/^http:\/\/(\w+\.)?arxiv\.org\//, 'https://arxiv.org/') ?? null
