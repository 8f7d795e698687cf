import { type Static, Type } from 'typebox'
import { time } from './fields.js'
import { ProjectReference, Uuid } from './ids.js'
import { Words } from './nullable.js'
import { visibleText } from './visible-text.js'

/** Kinds of targets that a project can follow. */
export const followKinds = ['author', 'journal', 'institution'] as const
/** How a paper is known to be by or in what is followed. */
export const followBases = ['id', 'name'] as const
/** Follows that a project may have. */
export const maxFollows = 200
/** Ids of a follow. */
export const maxFollowIds = 10

const Kind = Words(followKinds, { description: 'Kind of what is followed.' })
const name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Name, as papers write it.' })
const ids = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: maxFollowIds,
  description:
    'Author: ORCID iD and OpenAlex author id. Journal: ISSNs and OpenAlex source id. Institution, which needs one: ROR id ' +
    'and OpenAlex id.'
})

/** Names something to follow. */
export const FollowTarget = Type.Object({ kind: Kind, name, ids })
export type FollowTarget = Static<typeof FollowTarget>

/** Something to follow. */
export const FollowInput = Type.Object(
  { project_id: ProjectReference, kind: Kind, name, ids: Type.Optional(ids) },
  { additionalProperties: false }
)

/** Something that a project follows. */
export const Follow = Type.Object({
  id: Uuid,
  ...FollowTarget.properties,
  matched_by: Words(followBases, {
    description: 'id: papers match by their ids, and by name only where the paper states no id; name: no id is known, so namesakes match.'
  }),
  created_at: time('When it was added.')
}, { description: 'An author, a journal or an institution that the project follows.' })
export type Follow = Static<typeof Follow>

/** What a project follows. */
export const FollowsResult = Type.Object({ items: Type.Array(Follow, { description: 'Newest first.' }) })
/** Names what a project follows. */
export const FollowReference = Type.Object(
  { project_id: ProjectReference, follow_id: Type.String({ format: 'uuid', description: 'UUID of the follow.' }) },
  { additionalProperties: false }
)

/** Papers that a follow would mark. */
export const FollowPreviewResult = Type.Object({
  compared: Type.Integer({ description: 'Newest papers of the feed that were compared, at most 2,000.' }),
  by_id: Type.Integer({ description: 'Papers that match by an id.' }),
  by_name: Type.Integer({ description: 'Papers that match by name, because no id is known on one of the sides.' }),
  papers: Type.Array(
    Type.Object({
      paper_id: Uuid,
      title: Type.String(),
      by: Words(followBases, { description: 'How the paper matches.' })
    }),
    { description: 'The newest of them, at most 20.' }
  )
}, { description: 'The papers of the feed that match. Nothing is saved.' })

/** A name without characters that people cannot see. */
export const visibleName = (name: string): string => visibleText(name.toWellFormed()).replace(/\s+/gu, ' ').trim()
