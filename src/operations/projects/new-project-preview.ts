import { randomUUID } from 'node:crypto'
import { NewProjectPreviewResult, defaultThresholds, type ProjectSource } from '../../../schemas/project.js'
import { NewProjectPreviewInput } from '../../sources/projects/project-schemas.js'
import { entersFeed, type Interest, type ScoredText } from '../../relevance/interest.js'
import type { Model } from '../../relevance/model.js'
import { visibleSettings } from '../../relevance/visible-settings.js'
import type { Context } from '../context.js'
import { operation } from '../operation.js'
import { checkSources, defaultSources } from '../../sources/projects/project-sources.js'
import { dedupe } from '../../papers/dedupe.js'
import { paperChanges, publicMetadata } from '../../papers/notices.js'
import { findExamples } from '../../sources/fetching/find-examples.js'
import { sampleSource } from '../../sources/fetching/sample.js'
import type { SearchInterest } from '../../sources/source.js'

/** Time for each source, unless a call says otherwise. Short, because a person waits. */
const defaultSourceTimeoutMs = 8000
/** All examples have what the sources left of their time, but at least this share of it. */
const minExamplesShare = 0.5
/** The longest preview, without computing. */
export const maxPreviewMs = defaultSourceTimeoutMs * (1 + minExamplesShare)
const maxListedPapers = 20

/** The context of a preview; tests give sources less time. */
export interface PreviewContext extends Context {
  /** Time limit for each source. */
  sourceTimeoutMs?: number
}

/** @throws InvalidArguments for an unknown source or an invalid query, RateLimited */
export const newProjectPreview = operation({
  name: 'new_project_preview',
  title: 'Preview a new project',
  description: 'Queries sources for recent papers as a project with this interest and these keywords would, for at most ' +
    `${defaultSourceTimeoutMs / 1000} seconds (${maxPreviewMs / 1000} with examples), and returns what would enter its feed. ` +
    'Example papers count as upvotes. Nothing is saved.',
  input: NewProjectPreviewInput,
  output: NewProjectPreviewResult,
  scope: 'act',
  async handler (context: PreviewContext, { sources: written = defaultSources, examples = [], ...input }) {
    const sources = checkSources(written, context.allowsAddress)
    const defaults = { interest_description: '', positive_keywords: [], negative_keywords: [], ...defaultThresholds }
    const interest = { ...defaults, ...visibleSettings(input) }
    return await context.sharedWork.projectPreviews(context.account.id, async () => await preview(context, { sources, examples, interest }))
  }
})

type PreviewedInterest = Interest & SearchInterest & Parameters<typeof entersFeed>[1] & { weekly_limit: number }

async function preview (
  context: PreviewContext,
  { sources, examples, interest }: { sources: readonly ProjectSource[], examples: readonly string[], interest: PreviewedInterest }
): Promise<NewProjectPreviewResult> {
  const timeoutMs = context.sourceTimeoutMs ?? defaultSourceTimeoutMs
  const started = performance.now()
  const samples = await Promise.all(sources.map(source => sampleSource(context, source, interest, timeoutMs)))
  // Afterwards: a source answers one request at a time, and ten look-ups would leave a sample no time.
  const remainingMs = Math.max(timeoutMs * minExamplesShare, timeoutMs - (performance.now() - started))
  const found = await findExamples(context, examples, Math.ceil(remainingMs))

  const paperSources = await dedupe(samples.map(({ records }) => records))
  const papers = [...paperSources.keys()]
  const records = papers.map(({ record }) => record)
  const model = await learnFrom(context, interest, { examples: found.papers, records })
  const scores = await context.relevance.score(interest, model, records, { owner: context.account.id })
  const entering = papers
    .map((paper, at) => ({ record: paper.record, score: scores[at]!, sources: [...paperSources.get(paper)!] }))
    .filter(({ score }) => entersFeed(score, interest))
    .sort((a, b) => b.score.relevance_score - a.score.relevance_score || dateOf(b.record).localeCompare(dateOf(a.record)))
    // The first fetch finds them all in one week.
    .slice(0, interest.weekly_limit === 0 ? undefined : interest.weekly_limit)
  return {
    sources: samples.map(({ state }, at) => ({ ...state, entering: entering.filter(({ sources }) => sources.includes(at)).length })),
    counts: {
      found: papers.length,
      entering: entering.length,
      must_read: entering.filter(({ score }) => score.relevance_class === 'must_read').length
    },
    papers: entering.slice(0, maxListedPapers).map(({ record, score, sources: sourceIndexes }) => ({
      title: record.title,
      authors: record.authors,
      venue_name: record.venue_name,
      published_date: record.published_date,
      published: record.metadata.published ?? null,
      url: record.url,
      sources: sourceIndexes.map(at => sources[at]!.name),
      relevance_score: score.relevance_score,
      relevance_class: score.relevance_class,
      personalized_note: score.personalized_note,
      changes: paperChanges(publicMetadata(record.metadata, []))
    })),
    examples: found.examples
  }
}

/** Learns from the project's example papers, as upvotes; null without any. */
async function learnFrom (
  { account, relevance }: PreviewContext,
  interest: Interest,
  { examples, records }: { examples: readonly ScoredText[], records: readonly ScoredText[] }
): Promise<Model | null> {
  if (examples.length === 0) return null
  const liked = new Map(examples.map(paper => [paper.title, paper]))
  const background = records.filter(({ title }) => !liked.has(title))
  return await relevance.train({
    interest,
    texts: [[...liked.values(), ...background]],
    rated: [...liked.values()].map(({ title, abstract }) =>
      ({ paper_id: randomUUID(), title, abstract, vote: 'upvote', downvote_reason: null, isSeed: true })),
    background
  }, { owner: account.id })
}

const dateOf = ({ published_date }: { published_date: string | null }) => published_date ?? ''
