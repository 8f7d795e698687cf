import type { Test } from 'tap'
import { type Publication, authorsOf, matchesQuery } from './papers.js'
import { escaped, json, parametersOf, type StandIn, standIn, xml } from './server.js'

/** NCBI's esearch and efetch. @param reachable maximum ids of one search */
export const pubmedStandIn = async (
  t: Test | undefined,
  papers: readonly Publication[],
  { reachable = 9999 } = {}
): Promise<StandIn & { close: () => Promise<void> }> =>
  await standIn(t, request => {
    const parameters = parametersOf(request)
    if (parameters.get('db') !== 'pubmed') return json({ error: 'Invalid db name specified' }, 400)
    if (request.url.pathname === '/esearch.fcgi') {
      const terms = (parameters.get('term') ?? '').matchAll(/"([^"]+)"\[doi\]|(PMC\d+)\[pmcid\]/g)
      const named = new Set([...terms].map(([, doi, pmcid]) => doi ?? pmcid!))
      if (named.size > 0) {
        const found = papers.filter(({ doi, pmcid }) => named.has(doi ?? '') || named.has(pmcid ?? ''))
        const idlist = found.flatMap(({ pmid }) => pmid ?? [])
        return json({ header: { type: 'esearch' }, esearchresult: { count: String(idlist.length), idlist } })
      }
      const [from, to] = ['mindate', 'maxdate'].map(name => parameters.get(name)!.replaceAll('/', '-'))
      const found = papers
        .filter(paper => paper.pmid !== undefined && matchesQuery(paper, (parameters.get('term') ?? '').replace(/\[\w+\]/g, ' ')))
        .filter(({ date }) => date >= from! && date <= to!)
      return json({
        header: { type: 'esearch', version: '0.3' },
        esearchresult: {
          count: String(found.length),
          retmax: String(Math.min(found.length, reachable)),
          retstart: '0',
          idlist: found.slice(0, Math.min(reachable, Number(parameters.get('retmax')))).map(({ pmid }) => pmid),
          translationset: [],
          querytranslation: parameters.get('term')
        }
      })
    }
    if (request.url.pathname === '/efetch.fcgi') {
      const ids = new Set(parameters.get('id')!.split(','))
      return xml(`<?xml version="1.0" ?>
<!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD PubMedArticle, 1st January 2025//EN" "https://dtd.nlm.nih.gov/ncbi/pubmed/out/pubmed_250101.dtd">
<PubmedArticleSet>
${papers.filter(({ pmid }) => pmid !== undefined && ids.has(pmid)).map(article).join('\n')}
</PubmedArticleSet>`)
    }
    return { status: 404, body: 'Not found' }
  })

const referenceOf = ({ doi, pmid }: NonNullable<Publication['cites']>[number]) =>
  `<Reference><Citation>A work</Citation><ArticleIdList>${pmid === undefined ? '' : `<ArticleId IdType="pubmed">${pmid}</ArticleId>`}${doi === undefined ? '' : `<ArticleId IdType="doi">${escaped(doi)}</ArticleId>`}</ArticleIdList></Reference>`

export function article (paper: Publication): string {
  if (paper.broken === true) {
    return `<PubmedArticle><MedlineCitation><PMID Version="1">${paper.pmid}</PMID><Article><ArticleTitle>${escaped(paper.title)}</ArticleTitle><Abstract><AbstractText>not closed</Abstract>`
  }
  const [year, month, day] = paper.date.split('-')
  return `<PubmedArticle><MedlineCitation Status="MEDLINE" Owner="NLM"><PMID Version="1">${paper.pmid}</PMID>
<Article PubModel="Print"><Journal><ISSN IssnType="Electronic">1234-5678</ISSN><JournalIssue CitedMedium="Internet"><Volume>7</Volume><Issue>2</Issue><PubDate><Year>${year}</Year><Month>${month}</Month><Day>${day}</Day></PubDate></JournalIssue><Title>${escaped(paper.venue ?? 'Journal of Stand-ins')}</Title></Journal>
<ArticleTitle>${escaped(paper.title)}.</ArticleTitle>
${paper.abstract == null ? '' : `<Abstract><AbstractText>${escaped(paper.abstract)}</AbstractText></Abstract>`}
<AuthorList CompleteYN="Y">${authorsOf(paper)
    .map(
      ([given, family, { orcid, ror } = {}]) =>
        `<Author ValidYN="Y"><LastName>${escaped(family)}</LastName><ForeName>${escaped(given)}</ForeName>${orcid === undefined ? '' : `<Identifier Source="ORCID">${orcid}</Identifier>`}${ror === undefined ? '' : `<AffiliationInfo><Affiliation>An institute</Affiliation><Identifier Source="ROR">https://ror.org/${ror}</Identifier></AffiliationInfo>`}</Author>`
    )
    .join('')}</AuthorList>
<Language>eng</Language><PublicationTypeList><PublicationType UI="D016428">Journal Article</PublicationType>${paper.retracted === true
? '<PublicationType ' +
  'UI="D016441">Retracted Publication</PublicationType>'
: ''}${paper.preprint === true ? '<PublicationType UI="D000076942">Preprint</PublicationType>' : ''}</PublicationTypeList></Article>${paper.corrections === undefined
? ''
: `<CommentsCorrectionsList>${paper.corrections
  .map(({ type, source, pmid }) => `<CommentsCorrections RefType="${type}"><RefSource>${escaped(source)}</RefSource>${pmid === undefined ? '' : `<PMID Version="1">${pmid}</PMID>`}</CommentsCorrections>`)
  .join('')}</CommentsCorrectionsList>`}${paper.journal?.issnL === undefined ? '' : `<MedlineJournalInfo><ISSNLinking>${paper.journal.issnL}</ISSNLinking></MedlineJournalInfo>`}</MedlineCitation>
<PubmedData><ArticleIdList><ArticleId IdType="pubmed">${paper.pmid}</ArticleId>${paper.doi === undefined ? '' : `<ArticleId IdType="doi">${escaped(paper.doi)}</ArticleId>`}${paper.pmcid === undefined ? '' : `<ArticleId IdType="pmc">${paper.pmcid}</ArticleId>`}</ArticleIdList>${paper.cites === undefined ? '' : `<ReferenceList>${paper.cites.map(referenceOf).join('')}</ReferenceList>`}</PubmedData></PubmedArticle>`
}
