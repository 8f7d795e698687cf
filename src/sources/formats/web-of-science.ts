import type { PaperRecord } from '../../../schemas/paper.js'
import { doiIn, issnsIn, pmidIn } from '../../papers/identifiers.js'
import { readDate } from '../../papers/stated-date.js'
import type { Format } from './format.js'
import { linesOf } from './lines.js'
import { toMetadata } from './metadata.js'
import { namesIn } from './name-lists.js'
import { authorsOf, type StatedAuthor } from './names.js'
import { plainParagraphs, plainText } from './plain-text.js'
import { isRetractedType } from './publication-types.js'
import { Fields, readTagged } from './tagged.js'

const tagForm = /^\uFEFF?([A-Z][A-Z0-9])(?: (.*))?$/s
/** Lines around the records: name and version of the format, and the end of the file. */
const fileTags: ReadonlySet<string> = new Set(['FN', 'VR', 'EF'])

/**
 * Plain text of Web of Science. Lines of names continue the tag, one name each.
 * @see https://images.webofknowledge.com/images/help/WOS/hs_wos_fieldtags.html
 */
export const webOfScience: Format = {
  name: 'web-of-science',
  title: 'Web of Science',
  extensions: ['.txt', '.ciw'],
  matches: head => /^FN [^\r\n]*(?:Clarivate|Thomson|Web of|ISI)/.test(head.trimStart()) ||
    (/^PT [A-Z][ \t]*$/m.test(head) && /^(?:AU|TI|UT) /m.test(head)),
  read: text => readTagged(linesOf(text), {
    title: 'Web of Science',
    tag: line => {
      const [, tag, value = ''] = tagForm.exec(line) ?? []
      return tag === undefined || fileTags.has(tag) ? undefined : { tag, value }
    },
    begins: ({ tag }, fields) => tag === 'PT' && !fields.isEmpty(),
    ends: line => /^(?:ER|EF)\s*$/.test(line),
    read: readRecord
  })
}

/** Reads a row of a table of Web of Science, which has the tags as names of its columns. */
export function readTaggedCells (columns: readonly string[], cells: readonly string[]): PaperRecord {
  const fields = new Fields()
  for (const [at, tag] of columns.entries()) {
    const value = unquoted(cells[at]?.trim() ?? '')
    if (value !== '') fields.add({ tag, value })
  }
  return readRecord(fields)
}

/** Spreadsheets write quotes around some cells and double those within. */
const unquoted = (cell: string): string => /^"(?:[^"]|"")*"$/.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell

function readRecord (fields: Fields): PaperRecord {
  const text = (...tags: string[]) => plainText(fields.first(...tags) ?? '')
  const list = (tag: string) => (fields.first(tag) ?? '').split(';').map(plainText).filter(each => each !== '')
  const pmid = pmidIn(text('PM'))
  const issns = issnsIn([text('SN'), text('EI')])
  const types = list('DT')
  const year = text('PY')
  const published = year === '' ? text('EA', 'PD') : `${year} ${text('PD')}`.trim()
  // The book of a chapter; a talk names its proceedings.
  const venue = text('SO', 'BS', 'SE')
  return {
    title: text('TI'),
    abstract: plainParagraphs(fields.first('AB') ?? ''),
    authors: authorsOf([
      ...namesIn(fields.first('AF', 'AU', 'BF', 'BA') ?? '', { hasFullNames: false }),
      ...list('CA').map((name): StatedAuthor => ({ name, group: true }))
    ]),
    published_date: readDate(published) ?? readDate(year),
    url: null,
    pdf_url: null,
    doi: doiIn(text('DI')) ?? doiIn(text('D2')),
    venue_name: venue || null,
    external_ids: pmid === null ? {} : { pmid },
    source: { name: 'web-of-science' },
    source_paper_id: null,
    metadata: toMetadata({
      type: types.length === 1 ? types[0] : undefined,
      publication_types: types.length > 1 ? types : [],
      published,
      journal_abbreviation: text('JI', 'J9'),
      volume: text('VL'),
      issue: text('IS'),
      pages: [text('BP'), text('EP')].filter(page => page !== '').join('-') || text('AR'),
      issn: issns[0],
      ...(issns.length > 1 ? { issns } : {}),
      isbn: text('BN'),
      publisher: text('PU'),
      language: text('LA'),
      keywords: list('DE'),
      retracted: isRetractedType(types) ? true : undefined
    })
  }
}
