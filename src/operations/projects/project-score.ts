import { Type } from 'typebox'
import { ProjectInput, rescoringDays } from '../../../schemas/project.js'
import { enqueueSummaries } from '../../jobs/new-jobs.js'
import { type RescoringContext, rescoreFeed } from '../../relevance/rescoring.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'

const ScoreResult = Type.Object({
  scored: Type.Integer({ description: 'Items scored.' }),
  changed: Type.Integer({ description: 'Items whose score changed.' }),
  added: Type.Integer({ description: 'Fetched papers added to the feed.' }),
  dropped: Type.Integer({ description: `Fetched papers of the last ${rescoringDays} days that left the feed after a change of settings.` }),
  votes: Type.Integer({ description: 'Votes used for learning.' })
})

/** Learns from a feed's votes and rescores it. @throws ProjectNotFound */
export const projectScore = operation({
  name: 'project_score',
  title: 'Rescore a feed',
  description: 'Learns from the votes of a project and rescores its feed.',
  input: ProjectInput,
  output: ScoreResult,
  async handler (context: Context, { project_id }) {
    const { db, account, now, relevance, signal } = context
    const onAdded: RescoringContext['onAdded'] = (project, count) => enqueueSummaries(context, project, count)
    return await rescoreFeed({ db, account, now, relevance, signal, onAdded }, project_id)
  }
})
