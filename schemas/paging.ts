import { Type } from 'typebox'

/** Items of a page where the caller names no limit. */
/** Page sizes. */
/** Page sizes. */
export const defaultLimit = 20
/** Items of a page at most. */
export const maxLimit = 100

const Limit = Type.Integer({ minimum: 1, maximum: maxLimit, default: defaultLimit, description: 'How many items at most, 1 to 100. An item is about 700 tokens long: 10 to 20 suit a model.' })
const Offset = Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0, description: 'How many items to pass over, for the next page.' })

/** Page arguments, shared by every paged list. */
export const paging = { limit: Type.Optional(Limit), offset: Type.Optional(Offset) }

/** Properties of every paged result. */
export const page = {
  limit: Type.Integer({ description: 'The limit applied.' }),
  offset: Type.Integer({ description: 'The offset applied.' }),
  has_more: Type.Boolean({ description: 'Whether more items follow this page.' })
}
