import type { Test } from 'tap'
import { type Publication, authorsOf, matchesQuery } from './papers.js'
import { escaped, json, parametersOf, type StandIn, standIn } from './server.js'

/** Crossref's works: papers with any word of the query, best match first. */
export const crossrefStandIn = async (
  t: Test | undefined,
  papers: readonly Publication[],
  { limit = '50', interval = '1s' } = {}
): Promise<StandIn> => {
  /** A cursor stays the same on all pages; each request moves it on. */
  const reached = new Map<string, number>()
  return await standIn(t, request => {
    const wanted = /^\/works\/(.+)$/.exec(request.url.pathname)?.[1]
    if (wanted !== undefined) {
      const paper = papers.find(({ doi }) => doi === decodeURIComponent(wanted))
      return paper === undefined
        ? { status: 404, body: 'Resource not found.' }
        : json({ status: 'ok', 'message-type': 'work', message: work(paper) })
    }
    const parameters = parametersOf(request)
    const filters = (parameters.get('filter') ?? '').split(',').map(each => each.split(':'))
    const filter = (name: string) => filters.find(([each]) => each === name)?.[1] ?? ''
    const named = (name: string) => new Set(filters.filter(([each]) => each === name).map(each => each.slice(1).join(':').toLowerCase()))
    const chosen = (selected: Array<Record<string, unknown>>) => {
      const fields = (parameters.get('select') ?? '').split(',')
      const items = selected.slice(0, Number(parameters.get('rows')))
        .map(each => Object.fromEntries(Object.entries(each).filter(([name]) => fields.includes(name))))
      return json({ status: 'ok', 'message-type': 'work-list', message: { 'total-results': selected.length, items } })
    }
    const [works, updated] = [named('doi'), named('updates')]
    if (works.size > 0) return chosen(papers.filter(({ doi }) => doi !== undefined && works.has(doi.toLowerCase())).map(work))
    if (updated.size > 0) {
      return chosen(papers.flatMap(({ doi, updates = [] }) => updated.has(doi?.toLowerCase() ?? '')
        ? updates.map(update => ({ DOI: update.doi, 'update-to': [{ ...updateOf(update), DOI: doi!.toUpperCase() }] }))
        : []))
    }
    const related = named('relation.object')
    if (related.size > 0) {
      return chosen(papers.filter(({ preprints = [] }) => preprints.some(({ id }) => related.has(id.toLowerCase()))).map(work))
    }
    const question = parameters.get('query.bibliographic') ?? ''
    const count = (paper: Publication) => question.split(/\s+/).filter(word => matchesQuery(paper, word)).length
    const found = papers
      .filter(
        paper =>
          paper.doi !== undefined &&
          matchesQuery(paper, question) &&
          paper.date >= filter('from-created-date') &&
          paper.date <= filter('until-created-date')
      )
      .sort((a, b) => count(b) - count(a))
    const size = Number(parameters.get('rows'))
    const asked = parameters.get('cursor')!
    const cursor = asked === '*' ? `DnF${reached.size}` : asked
    const start = reached.get(cursor) ?? 0
    const items = found.slice(start, start + size)
    reached.set(cursor, start + items.length)
    const answer = json({
      status: 'ok',
      'message-type': 'work-list',
      'message-version': '1.0.0',
      message: {
        facets: {},
        'next-cursor': cursor,
        'total-results': found.length,
        items: items.map(work),
        'items-per-page': size,
        query: { 'start-index': 0, 'search-terms': question }
      }
    })
    return { ...answer, headers: { ...answer.headers, 'x-rate-limit-limit': limit, 'x-rate-limit-interval': interval } }
  })
}

const work = (paper: Publication) => ({
  DOI: paper.doi!.toUpperCase(),
  type: paper.preprint === true ? 'posted-content' : 'journal-article',
  title: [paper.title],
  'container-title': paper.preprint === true ? [] : [paper.venue ?? 'Journal of Stand-ins'],
  ...(paper.preprint === true ? { institution: [{ name: 'bioRxiv' }] } : {}),
  ...(paper.abstract == null ? {} : { abstract: `<jats:title>Abstract</jats:title><jats:p>${escaped(paper.abstract)}</jats:p>` }),
  author: authorsOf(paper).map(([given, family, { orcid, ror } = {}]) => ({
    given,
    family,
    sequence: 'additional',
    ...(orcid === undefined ? {} : { ORCID: `http://orcid.org/${orcid}` }),
    affiliation: ror === undefined ? [] : [{ name: 'An institute', id: [{ id: `https://ror.org/${ror}`, 'id-type': 'ROR' }] }]
  })),
  ...(paper.cites === undefined ? {} : { reference: paper.cites.map(({ doi }, at) => doi === undefined ? { key: `r${at}`, unstructured: 'A book' } : { key: `r${at}`, DOI: doi.toUpperCase() }) }),
  ...(paper.citedBy === undefined ? {} : { 'is-referenced-by-count': paper.citedBy }),
  publisher: 'Stand-in Press',
  published: { 'date-parts': [paper.date.split('-').map(Number)] },
  volume: '7',
  issue: '2',
  page: '1-9',
  ISSN: paper.journal?.issns ?? ['1234-5678'],
  URL: `http://dx.doi.org/${paper.doi}`,
  language: 'en',
  relation: {
    ...(paper.publishedDoi === undefined
      ? {}
      : { 'is-preprint-of': [{ 'id-type': 'doi', id: paper.publishedDoi, 'asserted-by': 'subject' }] }),
    ...(paper.preprints === undefined
      ? {}
      : { 'has-preprint': paper.preprints.map(({ type, id }) => ({ 'id-type': type, id, 'asserted-by': 'subject' })) })
  },
  ...(paper.retracted === true ? { 'updated-by': [{ type: 'retraction', DOI: `${paper.doi}r`, label: 'Retraction' }] } : {}),
  ...(paper.updates === undefined ? {} : { 'updated-by': paper.updates.filter(({ only }) => only !== true).map(updateOf) })
})

const updateOf = ({ type, doi, date, source = 'publisher' }: NonNullable<Publication['updates']>[number]) => ({
  ...(date === undefined ? {} : { updated: { 'date-parts': [date], 'date-time': '2026-01-01T00:00:00Z', timestamp: 0 } }),
  DOI: doi,
  type,
  source,
  label: type
})
