import { type Static, Type } from 'typebox'
import { Coverage } from './coverage.js'
import { BriefItem, FeedItem, itemDetails } from './feed.js'
import { count } from './fields.js'
import { ProjectReference, Uuid } from './ids.js'
import { Words } from './nullable.js'
import { paging } from './paging.js'

/** Input of `feed_brief`. */
export const FeedBriefInput = Type.Object(
  {
    project_id: Type.Optional(ProjectReference),
    consumer: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        pattern: '\\S',
        description: 'Consumer name, such as "weekly digest". Each has its own acknowledgements. Default: the key.'
      })
    ),
    acknowledge: Type.Optional(
      Type.String({ format: 'uuid', description: 'brief_id of a used brief: excludes its items from later briefs.' })
    ),
    limit: paging.limit,
    detail: Type.Optional(Words(itemDetails, { description: 'brief: what a digest needs.', default: 'brief' }))
  },
  { additionalProperties: false }
)

const inProject = {
  project_id: Type.Optional(Uuid),
  project_name: Type.Optional(Type.String({ description: 'Name of its project, if the call names none.' }))
}
/** Items of a brief: those of all feeds say which feed they are in. */
export const ItemsOfBriefs = {
  full: Type.Object({ ...FeedItem.properties, project_name: inProject.project_name }, { description: 'One paper in one project.' }),
  brief: Type.Object({ ...BriefItem.properties, ...inProject }, { description: 'A feed item in brief.' })
}
/** The type leaves brief items out, as that of feed_get does. */
type ItemOfBrief = Static<typeof ItemsOfBriefs.full>

/** The next items for a consumer. */
export const FeedBriefResult = Type.Object({
  brief_id: Uuid,
  items: Type.Array(Type.Unsafe<ItemOfBrief>(Type.Union([ItemsOfBriefs.full, ItemsOfBriefs.brief], { description: 'As in feed_get.' })), {
    description: 'Items that this consumer has not acknowledged, best first.'
  }),
  remaining: count('Further items that this consumer has not acknowledged.'),
  coverage: Coverage
})
