import { NewProjectPreviewResult, defaultThresholds } from '../../../schemas/project.js'
import { NewProjectPreviewInput } from '../../sources/project-schemas.js'
import { entersFeed } from '../../relevance/interest.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { checkSources, defaultSources } from '../../sources/project-sources.js'
import { dedupe } from '../../papers/dedupe.js'
import { sampleSource } from '../../sources/sample.js'

/** Milliseconds that a source has: a person waits. */
const patience = 8000
const mostShown = 20

export interface PreviewContext extends Context {
  /** Milliseconds that each source has, where that is not what it mostly is. */
  patience?: number
}

/** @throws InvalidArguments for a source that there is not, or a query that it cannot be asked */
export const newProjectPreview = operation({
  name: 'new_project_preview',
  title: 'Preview a new project',
  description: 'Asks sources for recent papers as a project with this interest and these keywords would, some seconds at most, and says what would enter its feed. Nothing is saved.',
  input: NewProjectPreviewInput,
  output: NewProjectPreviewResult,
  async handler (context: PreviewContext, { sources = [...defaultSources], ...input }) {
    checkSources(sources)
    const interest = { interest_description: '', positive_keywords: [], negative_keywords: [], ...defaultThresholds, ...input }
    const glances = await Promise.all(sources.map(source => sampleSource(context, source, interest, context.patience ?? patience)))

    const found = dedupe(glances.map(({ records }) => records))
    const papers = [...found.keys()]
    const scores = await context.relevance.score(interest, null, papers.map(({ record }) => record))
    const entering = papers.map((paper, at) => ({ paper, score: scores[at]!, sources: [...found.get(paper)!] })).filter(({ score }) => entersFeed(score, interest))
    return {
      sources: glances.map(({ state }, at) => ({ ...state, entering: entering.filter(({ sources }) => sources.includes(at)).length })),
      counts: { found: papers.length, entering: entering.length, must_read: entering.filter(({ score }) => score.relevance_class === 'must_read').length },
      papers: entering.sort((a, b) => b.score.relevance_score - a.score.relevance_score || (b.paper.record.published_date ?? '').localeCompare(a.paper.record.published_date ?? ''))
        .slice(0, mostShown).map(({ paper: { record }, score: { relevance_score, relevance_class, personalized_note }, sources: places }) => ({
          title: record.title,
          authors: record.authors,
          venue_name: record.venue_name,
          published_date: record.published_date,
          url: record.url,
          sources: places.map(at => sources[at]!.name),
          relevance_score,
          relevance_class,
          personalized_note
        }))
    }
  }
})
