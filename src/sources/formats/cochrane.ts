import type { PaperRecord } from '../../../schemas/paper.js'
import { doiIn, pmidIn, webAddress } from '../../papers/identifiers.js'
import { readDate } from '../../papers/stated-date.js'
import type { Format } from './format.js'
import { linesOf } from './lines.js'
import { toMetadata } from './metadata.js'
import { namesIn } from './name-lists.js'
import { authorsOf } from './names.js'
import { plainParagraphs, plainText } from './plain-text.js'
import { type Fields, readTagged } from './tagged.js'

/** A paragraph of an abstract begins with longer words, such as "AIM:". */
const tagForm = /^([A-Z]{2}|DOI): ?(.*)$/s
const beginForm = /^\uFEFF?Record #\d+ of \d+[ \t]*$/

/** Plain text of the Cochrane Library: "Record #1 of 20", then fields such as "TI: A title". */
export const cochrane: Format = {
  name: 'cochrane',
  title: 'Cochrane Library',
  extensions: ['.txt'],
  matches: head => /^Record #\d+ of \d+[ \t]*$/m.test(head) && /^(?:ID|TI): /m.test(head),
  read: text => readTagged(linesOf(text), {
    title: 'Cochrane Library',
    tag: line => {
      const [, tag, value] = tagForm.exec(line) ?? []
      return tag === undefined ? undefined : { tag, value: value! }
    },
    begins: ({ tag }, fields) => tag === 'ID' && fields.has('ID'),
    ends: line => beginForm.test(line),
    read: readRecord
  })
}

function readRecord (fields: Fields): PaperRecord {
  const text = (tag: string) => plainText(fields.first(tag) ?? '')
  const pmid = pmidIn(text('PM').replace(/^PUBMED\s*/i, ''))
  const types = fields.all('PT').flatMap(type => type.split(';')).map(plainText).filter(type => type !== '')
  return {
    title: text('TI'),
    abstract: plainParagraphs(fields.first('AB') ?? ''),
    authors: authorsOf(fields.all('AU').flatMap(names => namesIn(names, { hasFullNames: false }))),
    published_date: readDate(text('YR')),
    url: webAddress(text('US')),
    pdf_url: null,
    doi: doiIn(text('DOI')),
    venue_name: text('SO') || null,
    external_ids: pmid === null ? {} : { pmid },
    source: { name: 'cochrane' },
    source_paper_id: text('ID') || null,
    metadata: toMetadata({
      type: types.length === 1 ? types[0] : undefined,
      publication_types: types.length > 1 ? types : [],
      published: text('YR'),
      volume: text('VL'),
      issue: text('NO'),
      pages: text('PG'),
      publisher: text('PB'),
      language: text('LA'),
      // An asterisk marks main topics.
      keywords: text('KY').split(';').map(keyword => keyword.trim().replace(/^\*/, '')).filter(keyword => keyword !== '')
    })
  }
}
