import { Type } from 'typebox'
import { FeedItemInput } from './feed.js'
import { followBases, FollowTarget } from './follow.js'
import { Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'

export { FeedItemInput as PaperTuningInput }

const Query = Type.Object({
  name: Type.String({ description: 'Name of the source.' }),
  title: Type.String({ description: 'Title of the source.' }),
  query: Type.String({ description: 'The custom query, for sources of project_update.' })
}, { description: 'A custom query of a source.' })

const Followed = Type.Object({
  ...FollowTarget.properties,
  matched_by: Words(followBases, { description: 'id: the record states an id, and namesakes do not match; name: it states none.' }),
  followed: Type.Boolean({ description: 'Whether the project follows it.' }),
  queries: Type.Array(Query, { description: 'Those that the project does not have yet, by id where the source has ids.' })
}, { description: 'An author, a journal or an institution, with the queries that find its papers.' })

/** The changes of a project that a person can make from one of its papers. */
export const PaperTuningResult = Type.Object({
  item_id: Uuid,
  project_id: Uuid,
  words: Type.Array(Type.String(), { description: 'Words of the title, and keywords of the record, that the project does not have yet.' }),
  authors: Type.Array(Followed, { description: 'The first three authors and the last.' }),
  journal: Nullable(Followed, 'Journal, conference or server; null if unknown.'),
  institutions: Type.Array(Followed, { description: 'Those of these authors, by ROR or OpenAlex id.' })
}, { description: 'Words to include or exclude, and authors, journals and institutions to follow.' })
