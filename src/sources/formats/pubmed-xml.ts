import type { PaperRecord } from '../../../schemas/paper.js'
import { arxivIn, citedDoiIn, doiIn, idsIn, issnIn, orcidIn, pmcidIn, pmidIn } from '../../papers/identifiers.js'
import { citationsOf } from './citations.js'
import { dateOf, dateWithin, monthIn, readDate } from '../../papers/stated-date.js'
import { type Format, requireTitle } from './format.js'
import { toMetadata } from './metadata.js'
import { authorsOf } from './names.js'
import { isRetractedType } from './publication-types.js'
import { pubmedTitle } from './pubmed-title.js'
import { type XmlElement, child, children, readElements, textOf } from './xml.js'
import { pubmedAddress } from '../../papers/paper-address.js'
import { isPreprintServer } from '../../papers/source-traits.js'

const articles = new Set(['PubmedArticle', 'PubmedBookArticle', 'ERROR'])
/** References of an article that are read. */
const maxReferences = 4000
const sets = new Set(['PubmedArticleSet', 'PubmedBookArticleSet', 'PubmedArticle', 'PubmedBookArticle'])

/** Responses of efetch with retmode=xml. @see https://dtd.nlm.nih.gov/ncbi/pubmed/ */
export const pubmedXml: Format = {
  name: 'pubmed-xml',
  title: 'PubMed XML',
  extensions: ['.xml'],
  matches: head => /<(PubmedArticleSet|PubmedArticle|PubmedBookArticle|eFetchResult|eSearchResult)[\s>]/.test(head),
  async * read (text) {
    let place = 0
    let root = ''
    for await (const item of readElements(text, articles, name => { root = name })) {
      place++
      if ('fault' in item) yield { place, reason: item.fault, ended: item.ended }
      else if (item.element.name === 'ERROR') yield { place, line: item.line, reason: 'PubMed returned an error instead of the record' }
      else {
        const record = item.element.name === 'PubmedArticle' ? readArticle(item.element) : readBook(item.element)
        yield { place, line: item.line, ...requireTitle(record) }
      }
    }
    if (place === 0 && root !== '' && !sets.has(root)) yield { place: 1, reason: `the file contains <${root}> instead of articles` }
  }
}

function readArticle (element: XmlElement): PaperRecord {
  const citation = child(element, 'MedlineCitation')
  const article = child(citation, 'Article')
  const journal = child(article, 'Journal')
  const issue = child(journal, 'JournalIssue')
  const pubDate = child(issue, 'PubDate')
  const ids = articleIds(child(element, 'PubmedData', 'ArticleIdList'))
  return {
    ...common({
      pmid: textOf(child(citation, 'PMID')),
      ids,
      title: pubmedTitle(textOf(child(article, 'ArticleTitle')), textOf(child(article, 'VernacularTitle'))),
      abstract: child(article, 'Abstract') ?? otherAbstract(citation),
      authors: [child(article, 'AuthorList')],
      doi: ownDoi(element)
    }),
    published_date: issueDate(pubDate, readParts(child(article, 'ArticleDate'))),
    venue_name: textOf(child(journal, 'Title')) || textOf(child(journal, 'ISOAbbreviation')) || null,
    metadata: toMetadata({
      published: textOf(pubDate) === '' ? undefined : spaced(pubDate!),
      journal_abbreviation: textOf(child(journal, 'ISOAbbreviation')),
      volume: textOf(child(issue, 'Volume')),
      issue: textOf(child(issue, 'Issue')),
      pages: textOf(child(article, 'Pagination', 'MedlinePgn')),
      issn: textOf(child(journal, 'ISSN')),
      issn_l: issnIn(textOf(child(citation, 'MedlineJournalInfo', 'ISSNLinking'))),
      language: textOf(child(article, 'Language')),
      publication_types: texts(children(child(article, 'PublicationTypeList'), 'PublicationType')),
      keywords: texts(children(citation, 'KeywordList').flatMap(list => children(list, 'Keyword'))),
      mesh_terms: texts(children(child(citation, 'MeshHeadingList'), 'MeshHeading').map(heading => child(heading, 'DescriptorName'))),
      retracted: isRetracted(citation) ? true : undefined,
      ...otherForm(citation)
    }),
    ...citationsOf(referencesIn(child(element, 'PubmedData')), { citedBy: undefined, own: [textOf(child(citation, 'PMID'))] })
  }
}

/** Links of an article to others that are read. Real ones have a few. */
const maxLinks = 500

const linksOf = (citation: XmlElement | undefined): XmlElement[] =>
  children(child(citation, 'CommentsCorrectionsList'), 'CommentsCorrections').slice(0, maxLinks)

/** Links of a notice to the article that it is on. */
const noticeLinks = new Set(['ErratumFor', 'RetractionOf', 'ExpressionOfConcernFor'])

/** The DOI of a `PubmedArticle`; null for a notice that repeats the DOI of its article. */
function ownDoi (element: XmlElement): string | null {
  const doi = articleDoi(element)
  const isRepeated = linksOf(child(element, 'MedlineCitation'))
    .some(link => noticeLinks.has(link.attributes.RefType ?? '') && doiIn(textOf(child(link, 'RefSource'))) === doi)
  return isRepeated ? null : doi
}

/** The DOI of a preprint's published form, or of an article's preprint. Updates of reviews have the same links. */
function otherForm (citation: XmlElement | undefined): { published_doi?: string, preprint_doi?: string } {
  const types = texts(children(child(citation, 'Article', 'PublicationTypeList'), 'PublicationType'))
  const links = linksOf(citation)
  const doisOf = (type: string, isOne: (source: string) => boolean) => links.filter(({ attributes }) => attributes.RefType === type)
    .map(link => textOf(child(link, 'RefSource'))).filter(isOne).map(doiIn).find(doi => doi !== null)
  const [published, preprint] = types.includes('Preprint')
    ? [doisOf('UpdateIn', source => !isPreprintServer(source)), undefined]
    : [undefined, doisOf('UpdateOf', isPreprintServer)]
  return { ...(published == null ? {} : { published_doi: published }), ...(preprint == null ? {} : { preprint_doi: preprint }) }
}

/** The DOI that a `PubmedArticle` states, which a notice can repeat from its article; null without a valid one. */
export const articleDoi = (element: XmlElement): string | null =>
  doiIn(articleIds(child(element, 'PubmedData', 'ArticleIdList')).get('doi')) ?? electronicDoi(child(element, 'MedlineCitation', 'Article'))

/** The PMCID of a `PubmedArticle`; null without a valid one. */
export const articlePmcid = (element: XmlElement): string | null =>
  pmcidIn(articleIds(child(element, 'PubmedData', 'ArticleIdList')).get('pmc'))

/** Whether an article is of that type, or names the notice of its retraction. */
export const isRetracted = (citation: XmlElement | undefined): boolean =>
  isRetractedType(texts(children(child(citation, 'Article', 'PublicationTypeList'), 'PublicationType'))) ||
  children(child(citation, 'CommentsCorrectionsList'), 'CommentsCorrections')
    .some(({ attributes }) => attributes.RefType === 'RetractionIn' || attributes.RefType === 'RetractedandRepublishedIn')

function readBook (element: XmlElement): PaperRecord {
  const chapter = child(element, 'BookDocument')
  const book = child(chapter, 'Book')
  const ids = articleIds(child(chapter, 'ArticleIdList'))
  const bookTitle = textOf(child(book, 'BookTitle'))
  const chapterTitle = textOf(child(chapter, 'ArticleTitle'))
  const contribution = child(chapter, 'ContributionDate')
  const title = pubmedTitle(chapterTitle || bookTitle, textOf(child(chapter, 'VernacularTitle')))
  const pubDate = child(book, 'PubDate')
  return {
    ...common({
      pmid: textOf(child(chapter, 'PMID')),
      ids,
      title,
      abstract: child(chapter, 'Abstract'),
      authors: children(chapter, 'AuthorList').concat(children(book, 'AuthorList')),
      doi: doiIn(ids.get('doi')) ?? electronicDoi(book)
    }),
    // A chapter of a book that is continued has a date of its own.
    published_date: (chapterTitle === '' ? null : readParts(contribution)) ?? readPubDate(pubDate) ?? readParts(contribution),
    venue_name: (chapterTitle === '' ? textOf(child(book, 'Publisher', 'PublisherName')) : bookTitle) || null,
    metadata: toMetadata({
      published: textOf(pubDate) === '' ? undefined : spaced(pubDate!),
      publisher: textOf(child(book, 'Publisher', 'PublisherName')),
      volume: textOf(child(book, 'Volume')),
      edition: textOf(child(book, 'Edition')),
      pages: textOf(child(chapter, 'Pagination', 'MedlinePgn')),
      isbn: texts(children(book, 'Isbn')),
      language: textOf(child(chapter, 'Language')),
      publication_types: texts(children(chapter, 'PublicationType')),
      keywords: texts(children(chapter, 'KeywordList').flatMap(list => children(list, 'Keyword')))
    })
  }
}

interface Common {
  pmid: string
  ids: Map<string, string>
  title: string
  abstract: XmlElement | undefined
  authors: Array<XmlElement | undefined>
  doi: string | null
}

/** Fields of both articles and book chapters. A record does not imply an open PDF: requirement spec:2-rule-4. */
function common ({ pmid, ids, title, abstract, authors, doi }: Common) {
  const pmcid = pmcidIn(ids.get('pmc'))
  const arxiv = /^arxiv:/i.test(ids.get('pii') ?? '') ? arxivIn(ids.get('pii')) : idsIn([doi]).arxiv
  return {
    title,
    abstract: readAbstract(abstract),
    authors: authorsOf(
      authors
        .filter(list => list?.attributes.Type !== 'editors')
        .flatMap(list => children(list, 'Author'))
        .filter(isValid)
        .map(readAuthor)
    ),
    url: pmid === '' ? null : pubmedAddress(pmid),
    pdf_url: null,
    doi,
    external_ids: { ...(pmid === '' ? {} : { pmid }), ...(pmcid === null ? {} : { pmcid }), ...(arxiv === null ? {} : { arxiv }) },
    source: { name: 'pubmed' },
    source_paper_id: pmid || null
  }
}

/** Ids of the works in the lists of references, which may be nested. */
function referencesIn (parent: XmlElement | undefined, depth = 0): Array<string | null> {
  if (depth > 3) return []
  return children(parent, 'ReferenceList').flatMap(list => [
    ...children(list, 'Reference').slice(0, maxReferences).flatMap(reference => {
      const ids = articleIds(child(reference, 'ArticleIdList'))
      const known = [pmidIn(ids.get('pubmed')), citedDoiIn(ids.get('doi'))]
      return known.every(id => id === null) ? [citedDoiIn(textOf(child(reference, 'Citation')))] : known
    }),
    ...referencesIn(list, depth + 1)
  ])
}

const readAuthor = (author: XmlElement) => {
  const ids = (element: XmlElement | undefined, source: string) =>
    children(element, 'Identifier').filter(({ attributes }) => attributes.Source === source).map(textOf)
  return {
    name: readName(author),
    group: textOf(child(author, 'CollectiveName')) !== '',
    // Some records have one with a typing error, too.
    orcid: ids(author, 'ORCID').find(id => orcidIn(id) !== null) ?? '',
    institutions: children(author, 'AffiliationInfo').flatMap(affiliation => ids(affiliation, 'ROR'))
  }
}

function readName (author: XmlElement): string {
  const collective = textOf(child(author, 'CollectiveName'))
  if (collective !== '') return collective
  return [
    textOf(child(author, 'ForeName')) || textOf(child(author, 'Initials')),
    textOf(child(author, 'LastName')),
    textOf(child(author, 'Suffix'))
  ]
    .filter(part => part !== '')
    .join(' ')
}

/** An abstract that PubMed received from another index; in English where there is one. */
const otherAbstract = (citation: XmlElement | undefined): XmlElement | undefined => {
  const others = children(citation, 'OtherAbstract')
  return others.find(({ attributes }) => attributes.Language === 'eng') ?? others[0]
}

/** Joins labeled sections as paragraphs with their labels. */
function readAbstract (abstract: XmlElement | undefined): string | null {
  const parts = children(abstract, 'AbstractText').map(part => {
    const label = part.attributes.Label
    return label === undefined || textOf(part) === '' ? textOf(part) : `${label}: ${textOf(part)}`
  }).filter(part => part !== '')
  return parts.length === 0 ? null : parts.join('\n\n')
}

/** Ids of the article itself, not of its references. */
const articleIds = (list: XmlElement | undefined) =>
  new Map(children(list, 'ArticleId').map(id => [id.attributes.IdType ?? '', textOf(id)]))

const electronicDoi = (work: XmlElement | undefined) =>
  children(work, 'ELocationID')
    .filter(({ attributes }) => attributes.EIdType === 'doi')
    .filter(isValid)
    .map(id => doiIn(textOf(id)))
    .find(doi => doi !== null) ?? null

/** PubMed keeps corrected values and marks them as invalid. */
const isValid = ({ attributes }: XmlElement) => attributes.ValidYN !== 'N'

/** The date of the issue. "MedlineDate" and "Season" are free text. */
const readPubDate = (date: XmlElement | undefined) => readParts(date) ?? readDate(textOf(child(date, 'MedlineDate')))

/** The date of an issue, or that of the article, which may lie within the month or year that is all the issue states. */
function issueDate (pubDate: XmlElement | undefined, articleDate: string | null): string | null {
  const date = readPubDate(pubDate)
  const has = (name: string) => textOf(child(pubDate, name)) !== ''
  if (!has('Year') || has('Season') || has('Day')) return date ?? articleDate
  return dateWithin(date, has('Month') ? 'month' : 'year', articleDate)
}

function readParts (date: XmlElement | undefined): string | null {
  const part = (name: string) => textOf(child(date, name))
  const month = part('Month') || part('Season')
  return dateOf(Number(part('Year') || Number.NaN), monthIn(month) ?? Number(month || 1), Number(part('Day') || 1))
}

const spaced = (date: XmlElement) => date.content.flatMap(part => typeof part === 'string' ? [] : [textOf(part)]).join(' ')
const texts = (elements: Array<XmlElement | undefined>) => elements.map(textOf).filter(text => text !== '')
