import { Type } from 'typebox'
import { FeedItemInput } from './feed.js'
import { Uuid } from './ids.js'
import { Nullable } from './nullable.js'

export { FeedItemInput as PaperTuningInput }

const Query = Type.Object({
  name: Type.String({ description: 'Name of the source.' }),
  title: Type.String({ description: 'Title of the source.' }),
  query: Type.String({ description: 'The custom query, for sources of project_update.' })
}, { description: 'A custom query of a source.' })

const Followed = Type.Object({
  name: Type.String({ description: 'As the paper names it.' }),
  queries: Type.Array(Query, { description: 'Those that the project does not have yet.' })
}, { description: 'A person or a journal, with the queries that follow it.' })

/** What a person can change about a project from one of its papers. */
export const PaperTuningResult = Type.Object({
  item_id: Uuid,
  project_id: Uuid,
  words: Type.Array(Type.String(), { description: 'Words of the title, and keywords of the record, that the project does not have yet.' }),
  authors: Type.Array(Followed, { description: 'The first three authors and the last.' }),
  journal: Nullable(Followed, 'Where it appeared; null if unknown.')
}, { description: 'Words to include or exclude, and queries that follow authors and the journal.' })
