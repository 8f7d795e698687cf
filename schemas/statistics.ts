import { type Static, Type } from 'typebox'
import { time } from './fields.js'
import { Uuid } from './ids.js'
import { Nullable } from './nullable.js'
import { Recall } from './recall.js'

/** Weeks of papers that statistics count. */
export const statisticsWeeks = 26

const Lessons = (description: string) => Type.Array(Type.Object({
  term: Type.String({ description: 'Word or phrase as written in a rated paper.' }),
  weight: Type.Number({ description: 'Relative strength; 1 for the strongest term of both lists.' })
}), { description })

/** How well scores predict votes. */
const Reliability = Type.Object({
  sentence: Type.String({ description: 'The result in words.' }),
  votes: Type.Integer({ description: 'Votes that were predicted, each from others.' }),
  error: Type.Number({ description: 'Expected calibration error: the mean difference between predicted and observed shares of upvotes.' }),
  expected_error: Type.Number({ description: 'The error that correct scores would have with so few votes.' }),
  bins: Type.Array(Type.Object({
    votes: Type.Integer({ description: 'Votes in this range of scores.' }),
    predicted: Type.Number({ description: 'Their mean score.' }),
    observed: Type.Number({ description: 'Share of them with an upvote or a star.' })
  }), { description: 'Ranges of scores with about equally many votes, lowest first.' })
}, { description: 'Scores of rated papers, each predicted from the other votes, compared with their votes.' })

/** Counts behind a project's Insights page. */
export const ProjectStatistics = Type.Object({
  project_id: Uuid,
  papers_per_week: Type.Array(Type.Object({
    week: Type.String({ format: 'date', description: 'Monday of the week, UTC.' }),
    papers: Type.Integer({ description: 'Papers added to the feed in that week.' })
  }), { description: `The last ${statisticsWeeks} weeks including the current one, oldest first.` }),
  scores: Type.Array(Type.Object({
    from: Type.Number({ description: 'Lower bound of relevance_score, inclusive.' }),
    to: Type.Number({ description: 'Upper bound, exclusive; the last range includes 1.' }),
    papers: Type.Integer({ description: 'Papers in this range.' })
  }), { description: 'Distribution of scores in 20 ranges of 0.05.' }),
  feedback: Type.Object({
    upvotes: Type.Integer({ description: 'Papers with an upvote.' }),
    stars: Type.Integer({ description: 'Papers with a star.' }),
    downvotes: Type.Integer({ description: 'Papers with a downvote of any reason.' }),
    not_relevant: Type.Integer({ description: 'Downvotes with the reason not_relevant.' }),
    low_quality: Type.Integer({ description: 'Downvotes with the reason low_quality.' }),
    unrated: Type.Integer({ description: 'Papers without a vote.' })
  }, { description: 'Votes in the feed.' }),
  recall: Recall,
  reliability: Nullable(Reliability, 'How well scores predict votes; null with fewer than 20 votes on papers of the feed, and with ' +
    'upvotes alone, which do not show what was passed over.'),
  learned: Type.Object({
    at: Nullable(time(), 'Time of the last training; null if there was none.'),
    wanted: Lessons('Terms that raise scores, strongest first.'),
    unwanted: Lessons('Terms that lower scores, strongest first.')
  }, { description: 'Terms learned from feedback.' })
}, { description: 'Statistics of a feed.' })
export type ProjectStatistics = Static<typeof ProjectStatistics>
