import { type Static, Type } from 'typebox'

/** A UUID in an answer. */
export const Uuid = Type.String({ format: 'uuid', description: 'UUID.' })
export type Uuid = Static<typeof Uuid>

/** The form of a UUID, for patterns that contain one. */
export const uuidForm = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}'

const uuid = new RegExp(`^${uuidForm}$`)

/** Whether a text is a UUID in lower case, as this service writes them. */
export const isUuid = (text: string): boolean => uuid.test(text)

/** The stored beginning of a UUID; two records can share one. */
export const ShortId = Type.String({
  pattern: '^[0-9a-f]{8}$',
  description: 'The first 8 hex characters of the UUID. Two records can share one.'
})
export type ShortId = Static<typeof ShortId>

/** A project's UUID that the operation's gate checks, so that its error can name the caller's projects. */
export const ProjectReference = Type.String({ maxLength: 200, description: 'UUID from projects_list.' })

/** A project's UUID in an input. */
export const ProjectId = Type.String({ format: 'uuid', description: 'UUID from projects_list.' })

/** Reference to a paper, for `paper_id`. Requirements spec:2-paper-forms and spec:2-short-id. */
export const PaperReference = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'UUID or short_id of a paper or feed item, DOI, PMID, PMCID or arXiv id.'
})
export type PaperReference = Static<typeof PaperReference>
