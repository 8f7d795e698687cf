import type { Test } from 'tap'
import { type Publication, authorsOf, matchesQuery } from './papers.js'
import { json, parametersOf, type StandIn, standIn } from './server.js'

/** OpenAlex's list of works: pages without a key, cursors with one. */
export const openalexStandIn = async (t: Test | undefined, papers: readonly Publication[]): Promise<StandIn> =>
  await standIn(t, request => {
    const parameters = parametersOf(request)
    const filters = new Map(
      (parameters.get('filter') ?? '').split(',').map(each => [each.slice(0, each.indexOf(':')), each.slice(each.indexOf(':') + 1)])
    )
    if (parameters.has('cursor') && !parameters.has('api_key')) {
      return json({ error: 'Unauthorized', message: 'Cursor paging needs an API key.' }, 401)
    }
    const named = (['doi', 'openalex', 'pmid', 'pmcid'] as const).find(name => filters.has(name))
    if (named !== undefined) {
      const values = new Set(filters.get(named)!.split('|'))
      const works = papers.filter(paper => paper.openalex !== undefined && values.has((paper[named] ?? '').replace('PMC', ''))).map(work)
      return json({ meta: { count: works.length, page: 1, per_page: 100 }, results: works })
    }
    const unknown = [...filters.keys()].find(
      name => !['from_publication_date', 'to_publication_date', 'title_and_abstract.search'].includes(name)
    )
    if (unknown !== undefined) return json({ error: 'Invalid query parameters error.', message: `${unknown} is not a valid field.` }, 403)
    const found = papers
      .filter(paper => paper.openalex !== undefined && matchesQuery(paper, filters.get('title_and_abstract.search') ?? ''))
      .filter(({ date }) => date >= filters.get('from_publication_date')! && date <= filters.get('to_publication_date')!)
    const size = Number(parameters.get('per_page'))
    const cursor = parameters.get('cursor')
    const start = cursor === null ? (Number(parameters.get('page')) - 1) * size : cursor === '*' ? 0 : Number(cursor.slice(1))
    const page = found.slice(start, start + size)
    return json({
      meta: {
        count: found.length,
        db_response_time_ms: 3,
        page: cursor === null ? Number(parameters.get('page')) : null,
        per_page: size,
        groups_count: null,
        ...(cursor === null ? {} : { next_cursor: start + size < found.length ? `I${start + size}` : null })
      },
      results: page.map(work)
    })
  })

export const work = (paper: Publication) => ({
  id: `https://openalex.org/${paper.openalex}`,
  doi: paper.doi === undefined ? null : `https://doi.org/${paper.doi}`,
  display_name: paper.title,
  publication_date: paper.date,
  publication_year: Number(paper.date.slice(0, 4)),
  ids: {
    openalex: `https://openalex.org/${paper.openalex}`,
    ...(paper.pmid === undefined ? {} : { pmid: `https://pubmed.ncbi.nlm.nih.gov/${paper.pmid}` }),
    ...(paper.pmcid === undefined ? {} : { pmcid: `https://www.ncbi.nlm.nih.gov/pmc/articles/${paper.pmcid.replace('PMC', '')}` })
  },
  authorships: authorsOf(paper).map(([given, family, { orcid, openalex, ror, institution } = {}]) => ({
    author_position: 'first',
    author: {
      ...(openalex === undefined ? {} : { id: `https://openalex.org/${openalex}` }),
      display_name: `${given} ${family}`,
      orcid: orcid === undefined ? null : `https://orcid.org/${orcid}`
    },
    institutions: [
      ...(ror === undefined ? [] : [{ id: 'https://openalex.org/I1', ror: `https://ror.org/${ror}`, display_name: 'Analytical Engine Institute' }]),
      ...(institution === undefined ? [] : [{ id: `https://openalex.org/${institution}`, ror: null }])
    ]
  })),
  primary_location: {
    landing_page_url: paper.arxiv === undefined ? `https://doi.org/${paper.doi}` : `https://arxiv.org/abs/${paper.arxiv}`,
    pdf_url: null,
    source: {
      ...(paper.journal?.openalex === undefined ? {} : { id: `https://openalex.org/${paper.journal.openalex}` }),
      display_name: paper.venue ?? 'Journal of Stand-ins',
      issn_l: paper.journal?.issnL ?? null,
      issn: paper.journal?.issns ?? null
    }
  },
  best_oa_location: paper.pdfUrl === undefined ? null : { pdf_url: paper.pdfUrl, license: 'cc-by' },
  locations: (paper.locations ?? []).map(({ address, type, version, place = 'A place' }) => ({
    is_oa: true, landing_page_url: address, pdf_url: null, source: type === null ? null : { display_name: place, type }, version
  })),
  abstract_inverted_index: paper.abstract == null ? null : inverted(paper.abstract),
  biblio: { volume: '7', issue: '2', first_page: '1', last_page: '9' },
  language: 'en',
  type: 'article',
  referenced_works: (paper.cites ?? []).flatMap(({ openalex }) => openalex === undefined ? [] : [`https://openalex.org/${openalex}`]),
  ...(paper.citedBy === undefined ? {} : { cited_by_count: paper.citedBy }),
  is_retracted: paper.retracted === true,
  keywords: [{ id: 'https://openalex.org/keywords/x', display_name: 'Stand-in', score: 0.5 }]
})

function inverted (abstract: string): Record<string, number[]> {
  const index = new Map<string, number[]>()
  for (const [place, word] of abstract.split(/\s+/).entries()) index.set(word, [...index.get(word) ?? [], place])
  return Object.fromEntries(index)
}
