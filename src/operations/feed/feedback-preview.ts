import { findItem } from '../../../db/queries/feed.js'
import { findProject } from '../../../db/queries/projects.js'
import { listNewestTexts } from '../../../db/queries/texts.js'
import { FeedbackPreviewInput, FeedbackPreviewResult, type FeedItem } from '../../../schemas/feed.js'
import type { Feedback } from '../../../schemas/feedback.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { feedItemOf } from '../../papers/records.js'
import { resolveItemId } from '../../papers/references.js'
import { entersFeed, type ScoredText } from '../../relevance/interest.js'
import { minModelPapers } from '../../relevance/learned-model.js'
import { LearningRecorder } from '../../relevance/learning-changes.js'
import type { RatedText } from '../../relevance/model.js'
import { signalReader } from '../../relevance/signals.js'
import { maxTrialVotes, readTrialLessons, trialBackgroundSize } from '../../relevance/trial-lessons.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { checkReason } from './feedback-set.js'

const maxCompared = 200

/** @throws PaperNotFound, AmbiguousShortId, AmbiguousReference, RateLimited, and InvalidArguments for a reason without a downvote */
export const feedbackPreview = operation({
  name: 'feedback_preview',
  title: 'Preview a vote',
  description: `Returns how a vote would change the scores of the ${maxCompared} newest other papers of a feed. Nothing is saved. ` +
    `It learns twice, without the vote and with it, from the ${maxTrialVotes} newest votes and ` +
    `${trialBackgroundSize.toLocaleString('en')} unrated papers, and leaves out citations of the paper itself.`,
  input: FeedbackPreviewInput,
  output: FeedbackPreviewResult,
  scope: 'act',
  async handler (context, { paper_id, vote, downvote_reason = null }) {
    checkReason(vote, downvote_reason)
    const { db, account } = context
    const item = feedItemOf(requireRecord(await findItem(db, account.id, await resolveItemId(context, paper_id))))
    return await context.sharedWork.votePreviews(account.id, async () => await preview(context, item, { vote, downvote_reason }))
  }
})

async function preview (
  context: Context,
  { project_id, paper }: FeedItem,
  feedback: Pick<Feedback, 'vote' | 'downvote_reason'>
): Promise<FeedbackPreviewResult> {
  const { db, account, relevance } = context
  const project = requireRecord(await findProject(db, account.id, project_id))
  const signals = await signalReader(db, account.id, project_id)
  const { rated, background, former } = await readTrialLessons(context, project_id, signals)
  const { id, title, abstract } = paper
  const withoutPaper = <T extends { paper_id: string }>(papers: readonly T[]) => papers.filter(({ paper_id }) => paper_id !== id)
  const vote = { paper_id: id, title, abstract, isSeed: false, former: null, ...feedback }
  const trial = { rated: [...await signals.ofPapers([vote]), ...withoutPaper(rated)], background: withoutPaper(background) }

  // Both models have the same word frequencies, so that only the vote tells them apart.
  const texts = [...trial.rated, ...trial.background]
  const work = { owner: account.id }
  const learn = async ({ rated, background }: { rated: readonly RatedText[], background: readonly ScoredText[] }) =>
    rated.length === 0 && background.length < minModelPapers
      ? null
      : await relevance.train({ interest: project, texts: [texts], rated, background, former }, work)
  const [before, after] = await Promise.all([learn({ rated, background }), learn(trial)])

  const newest = withoutPaper(await listNewestTexts(db, account.id, project_id, maxCompared + 1))
  const papers = await signals.ofPapers(newest.slice(0, maxCompared))
  const scores = await relevance.score(project, before, papers, work)
  const trialScores = await relevance.score(project, after, papers, work)
  const recorder = new LearningRecorder()
  for (const [at, { paper_id, title }] of papers.entries()) {
    recorder.rescored({ paper_id, title, relevance_score: scores[at]!.relevance_score }, trialScores[at]!.relevance_score)
  }
  const { rose, fell } = recorder.changes({ votes: trial.rated.length, before: before?.lessons, after: after?.lessons })
  const passing = (compared: typeof scores) => compared.filter(score => entersFeed(score, project)).length
  return { compared: papers.length, rose, fell, passing: passing(trialScores), passing_now: passing(scores) }
}
