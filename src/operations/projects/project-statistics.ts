import { findLessons } from '../../../db/queries/relevance.js'
import { readTally, type Tally } from '../../../db/queries/tally.js'
import { ProjectInput } from '../../../schemas/project.js'
import { ProjectStatistics, statisticsWeeks } from '../../../schemas/statistics.js'
import { dayAfter, dayOf, mondayOf } from '../../../schemas/utc-time.js'
import { ProjectNotFound } from '../../errors/operation-errors.js'
import { feedRecall } from '../../relevance/feed-recall.js'
import type { Lessons } from '../../relevance/lessons.js'
import { describeReliability, type Reliability } from '../../relevance/reliability.js'
import { operation } from '../operation.js'

/** Bins of the score histogram; the tally's triggers use the same. */
const binCount = 20

/** Reads the tally, and the latest votes, so its time depends little on the size of the feed. @throws ProjectNotFound */
export const projectStatistics = operation({
  name: 'project_statistics',
  title: 'Get the statistics of a project',
  description:
    'Returns papers per week, the distribution of scores, votes, the words learned from feedback, and the estimated share of ' +
    'relevant papers that were rated.',
  input: ProjectInput,
  output: ProjectStatistics,
  scope: 'read',
  async handler (context, { project_id }) {
    const { db, account, now } = context
    const [tally, learned] = await Promise.all([readTally(db, account.id, project_id), findLessons(db, account.id, project_id)])
    if (learned === undefined) throw new ProjectNotFound(project_id)
    const items = itemsOf(tally)
    const unrated = items('vote', 'none')
    const [notRelevant, lowQuality, otherwise] = [
      items('vote', 'downvote not_relevant'),
      items('vote', 'downvote low_quality'),
      items('vote', 'downvote')
    ]
    const { wanted, unwanted } = (learned.lessons ?? { wanted: [], unwanted: [] }) as Lessons
    return {
      project_id,
      papers_per_week: lastMondays(now()).map(week => ({ week, papers: items('week', week) })),
      scores: Array.from(
        { length: binCount },
        (_, bin) => ({ from: bin / binCount, to: (bin + 1) / binCount, papers: items('score', String(bin)) })
      ),
      feedback: {
        upvotes: items('vote', 'upvote'),
        stars: items('vote', 'star'),
        downvotes: notRelevant + lowQuality + otherwise,
        not_relevant: notRelevant,
        low_quality: lowQuality,
        unrated
      },
      recall: await feedRecall(context, project_id, unrated),
      reliability: describeReliability((learned.reliability ?? null) as Reliability | null),
      learned: { at: learned.trained_at?.toISOString() ?? null, wanted, unwanted }
    }
  }
})

function itemsOf (tally: Tally) {
  const counted = new Map(tally.map(({ measure, value, items }) => [`${measure} ${value}`, items]))
  return (measure: Tally[number]['measure'], value: string) => counted.get(`${measure} ${value}`) ?? 0
}

/** Mondays, YYYY-MM-DD, the current week's last. */
const lastMondays = (time: Date): string[] =>
  Array.from({ length: statisticsWeeks }, (_, at) => dayAfter(dayOf(mondayOf(time)), 7 * (at + 1 - statisticsWeeks)))
