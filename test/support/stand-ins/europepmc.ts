import type { Test } from 'tap'
import { type Publication, authorsOf, matchesQuery } from './papers.js'
import { json, parametersOf, type StandIn, standIn, xml } from './server.js'

/** Europe PMC's search, and full text at /PMC…/fullTextXML. */
export const europepmcStandIn = async (
  t: Test | undefined,
  papers: readonly Publication[],
  documents: Record<string, string> = {}
): Promise<StandIn & { close: () => Promise<void> }> =>
  await standIn(t, request => {
    const document = /^\/(PMC\d+)\/fullTextXML$/.exec(request.url.pathname)?.[1]
    if (document !== undefined) return documents[document] === undefined ? { status: 404, body: '' } : xml(documents[document])
    if (request.url.pathname !== '/search') return { status: 404, body: '' }
    const parameters = parametersOf(request)
    const query = parameters.get('query') ?? ''
    const [, field, value] = /^(EXT_ID|PMCID|DOI):"?([^\s"]+)/.exec(query) ?? []
    if (field !== undefined) {
      const key = ({ EXT_ID: 'pmid', PMCID: 'pmcid', DOI: 'doi' } as const)[field as 'DOI']
      return json({
        version: '6.9',
        resultList: { result: papers.filter(paper => paper[key] === value && paper.pmid !== undefined).map(result) }
      })
    }
    const [, from = '', to = ''] = /FIRST_IDATE:\[(\S+) TO (\S+)\]/.exec(query) ?? []
    const found = papers.filter(
      paper =>
        (paper.pmid ?? paper.pmcid ?? paper.preprint) !== undefined &&
        matchesQuery(paper, query.replace(/AND \(FIRST_IDATE.*$|TITLE_ABS/g, ' ')) &&
        paper.date >= from &&
        paper.date <= to
    )
    const size = Number(parameters.get('pageSize'))
    const mark = parameters.get('cursorMark')!
    const start = mark === '*' ? 0 : Number(mark.slice(3))
    const page = found.slice(start, start + size)
    return json({
      version: '6.9',
      hitCount: found.length,
      nextCursorMark: page.length === 0 ? mark : `AoJ${start + page.length}`,
      request: {},
      resultList: { result: page.map(result) }
    })
  })

const result = (paper: Publication) => ({
  id: paper.pmid ?? paper.pmcid ?? 'PPR1',
  source: paper.preprint === true ? 'PPR' : paper.pmid === undefined ? 'PMC' : 'MED',
  ...(paper.pmid === undefined ? {} : { pmid: paper.pmid }),
  ...(paper.pmcid === undefined ? {} : { pmcid: paper.pmcid }),
  ...(paper.doi === undefined ? {} : { doi: paper.doi }),
  title: `${paper.title}.`,
  authorString: `${authorsOf(paper)
    .map(([given, family]) => `${family} ${given[0]}`)
    .join(', ')}.`,
  authorList: {
    author: authorsOf(paper).map(([given, family, { orcid } = {}]) => ({
      ...(orcid === undefined ? {} : { authorId: { type: 'ORCID', value: orcid } }),
      fullName: `${family} ${given[0]}`,
      firstName: given,
      lastName: family,
      initials: given[0]
    }))
  },
  ...(paper.preprint === true
    ? { bookOrReportDetails: { publisher: paper.venue ?? 'bioRxiv' } }
    : { journalInfo: { volume: '7', issue: '2', journal: { title: paper.venue ?? 'Journal of Stand-ins', issn: '1234-5678' } } }),
  ...(paper.citedBy === undefined ? {} : { citedByCount: paper.citedBy }),
  pubYear: paper.date.slice(0, 4),
  ...(paper.abstract == null ? {} : { abstractText: `<h4>Background</h4>${paper.abstract}` }),
  isOpenAccess: paper.pmcid === undefined ? 'N' : 'Y',
  firstPublicationDate: paper.date,
  pubTypeList: { pubType: [paper.preprint === true ? 'Preprint' : 'Journal Article'] },
  ...(paper.pdfUrl === undefined
    ? {}
    : {
        fullTextUrlList: {
          fullTextUrl: [
            { availability: 'Open access', availabilityCode: 'OA', documentStyle: 'pdf', site: 'Europe_PMC', url: paper.pdfUrl }
          ]
        }
      })
})
