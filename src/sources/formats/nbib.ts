import type { PaperRecord } from '../../../schemas/paper.js'
import { doiIn, issnIn, orcidIn, pmcidIn, pmidIn, webAddress } from '../../papers/identifiers.js'
import { dateWithin, readDate } from '../../papers/stated-date.js'
import type { Format } from './format.js'
import { linesOf, type Tagged } from './lines.js'
import { toMetadata } from './metadata.js'
import { authorsOf, readName, readShortName, type StatedAuthor } from './names.js'
import { plainParagraphs, plainText } from './plain-text.js'
import { isRetractedType } from './publication-types.js'
import { pubmedTitle } from './pubmed-title.js'
import { Fields, readTagged } from './tagged.js'
import { pubmedAddress } from '../../papers/paper-address.js'

const tagForm = /^([A-Z][A-Z0-9]{1,3}) *- ?(.*)$/s

/** MEDLINE records, such as PubMed's "nbib" files. @see https://www.nlm.nih.gov/bsd/mms/medlineelements.html */
export const nbib: Format = {
  name: 'nbib',
  title: 'MEDLINE / nbib',
  extensions: ['.nbib', '.txt'],
  matches: head => /^(PMID|OWN|STAT|DCOM)\s*- /m.test(head) && /^(TI|BTI|CTI|AB|FAU|AU)\s*- /m.test(head),
  read: text => readTagged(linesOf(text), {
    title: 'MEDLINE',
    tag: line => { const [, tag, value] = tagForm.exec(line) ?? []; return tag === undefined ? undefined : { tag, value: value! } },
    // An empty line can also separate paragraphs of an abstract.
    begins: ({ tag }, fields, afterEmptyLine) => afterEmptyLine || (tag === 'PMID' && fields.has('PMID')),
    ends: () => false,
    read: readRecord
  })
}

function readRecord (fields: Fields): PaperRecord {
  const pmid = pmidIn(fields.first('PMID'))
  const pmcid = pmcidIn(fields.first('PMC'))
  const locations = [...fields.all('LID'), ...fields.all('AID')]
  const doi = doiIn(locations.find(text => /\[doi\]/i.test(text)) ?? locations.find(text => doiIn(text) !== null))
  // Notices may repeat the DOI of the article that they are on: erratum for, retraction of, expression of concern for.
  const isRepeated = fields.tagged(['EFR', 'ROF', 'ECF']).some(({ value }) => doiIn(value) === doi)
  const isPubmed = pmid !== null
  // AU is the short form of FAU.
  const personTag = fields.has('FAU') ? 'FAU' : 'AU'
  const nameOf = ({ tag, value }: Tagged) =>
    tag === 'CN' ? plainText(value) : isPubmed && tag === 'AU' ? readShortName(value) : readName(value)
  const issns = fields.all('IS')
  const ownTitle = plainText(fields.first('TI') ?? '')
  const bookTitle = plainText(fields.first('BTI', 'CTI') ?? '')
  const title = ownTitle || bookTitle
  return {
    title: isPubmed ? pubmedTitle(title, plainText(fields.first('TT') ?? '')) : title,
    abstract: plainParagraphs(fields.first('AB', 'OAB') ?? ''),
    authors: authorsOf(withOrcids(fields.tagged([personTag, 'CN', 'AUID']), nameOf)),
    // A chapter of a book that is continued has a date of its own.
    published_date: (ownTitle !== '' && bookTitle !== '' ? readDate(fields.first('CTDT')) : null) ??
      publishedOf(fields.first('DP'), readDate(fields.first('DEP'))),
    url: isPubmed ? pubmedAddress(pmid) : locations.map(webAddress).find(address => address !== null) ?? null,
    pdf_url: null,
    doi: isRepeated ? null : doi,
    venue_name: plainText(fields.first('JT', 'TA') ?? '') || (ownTitle === '' ? null : bookTitle || null),
    external_ids: { ...(isPubmed ? { pmid } : {}), ...(pmcid === null ? {} : { pmcid }) },
    source: { name: isPubmed ? 'pubmed' : 'nbib' },
    source_paper_id: pmid ?? fields.first('OID') ?? null,
    metadata: toMetadata({
      published: fields.first('DP', 'DEP'),
      journal_abbreviation: fields.first('TA'),
      volume: fields.first('VI'),
      issue: fields.first('IP'),
      pages: fields.first('PG'),
      issn: issnIn(firstWord(issns[0])) ?? issns[0] ?? fields.first('ISSN'),
      issn_l: issnIn(firstWord(issns.find(text => /\(linking\)/i.test(text)))),
      language: fields.first('LA'),
      publication_types: fields.all('PT'),
      keywords: fields.all('OT'),
      mesh_terms: fields.all('MH'),
      owner: fields.first('OWN'),
      // Retraction in; retracted and republished in.
      retracted: isRetractedType(fields.all('PT')) || fields.has('RIN') || fields.has('RRI') ? true : undefined
    })
  }
}

/** "1476-4687 (Electronic)" */
const firstWord = (text: string | undefined) => text?.split(/\s/)[0]

/** The ids of an author follow the name: "AUID- ORCID: 0000-0002-1825-0097". */
function withOrcids (fields: readonly Tagged[], nameOf: (field: Tagged) => string): StatedAuthor[] {
  const authors: StatedAuthor[] = []
  for (const field of fields) {
    const last = authors.at(-1)
    if (field.tag !== 'AUID') authors.push({ name: nameOf(field), group: field.tag === 'CN' })
    else if (last !== undefined && /^ORCID\b/i.test(field.value) && orcidIn(last.orcid) === null) last.orcid = field.value
  }
  return authors
}

/** The date of an issue, or that of the electronic publication, which may lie within the month or year that is all the issue states. */
function publishedOf (issue: string | undefined, electronic: string | null): string | null {
  const precision = /^\s*\d{4}\s*$/.test(issue ?? '') ? 'year' : /^\s*\d{4} [A-Za-z]{3}\s*$/.test(issue ?? '') ? 'month' : undefined
  const date = readDate(issue)
  return precision === undefined ? date ?? electronic : dateWithin(date, precision, electronic)
}
