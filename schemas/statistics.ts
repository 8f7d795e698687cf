import { type Static, Type } from 'typebox'
import { Uuid } from './ids.js'
import { Nullable } from './nullable.js'

const Lessons = (description: string) => Type.Array(Type.Object({
  term: Type.String({ description: 'A word or phrase, as a rated paper writes it.' }),
  weight: Type.Number({ description: 'How much it says: 1 for the term that says most, of both lists.' })
}), { description })

/** Counts behind a project's Insights page. */
export const ProjectStatistics = Type.Object({
  project_id: Uuid,
  papers_per_week: Type.Array(Type.Object({
    week: Type.String({ format: 'date', description: 'The Monday that the week begins with, UTC.' }),
    papers: Type.Integer({ description: 'Papers of the feed that entered it in that week.' })
  }), { description: 'The last 26 weeks, oldest first; the last one is the current.' }),
  scores: Type.Array(Type.Object({
    from: Type.Number({ description: 'The least relevance_score that counts here.' }),
    to: Type.Number({ description: 'The score from which on it counts in the next; 1 counts in the last.' }),
    papers: Type.Integer({ description: 'Papers of the feed with such a score.' })
  }), { description: 'How scores are distributed: 20 steps of 0.05.' }),
  feedback: Type.Object({
    upvotes: Type.Integer({ description: 'Papers with an upvote.' }),
    stars: Type.Integer({ description: 'Papers with a star.' }),
    downvotes: Type.Integer({ description: 'Papers with a downvote, whatever its reason.' }),
    not_relevant: Type.Integer({ description: 'Downvotes for not being relevant.' }),
    low_quality: Type.Integer({ description: 'Downvotes for low quality.' }),
    unrated: Type.Integer({ description: 'Papers without a vote.' })
  }, { description: 'Votes of the feed.' }),
  learned: Type.Object({
    at: Nullable(Type.String({ format: 'date-time' }), 'When votes were last learned from; null where they have not been.'),
    wanted: Lessons('What votes have taught to speak for a paper, the strongest first.'),
    unwanted: Lessons('What they have taught to speak against one.')
  }, { description: 'What feedback has taught.' })
}, { description: 'A feed in figures.' })
export type ProjectStatistics = Static<typeof ProjectStatistics>
