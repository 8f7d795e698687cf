import type { Test } from 'tap'
import { type Publication, authorsOf } from './papers.js'
import { json, type StandIn, standIn } from './server.js'

/** The API of bioRxiv and medRxiv, whose versions of a preprint share its DOI. @param pageSize records per page */
export const biorxivStandIn = async (t: Test | undefined, papers: readonly Publication[], { pageSize = 30 } = {}): Promise<StandIn> =>
  await standIn(t, ({ url }) => {
    const [, serverOfPaper, doi] = /^\/details\/(biorxiv|medrxiv)\/(10\.\d+\/[^/]+)\/na\/json$/.exec(url.pathname) ?? []
    if (doi !== undefined) {
      const paper = papers.find(each => each.doi === doi && each.preprint === true && serverOf(each) === serverOfPaper)
      if (paper === undefined) return json({ messages: [{ status: 'no posts found' }], collection: [] })
      const versions = Array.from({ length: paper.version ?? 1 }, (_, at) => at + 1)
      return json({
        messages: [{ status: 'ok', category: 'all' }],
        collection: versions.map(version => version === (paper.version ?? 1)
          ? { ...preprint(paper), date: paper.updated ?? paper.date }
          : { ...preprint({ ...paper, title: 'A former title', version }), published: 'NA' })
      })
    }
    const [, server, from = '', to = '', cursor = '0'] =
      /^\/details\/(biorxiv|medrxiv)\/(\d{4}-\d\d-\d\d)\/(\d{4}-\d\d-\d\d)\/(\d+)\/json$/.exec(url.pathname) ?? []
    if (server === undefined) return { status: 404, body: 'Error : (1) could not process your request' }
    const found = server === 'biorxiv' ? papers.filter(({ preprint, date }) => preprint === true && date >= from && date <= to) : []
    const page = found.slice(Number(cursor), Number(cursor) + pageSize)
    if (page.length === 0) return json({ messages: [{ status: 'no posts found' }], collection: [] })
    return json({
      messages: [
        {
          status: 'ok',
          interval: `${from}:${to}`,
          cursor,
          count: page.length,
          count_new_papers: String(found.length),
          total: String(found.length)
        }
      ],
      collection: page.map(preprint)
    })
  })

const serverOf = ({ venue }: Publication) => venue === 'medRxiv' ? 'medrxiv' : 'biorxiv'

const preprint = (paper: Publication) => ({
  title: paper.title,
  authors: authorsOf(paper).map(([given, family]) => `${family}, ${given[0]}.`).join('; '),
  doi: paper.doi,
  date: paper.date,
  version: String(paper.version ?? 1),
  type: 'new results',
  license: 'cc_by',
  category: 'neuroscience',
  jatsxml: paper.jatsUrl ?? `https://www.biorxiv.org/content/early/${paper.doi}.source.xml`,
  abstract: paper.abstract ?? '',
  published: paper.publishedDoi ?? 'NA',
  server: paper.venue ?? 'bioRxiv'
})
