import { type Static, Type } from 'typebox'
import { count, time } from './fields.js'
import { Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'

const ChangedTerm = Type.Object({
  term: Type.String({ description: 'Word or phrase.' }),
  effect: Words(['raises', 'lowers'], { description: 'Its effect on scores.' })
}, { description: 'A learned term.' })

/** A count of papers whose scores changed, and the most changed of them. */
export const ChangedPapers = (what: string) => Type.Object({
  count: count('Number of papers.'),
  items: Type.Array(Type.Object({
    paper_id: Uuid,
    title: Type.String({ description: 'Title.' }),
    score_before: Nullable(Type.Number(), 'Score before; null if it was not in the feed.'),
    score: Nullable(Type.Number(), 'Score now; null if it is not in the feed.')
  }, { description: 'A paper.' }), { description: 'The most changed, at most 5.' })
}, { description: what })

/** How the last rescoring changed a feed. */
export const LearningChanges = Type.Object({
  sentence: Type.String({ description: 'The changes in words.' }),
  votes: count('Votes that were learned from.'),
  terms_gained: Type.Array(ChangedTerm, { description: 'Terms that were not learned before.' }),
  terms_lost: Type.Array(ChangedTerm, { description: 'Terms that are no longer learned.' }),
  entered: ChangedPapers('Papers added to the feed.'),
  left: ChangedPapers('Papers that left it.'),
  rose: ChangedPapers('Papers whose score rose.'),
  fell: ChangedPapers('Papers whose score fell.')
})
export type LearningChanges = Static<typeof LearningChanges>

const state = {
  learned_at: Nullable(time(), 'When the feed was last rescored; null: never.'),
  pending: Type.Boolean({ description: 'Whether votes or settings are not in the scores yet.' }),
  effective_by: Nullable(time(), 'When they will be; null if none is pending.')
}

/** When votes take effect. */
export const Learning = Type.Object(state, { description: 'When votes take effect. Afterwards, projects_get says what changed.' })
export type Learning = Static<typeof Learning>

/** When votes take effect, and what the last rescoring changed. */
export const LearningResult = Type.Object({
  ...state,
  changes: Nullable(LearningChanges, 'What the last rescoring changed; null before the first.')
}, { description: 'Changes learned from votes and settings.' })
export type LearningResult = Static<typeof LearningResult>
