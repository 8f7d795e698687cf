import { type Static, Type } from 'typebox'
import { PaperReference, ShortId, Uuid } from './ids.js'
import { PaperMetadata } from './metadata.js'
import { Nullable, Words } from './nullable.js'
import { maxAffiliations } from './paper-bounds.js'
import { maxReferences } from './references.js'

/** An author as the publication names them, with the ids that sources state. */
export const Author = Type.Object(
  {
    name: Type.String({ description: 'Given name first, as on the title page.' }),
    orcid: Type.Optional(Type.String({ pattern: '^\\d{4}-\\d{4}-\\d{4}-\\d{3}[\\dX]$', description: 'ORCID iD.' })),
    openalex: Type.Optional(Type.String({ pattern: '^A\\d{1,15}$', description: 'OpenAlex author id.' })),
    affiliations: Type.Optional(
      Type.Array(Type.String({ pattern: '^(?:0[a-z0-9]{8}|I\\d{1,15})$' }), {
        maxItems: maxAffiliations,
        description: 'ROR ids and OpenAlex ids of the institutions on this paper; where a source states both, one after the other.'
      })
    ),
    group: Type.Optional(Type.Literal(true, { description: 'Stated to be a group, where its name could be a person\'s.' }))
  },
  { description: 'One author.' }
)
export type Author = Static<typeof Author>

/** Published by its name alone, which keeps the lists of tools short; the ids are further properties. */
const PublishedAuthor = Type.Unsafe<Author>(
  Type.Object({ name: Author.properties.name }, {
    additionalProperties: true,
    description: 'One author, with orcid, openalex (author id) and affiliations (ROR or OpenAlex ids) where sources state them.'
  })
)

/** The citations of a paper, as a source states them. */
export const Citations = Type.Object({
  // record-limits.ts bounds each; a check of every one would take a tenth of an ingest.
  references: Type.Array(Type.String(), {
    maxItems: maxReferences,
    description: 'Works that it cites, by DOI, PMID or OpenAlex work id. One work may have several ids.'
  }),
  cited_by: Nullable(Type.Integer({ minimum: 0, maximum: 1_000_000_000 }), 'Number of works that cite it.')
}, { additionalProperties: false, description: 'References and number of citations.' })
export type Citations = Static<typeof Citations>

/** Bounded, because identifiers are indexed. */
const Identifier = Type.String({ minLength: 1, maxLength: 512 })

/** Identifiers of a paper elsewhere; null where unknown. */
export const ExternalIds = Type.Object({
  doi: Nullable(Identifier, 'DOI, lower case, without resolver.'),
  arxiv: Nullable(Identifier, 'arXiv id without version.'),
  pmid: Nullable(Identifier, 'PubMed id.'),
  pmcid: Nullable(Identifier, 'PubMed Central id, with PMC.'),
  openalex: Nullable(Identifier, 'OpenAlex work id, with W.')
}, { description: 'Identifiers in outside indexes.' })
export type ExternalIds = Static<typeof ExternalIds>

const PublishedDate = Type.String({
  format: 'date',
  description: 'YYYY-MM-DD; a missing month or day reads as 01, and metadata.published says what the source stated.'
})

/** Fields that describe a publication. */
const bibliographic = {
  title: Type.String({ minLength: 1, description: 'Title as plain text.' }),
  abstract: Nullable(Type.String(), 'Abstract as plain text.'),
  authors: Type.Array(Author, { description: 'Authors in order.' }),
  published_date: Nullable(PublishedDate),
  url: Nullable(Type.String(), 'Web page about the paper.'),
  pdf_url: Nullable(Type.String(), 'Open PDF address, only where a source states one.'),
  doi: Nullable(Identifier, 'DOI, lower case, without resolver.'),
  venue_name: Nullable(Type.String(), 'Journal, conference or server.')
}

/** Published as a plain object. Its fields are those of PaperMetadata. */
const metadata = Type.Unsafe<PaperMetadata>(
  Type.Record(Type.String(), Type.Unknown(), {
    description: 'Other fields of the source: volume, issue, pages, language, keywords and others'
  })
)

/**
 * A publication as a file or a source states it, before it is stored. Every format and source yields these.
 * `external_ids` and `metadata` hold only what was stated.
 */
export const PaperRecord = Type.Object({
  ...bibliographic,
  external_ids: Type.Partial(Type.Omit(ExternalIds, ['doi'])),
  source: Type.Object({ name: Type.String({ minLength: 1, description: 'pubmed, arxiv, ris, bibtex and others' }) }),
  source_paper_id: Nullable(Identifier, 'The id within the source.'),
  reference_label: Type.Optional(Type.String({ description: 'Only if the record states one; otherwise derived from the identifiers.' })),
  index_url: Type.Optional(Type.String({ description: 'Only if the record states one; otherwise derived from the identifiers.' })),
  metadata: PaperMetadata,
  citations: Type.Optional(Citations)
}, { additionalProperties: false })
export type PaperRecord = Static<typeof PaperRecord>

/** The record of one publication. Unknown values are null, never missing. */
export const Paper = Type.Object(
  {
    id: Uuid,
    short_id: ShortId,
    slug: Type.String({ description: 'The title as part of an address.' }),
    ...bibliographic,
    authors: Type.Array(PublishedAuthor, { description: 'Authors in order.' }),
    reference_label: Nullable(Type.String(), '"PMID 12345678", "arXiv 2401.01234", "DOI 10.1000/xyz".'),
    source: Type.Object(
      { name: Type.String({ description: 'pubmed, arxiv, ris, bibtex and others' }) },
      { description: 'Where the record came from.' }
    ),
    source_paper_id: Nullable(Identifier, 'The id within the source.'),
    external_ids: ExternalIds,
    index_url: Nullable(Type.String(), 'The record in the outside index (PubMed, arXiv, the DOI resolver).'),
    metadata,
    markdown_ready: Type.Boolean({ description: 'Whether paper_markdown answers at once.' })
  },
  { description: 'The canonical record of one publication.' }
)
export type Paper = Static<typeof Paper>

/** Names a paper of the caller. */
export const PaperInput = Type.Object({ paper_id: PaperReference }, { additionalProperties: false })

/** Input of `paper_get`. */
export const PaperGetInput = Type.Object({
  ...PaperInput.properties,
  detail: Type.Optional(Words(['full', 'brief'], { description: 'brief: few authors and metadata.', default: 'full' }))
}, { additionalProperties: false })

/** References of a paper, and those that the caller liked. */
export const PaperReferencesResult = Type.Object({
  ...Citations.properties,
  liked: Type.Array(
    Type.Object({
      project_id: Uuid,
      paper_id: Uuid,
      title: Type.String(),
      vote: Words(['upvote', 'star'], { description: 'Your vote.' })
    }),
    { description: 'Papers among the references that you starred or upvoted, at most 100.' }
  )
}, { description: 'What a paper cites, as sources state it.' })

/** A paper, and the caller's projects that have it. */
export const PaperResult = Type.Object({
  ...Paper.properties,
  cited_by: Citations.properties.cited_by,
  projects: Type.Array(Type.Object({
    project_id: Uuid,
    feed_item_id: Uuid
  }, { description: 'One of your feeds.' }), { description: 'Your feeds that have the paper.' }),
  versions: Type.Array(Type.Object({
    paper_id: Uuid,
    form: Words(['preprint', 'published'], { description: 'Form of the other paper.' })
  }, { description: 'Another form of the same work.' }), { description: 'Preprint and published form, where you have both.' })
}, { description: 'A paper, and where you have it.' })
export type PaperResult = Static<typeof PaperResult>
