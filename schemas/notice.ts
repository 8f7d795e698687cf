import { type Static, Type } from 'typebox'
import { time } from './fields.js'
import { ProjectId, ProjectReference, Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'
import { page, paging } from './paging.js'

/** Kinds of notices, most serious first. */
export const noticeKinds = [
  'retraction', 'withdrawal', 'partial_retraction', 'expression_of_concern', 'reinstatement', 'correction', 'published', 'new_version'
] as const
/** A kind of notice. */
export type NoticeKind = typeof noticeKinds[number]

/** Kinds that tell readers not to rely on a paper. */
export const warningKinds: ReadonlySet<NoticeKind> = new Set(['retraction', 'withdrawal', 'partial_retraction', 'expression_of_concern'])

/** Kinds of which a paper has one notice, whatever identifiers its sources give it. */
export const uniqueKinds: ReadonlySet<NoticeKind> = new Set(['retraction', 'withdrawal'])

/** Kinds that say whether a work still holds, in all its versions and forms: warnings, and their end. */
export const standingKinds: ReadonlySet<NoticeKind> = new Set([...warningKinds, 'reinstatement'])

/** A change of a paper's standing after its publication, as one or more sources report it. */
export const Notice = Type.Object({
  kind: Words(noticeKinds, {
    description:
      'retraction; withdrawal: withdrawn or removed by authors, publisher or arXiv; partial_retraction; expression_of_concern; ' +
      'reinstatement: a source says that an earlier warning no longer holds, which others may still state; ' +
      'correction: an erratum, corrigendum or addendum; published: the published form of a preprint; new_version.'
  }),
  label: Type.String({ description: 'The same in words, such as "Retracted" or "Reported as retracted by OpenAlex".' }),
  date: Nullable(Type.String({ format: 'date' }), 'Date of the notice: YYYY-MM-DD.'),
  doi: Nullable(Type.String(), 'DOI of the notice, or of the new or published form.'),
  pmid: Nullable(Type.String(), 'Its PubMed id.'),
  url: Nullable(Type.String(), 'Web page of the notice.'),
  sources: Type.Array(Type.String(), { description: 'The sources that report it.' }),
  confirmed: Type.Boolean({ description: 'false: no source that reports the retraction names a notice.' }),
  first_seen: time('When Litfeed first reported it to you.'),
  withdrawn: Nullable(time(), 'When the last source stopped reporting it; null: it is current.')
}, { description: 'A notice on a paper.' })
export type Notice = Static<typeof Notice>

/** Which notices to list. */
export const NoticesListInput = Type.Object({
  project_id: Type.Optional(ProjectReference),
  since: Type.Optional(
    Type.String({ maxLength: 64, description: 'First seen since: 24h, 7d, 2026-11-20 or 2026-11-20T08:00:00Z.' })
  ),
  withdrawn: Type.Optional(Type.Boolean({ description: 'true: includes papers whose notices were all withdrawn.', default: false })),
  ...paging
}, { additionalProperties: false })

/** A paper with its notices. */
const NoticedPaper = Type.Object({
  paper_id: Uuid,
  paper_title: Type.String({ description: 'The paper\'s title.' }),
  reference_label: Nullable(Type.String(), '"PMID 12345678", "arXiv 2401.01234", "DOI 10.1000/xyz".'),
  projects: Type.Array(Type.Object({
    project_id: Uuid,
    feed_item_id: Uuid
  }, { description: 'One of your feeds.' }), { description: 'Your feeds that have the paper.' }),
  notices: Type.Array(Notice, { description: 'Most serious first.' })
}, { description: 'A paper with its notices.' })

/** A page of papers with notices, the last found first. */
export const NoticesListResult = Type.Object({
  items: Type.Array(NoticedPaper, { description: 'Papers that you starred, upvoted, saved or cited, last found first.' }),
  ...page
})

/** Names a project whose new notices to get. */
export const NoticesNewInput = Type.Object({ project_id: ProjectId }, { additionalProperties: false })

/** Papers with notices that were not dismissed. */
export const NoticesNewResult = Type.Object({
  items: Type.Array(Type.Pick(NoticedPaper, ['paper_id', 'paper_title', 'notices'])),
  has_more: Type.Boolean({ description: 'Whether further papers have such notices.' }),
  as_of: time('Pass it to dismiss these notices.')
})

/** Which notices to dismiss. */
export const NoticesDismissInput = Type.Object({
  project_id: ProjectId,
  as_of: time('Time up to which notices are dismissed.')
}, { additionalProperties: false })
