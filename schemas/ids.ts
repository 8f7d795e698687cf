import { type Static, Type } from 'typebox'

/** A UUID in an answer. */
export const Uuid = Type.String({ format: 'uuid', description: 'UUID.' })
export type Uuid = Static<typeof Uuid>

/** The stored beginning of a UUID; two records can share one. */
export const ShortId = Type.String({ pattern: '^[0-9a-f]{8}$', description: 'The first 8 hex characters of the UUID. Two records can share one.' })
export type ShortId = Static<typeof ShortId>

/** A project's UUID in an input. */
export const ProjectId = Type.String({ format: 'uuid', description: 'The project\'s UUID, as projects_list gives it.' })

/** What a caller may put in `paper_id`. See the specification, section 2. */
export const PaperReference = Type.String({
  pattern: '^\\s*([0-9A-Fa-f]{8}|[0-9A-Fa-f]{8}(-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})\\s*$',
  description: 'Which paper: the UUID or the short_id (8 hex characters) of the paper, or of one of your feed items. Case does not matter.'
})
export type PaperReference = Static<typeof PaperReference>
