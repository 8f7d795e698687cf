import { type Static, Type } from 'typebox'

const text = (description: string) => Type.Optional(Type.String({ description }))
const list = (description: string) => Type.Optional(Type.Array(Type.String(), { description }))
const flag = (description: string) => Type.Optional(Type.Boolean({ description }))

/**
 * Further fields of a record, as its source writes them; missing if the source does not state them. Fields of other names, from imported
 * files, pass through unchanged.
 */
export const PaperMetadata = Type.Object({
  type: text('Kind of publication, in the words of the file format.'),
  publication_types: list('Kinds of publication, in the words of the source.'),
  citation_key: text('The record\'s key in its file.'),
  published: text('Publication date as written.'),
  updated: text('Date of the last change.'),
  version: Type.Optional(Type.Integer({ minimum: 0, description: 'Version of a preprint.' })),
  volume: text('Volume.'),
  issue: text('Issue.'),
  pages: text('Pages or article number.'),
  edition: text('Edition of a book.'),
  journal_abbreviation: text('Abbreviated title of the journal.'),
  issn: text('ISSN.'),
  issn_l: text('Linking ISSN, which all forms of the journal share.'),
  issns: list('All ISSNs of the journal, where there are several.'),
  openalex_source: text('OpenAlex id of the journal or repository.'),
  institutions: list('Institutions of the first authors and the last one: each a ROR id or OpenAlex id, a space and the name.'),
  isbn: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())], { description: 'ISBN, or several.' })),
  issn_or_isbn: text('ISSN or ISBN, where the format does not say which.'),
  publisher: text('Publisher.'),
  language: text('Language.'),
  keywords: list('Keywords of the authors or the source.'),
  mesh_terms: list('Medical Subject Headings.'),
  category: text('Subject category of a preprint.'),
  categories: list('Subject categories.'),
  primary_category: text('Primary arXiv category.'),
  comment: text('Comment of the authors.'),
  journal_ref: text('Journal reference, as arXiv states it.'),
  owner: text('Organization that keeps the MEDLINE record.'),
  license: text('License of the text.'),
  open_access: flag('Whether the text is open access.'),
  preprint: flag('Whether it is a preprint.'),
  retracted: flag('Whether it was retracted.'),
  published_doi: text('DOI of the published form of a preprint.'),
  preprint_doi: text('DOI of the preprint of a published work.'),
  jatsxml: text('Address of the full text as JATS XML.'),
  feed: text('Host of the journal feed.'),
  truncated: list('Fields of the record that were longer than Litfeed stores, and were cut.'),
  other: Type.Optional(Type.Record(Type.String(), Type.Unknown(), {
    description:
      'Values of these fields whose form the fields do not allow.'
  }))
}, { additionalProperties: true })
export type PaperMetadata = Static<typeof PaperMetadata>
