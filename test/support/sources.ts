import type { Test } from 'tap'
import { sql } from 'kysely'
import type { ProjectSource } from '../../schemas/project.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { projectCreate } from '../../src/operations/projects/project-create.js'
import { projectFetch } from '../../src/operations/projects/project-fetch.js'
import { testService, type TestUser } from './service.js'
import { arxivStandIn } from './stand-ins/arxiv.js'
import { biorxivStandIn } from './stand-ins/biorxiv.js'
import { crossrefStandIn } from './stand-ins/crossref.js'
import { europepmcStandIn } from './stand-ins/europepmc.js'
import { rss } from './stand-ins/feed.js'
import { openalexStandIn } from './stand-ins/openalex.js'
import type { Publication } from './stand-ins/papers.js'
import { pubmedStandIn } from './stand-ins/pubmed.js'
import { standIn, xml } from './stand-ins/server.js'

export const today = '2026-11-20'
export const abstract = 'We show that base editing of retinal cells restores vision in adult mice, and that edits elsewhere are rare.'
export const journal: Publication = {
  title: 'Base editing restores vision in adult mice',
  abstract,
  date: '2026-11-12',
  doi: '10.1000/vision.1',
  pmid: '41000001',
  pmcid: 'PMC12000001',
  openalex: 'W4400000001',
  venue: 'Journal of Editing'
}
export const only = (identifiers: Partial<Publication>, part: Partial<Publication> = {}): Publication => ({
  title: journal.title,
  abstract,
  date: journal.date,
  ...part,
  ...identifiers
})
export const onArxiv = only(
  { arxiv: '2611.01234', publishedDoi: journal.doi!, doi: journal.doi! },
  { date: '2026-11-10', authors: [['A.', 'Lovelace']] }
)

/**
 * Starts a stand-in with these papers for every source, and a service with a user that fetches from them. Its clock shows noon of `today`.
 */
export async function startSources (t: Test, papers: readonly Publication[], environment: Record<string, string> = {}) {
  const clock = { now: new Date(`${today}T12:00:00Z`) }
  const [arxiv, pubmed, europepmc, biorxiv, openalex, crossref] = await Promise.all([
    arxivStandIn(t, papers),
    pubmedStandIn(t, papers),
    europepmcStandIn(t, papers),
    biorxivStandIn(t, papers),
    openalexStandIn(t, papers),
    crossrefStandIn(t, papers)
  ])
  const journalFeed = await standIn(t, () => xml(rss(papers.filter(({ doi, preprint }) => doi !== undefined && preprint !== true))))
  const service = await testService(t, {
    ARXIV_URL: arxiv.url,
    PUBMED_URL: pubmed.url,
    EUROPEPMC_URL: europepmc.url,
    BIORXIV_URL: biorxiv.url,
    OPENALEX_URL: openalex.url,
    CROSSREF_URL: crossref.url,
    PRIVATE_ORIGINS: journalFeed.url,
    ...environment
  }, () => clock.now)
  const user = await service.user()
  const project = async (sources: ProjectSource[], more: object = {}) =>
    (
      await projectCreate.run(user.context, {
        name: 'Editing',
        interest_description: 'Base editing as a therapy of the retina',
        positive_keywords: ['base editing'],
        sources,
        ...more
      })
    ).id
  const fetchNow = async (project_id: string) => await projectFetch.run({ ...user.context, ignoreSchedule: true }, { project_id })
  return { service, user, clock, project, fetchNow, arxiv, pubmed, europepmc, biorxiv, openalex, crossref, journalFeed }
}

/** Clears the rate limits of sources, which follow the wall clock and not the clock of the test. */
export const resetRateLimits = ({ context }: TestUser) => sql`delete from source_slot`.execute(context.db)
export const feedOf = async ({ context }: TestUser, project_id: string) => (await feedGet.run(context, { project_id, limit: 100 })).items
export const sourcesNamed = (...names: string[]): ProjectSource[] => names.map(name => ({ name, query: '' }))
