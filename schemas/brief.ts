import { Type } from 'typebox'
import { Coverage } from './coverage.js'
import { Items, itemDetails } from './feed.js'
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

/** The next items for a consumer. */
export const FeedBriefResult = Type.Object({
  brief_id: Uuid,
  items: Items('Items that this consumer has not acknowledged, best first.'),
  remaining: Type.Integer({ minimum: 0, description: 'Further items that this consumer has not acknowledged.' }),
  coverage: Coverage
})
