import { Type } from 'typebox'

/** Items on a page if the caller sends no limit. */
export const defaultLimit = 10
/** Largest limit that a caller may send. */
export const maxLimit = 100

const Limit = Type.Integer({
  minimum: 1,
  maximum: maxLimit,
  default: defaultLimit,
  description: 'Page size.'
})
const Offset = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0, description: 'Items to skip.' })

/** Page arguments, shared by every paged list. */
export const paging = { limit: Type.Optional(Limit), offset: Type.Optional(Offset) }

/** Properties of every paged result. */
export const page = {
  limit: Type.Integer({ description: 'The limit applied.' }),
  offset: Type.Integer({ description: 'The offset applied.' }),
  has_more: Type.Boolean({ description: 'Whether more items follow this page.' })
}
