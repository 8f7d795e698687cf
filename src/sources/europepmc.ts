import type { JsonObject } from '../../schemas/json-object.js'
import { doiIn, idsIn, issnsIn, pmcidIn, pmidIn, webAddress } from '../papers/identifiers.js'
import { object, objects, rejectedQuery, requireNone, text, unexpectedAnswer } from './requests/answers.js'
import { citationsOf } from './formats/citations.js'
import { readDate } from '../papers/stated-date.js'
import type { ParsedRecord, ParseResult } from './formats/format.js'
import { isFromHighwire, readHighwire } from './formats/highwire.js'
import { toMetadata } from './formats/metadata.js'
import { authorsOf, readShortName } from './formats/names.js'
import { plainParagraphs, plainText } from './formats/plain-text.js'
import { isRetractedType } from './formats/publication-types.js'
import { pubmedTitle } from './formats/pubmed-title.js'
import { type ItemParser, type Source, type SourceContext, SourceError } from './source.js'
import { readItemRecords } from './requests/read-answer.js'
import { searchInParts } from './requests/query-parts.js'
import { anyOf, topicsOf, findImbalance } from './requests/topics.js'

const title = 'Europe PMC'
const pageSize = 200
/** Related works of a paper that are read. */
const maxRelations = 100

/** Results of searches with resultType=core. */
const europepmcResults: ItemParser = { name: 'europepmc', parse: parseResult }

/** @see https://europepmc.org/RestfulWebService */
export const europepmc: Source = {
  name: 'europepmc',
  title,
  covers: 'The life sciences: all of PubMed, and preprints of many servers.',
  queryHelp: 'Europe PMC\'s query language. Example: (TITLE_ABS:"gene editing" AND SRC:PPR) OR AUTH:"Doudna J".',
  isDefault: true,
  precedence: 3,
  settings: {
    url: {
      name: 'EUROPEPMC_URL',
      default: 'https://www.ebi.ac.uk/europepmc/webservices/rest',
      description: "Address of Europe PMC's REST service."
    }
  },
  group: 'europepmc',
  intervalMs: 1000,
  itemParser: europepmcResults,
  buildQuery: interest => anyOf(topicsOf(interest), phrase => `TITLE_ABS:${phrase}`),
  checkQuery: findImbalance,
  titleQuery: words => `TITLE:"${words}"`,
  lookup: {
    kinds: ['pmid', 'pmcid', 'doi'],
    async find (context, { kind, value }) {
      const query = { pmid: `EXT_ID:${value} AND SRC:MED`, pmcid: `PMCID:${value}`, doi: `DOI:"${value.replaceAll('"', '')}"`, arxiv: '' }[
        kind
      ]
      return (await fetchResults(context, query, '*')).results
    }
  },
  followQueries: {
    byId: {
      author: { orcid: ids => ids.map(id => `AUTHORID:"${id}"`).join(' OR ') },
      journal: { issn: ids => ids.map(id => `ISSN:"${id}"`).join(' OR ') }
    },
    byName: {
      author: (_name, readings) => readings.map(reading => `AUTH:"${reading}"`).join(' OR '),
      journal: name => `JOURNAL:"${name}"`
    }
  },
  search: searchInParts(async function * (context, { query, from, to, cursor }) {
    for (let mark = cursor ?? '*'; ;) {
      const { results, count, next } = await fetchResults(context, `(${query}) AND (FIRST_IDATE:[${from} TO ${to}])`, mark)
      if (results.length === 0) {
        if (mark === '*') requireNone(title, count)
        return
      }
      const last = next === '' || next === mark
      yield { parsed: results, cursor: last ? null : next }
      if (last) return
      mark = next
    }
  })
}

async function fetchResults (
  context: SourceContext,
  query: string,
  mark: string
): Promise<{ results: ParsedRecord[], count: unknown, next: string }> {
  const { fetch, baseUrl, contact } = context
  const url = new URL(`${baseUrl}/search`)
  url.search = String(new URLSearchParams({
    query,
    format: 'json',
    resultType: 'core',
    pageSize: String(pageSize),
    cursorMark: mark,
    ...(contact === undefined ? {} : { email: contact })
  }))
  const list = { list: ['resultList', 'result'], parser: europepmcResults }
  const { answer, items } = await readItemRecords(await fetch(url), title, list, context)
  if (answer.resultList === undefined) {
    // Errors come with status 200.
    const code = Number(text(answer.errCode) || 0)
    const detail = text(answer.errMsg)
    if (code >= 500) throw new SourceError('unavailable', 'Europe PMC is temporarily unavailable.', { detail })
    throw code >= 400 ? rejectedQuery(title, detail) : unexpectedAnswer(title, 'a list of results', detail)
  }
  return { results: items, count: answer.hitCount, next: text(answer.nextCursorMark) }
}

/** Parses a result of a search with resultType=core. */
function parseResult (item: JsonObject): ParseResult {
  const doi = doiIn(text(item.doi))
  const read = (written: string) => isFromHighwire(doi) ? readHighwire(written) : written
  const title = pubmedTitle(plainText(read(text(item.title))), '')
  if (title === '') return { reason: 'title is missing' }
  const [collection, id] = [text(item.source), text(item.id)]
  const journal = object(item.journalInfo)
  const pmid = pmidIn(text(item.pmid))
  const pmcid = pmcidIn(text(item.pmcid))
  const arxiv = idsIn([doi]).arxiv
  const isPreprint = collection === 'PPR'
  const links = objects(object(item.fullTextUrlList).fullTextUrl)
  const openPdf = links.find(
    ({ documentStyle, availabilityCode }) => documentStyle === 'pdf' && (availabilityCode === 'OA' || availabilityCode === 'F')
  )
  const types = list(object(item.pubTypeList).pubType)
  const relations = objects([object(item.commentCorrectionList).commentCorrection].flat()).slice(0, maxRelations)
    .map(({ type }) => text(type))
  const names = objects(object(item.authorList).author).map(authorOf)
  const forms = object(journal.journal)
  const issns = issnsIn([text(forms.issn), text(forms.essn)])
  return {
    record: {
      title,
      // Parts of a structured abstract have headings; in other sources they are labels.
      abstract: plainParagraphs(read(text(item.abstractText)).replace(/<h4>([^<]{1,100})<\/h4>/g, '\n\n$1: ')),
      authors: authorsOf(names.length > 0 ? names : text(item.authorString).replace(/\.$/, '').split(/,\s*/).map(readShortName)),
      published_date: readDate(text(item.firstPublicationDate)) ?? readDate(text(item.pubYear)),
      url: collection === '' || id === '' ? null : `https://europepmc.org/article/${collection}/${id}`,
      pdf_url: webAddress(text(openPdf?.url)),
      doi,
      venue_name: plainText(text(forms.title) || text(object(item.bookOrReportDetails).publisher)) || null,
      external_ids: { ...(pmid === null ? {} : { pmid }), ...(pmcid === null ? {} : { pmcid }), ...(arxiv === null ? {} : { arxiv }) },
      source: { name: 'europepmc' },
      source_paper_id: collection === '' || id === '' ? null : `${collection}:${id}`,
      metadata: toMetadata({
        published: statedDateOf(item),
        volume: text(journal.volume),
        issue: text(journal.issue),
        pages: text(item.pageInfo),
        issn: text(forms.issn) || text(forms.essn),
        issns: issns.length > 1 ? issns : [],
        language: text(item.language),
        publication_types: types,
        keywords: list(object(item.keywordList).keyword),
        mesh_terms: objects(object(item.meshHeadingList).meshHeading).map(({ descriptorName }) => text(descriptorName)),
        license: text(item.license),
        open_access: item.isOpenAccess === 'Y' ? true : undefined,
        retracted: isRetractedType(types) || relations.some(each => /^retraction in\b/i.test(each)) ? true : undefined,
        preprint: isPreprint ? true : undefined
      }),
      // References would need a request for each paper.
      ...citationsOf([], { citedBy: item.citedByCount })
    }
  }
}

/** The date of print may be of a month or a season, which its other form shows. */
function statedDateOf ({ firstPublicationDate, electronicPublicationDate, journalInfo, pubYear }: JsonObject): string {
  const { dateOfPublication, printPublicationDate } = object(journalInfo)
  const isPrint = firstPublicationDate === printPublicationDate && firstPublicationDate !== electronicPublicationDate
  return (isPrint ? text(dateOfPublication) : '') || text(firstPublicationDate) || text(pubYear)
}

const nameOf = (author: JsonObject) =>
  plainText(
    text(author.collectiveName) ||
      [text(author.firstName) || text(author.initials), text(author.lastName)].filter(part => part !== '').join(' ') ||
      text(author.fullName)
  )

const authorOf = (author: JsonObject) => {
  const id = object(author.authorId)
  return { name: nameOf(author), group: text(author.collectiveName) !== '', orcid: id.type === 'ORCID' ? text(id.value) : '' }
}

const list = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(text).filter(each => each !== '').map(plainText)
