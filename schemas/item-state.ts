import { type Static, Type } from 'typebox'
import { keysOf } from './closed-lists.js'
import { time } from './fields.js'
import { ProjectReference } from './ids.js'
import { Nullable, Words } from './nullable.js'
import { linkBits } from './relevance.js'

/** Bounds of tags and notes, in characters. */
export const maxTags = 20
export const maxTagLength = 50
export const maxNoteLength = 10_000
/** Merges of papers unite tags and notes beyond these bounds; such an item accepts a part of its tags and a note that is not longer. */
const maxUnited = 10
export const maxUnitedNoteLength = maxUnited * maxNoteLength

/** The owner's marks on a feed item, besides the vote. */
export const itemMarks = {
  seen_at: Nullable(time(), 'When you first opened it; null: not seen.'),
  saved: Type.Boolean({ description: 'Whether you saved it to read later.' }),
  tags: Type.Array(Type.String(), { description: 'Your tags.' }),
  note: Nullable(Type.String(), 'Your note.')
}

/** The owner's marks on a feed item, besides the vote. */
export type ItemMarks = { [Name in keyof typeof itemMarks]: Static<typeof itemMarks[Name]> }

/** A tag of a request. Surrounding spaces do not count, so longer texts pass here. */
export const SentTag = Type.String({ maxLength: 4 * maxTagLength })

/** Changes of the marks of a feed item. */
export const markChanges = {
  seen: Type.Optional(
    Type.Boolean({ description: 'true: marks it as seen, and keeps the time if it was seen before; false: marks it as not seen.' })
  ),
  saved: Type.Optional(Type.Boolean({ description: 'Whether it is saved to read later.' })),
  tags: Type.Optional(
    Type.Array(SentTag, {
      maxItems: maxUnited * maxTags,
      description: `All its tags, at most ${maxTags} of at most ${maxTagLength} characters. They replace the former ones; ` +
        'tags are case-insensitive.'
    })
  ),
  note: Type.Optional(
    Type.String({
      maxLength: maxUnitedNoteLength,
      description: `Your note, at most ${maxNoteLength.toLocaleString('en')} characters; "" removes it.`
    })
  )
}

/** Selects feed items by these marks, and by their links. An omitted filter selects every item. */
export const markFilters = {
  seen: Type.Optional(Type.Boolean({ description: 'true: only seen items; false: only others.' })),
  saved: Type.Optional(Type.Boolean({ description: 'true: only saved items; false: only others.' })),
  tag: Type.Optional(Type.String({ maxLength: 4 * maxTagLength, description: 'Only items with this tag, case-insensitive.' })),
  link: Type.Optional(
    Words(keysOf(linkBits), {
      description:
        'Only items of a followed author, journal or institution, items that cite or are cited by a paper you starred, or items that ' +
        'share at least three references with a paper you starred or upvoted. As of the last scoring.'
    })
  )
}

/** Filters tags. */
export const TagsListInput = Type.Object({ project_id: Type.Optional(ProjectReference) }, { additionalProperties: false })

/** The tags of the caller's items. */
export const TagsListResult = Type.Object({
  items: Type.Array(Type.Object({
    tag: Type.String({ description: 'The tag, in its most frequent spelling.' }),
    papers: Type.Integer({ description: 'Feed items with this tag.' })
  }), { description: 'Most used first.' })
})
export type TagsListResult = Static<typeof TagsListResult>
