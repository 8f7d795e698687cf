import type { JsonObject } from '../../schemas/json-object.js'
import type { PaperRecord } from '../../schemas/paper.js'
import { versionlessDoi } from '../papers/doi-versions.js'
import { arxivDoi, arxivIn, citedDoiIn, doiIn, idsIn, issnsIn, webAddress } from '../papers/identifiers.js'
import { doiAddress } from '../papers/paper-address.js'
import { createYielder } from '../threads/yielder.js'
import { object, objects, text, texts, unexpectedAnswer } from './requests/answers.js'
import { citationsOf } from './formats/citations.js'
import { dateOfParts, datePartsIn } from './formats/date-parts.js'
import type { ParsedRecord, ParseResult } from './formats/format.js'
import { toMetadata } from './formats/metadata.js'
import { authorsOf } from './formats/names.js'
import { plainParagraphs, plainText, withUsualPrefix } from './formats/plain-text.js'
import { crossrefNotices, isRetracted } from './notices/crossref.js'
import { noticeKindOf } from './notices/update-types.js'
import type { ItemParser, Source } from './source.js'
import { readItemRecords } from './requests/read-answer.js'
import { listOf, searchedTopics, topicMatcher, topicsIn, topicsOf } from './requests/topics.js'

const title = 'Crossref'
const pageSize = 100
/** Pages per topic, and of one search unless it has more topics; the best matches come first. */
const [maxTopicPages, maxSearchPages] = [20, 800]
/** References of a work that are read; the longest real lists have some thousand. */
const maxReferences = 4000
/** Related works of one kind that are read. */
const maxRelated = 100
const types = ['journal-article', 'proceedings-article', 'posted-content', 'book-chapter']

/** Works of Crossref's REST API. */
const crossrefWorks: ItemParser = { name: 'crossref', parse: parseWork }

/** @see https://api.crossref.org/swagger-ui/index.html */
export const crossref: Source = {
  name: 'crossref',
  title,
  covers: 'Every field: what publishers register with a DOI. Abstracts are often missing.',
  queryHelp:
    'Topics, separated by commas; a work matches that has all words of one in its title, abstract, authors or journal. Example: gene ' +
    'editing retina, base editors. A topic may be an id: orcid:0000-0002-1825-0097, issn:0028-0836 or ror-id:03vek6s52.',
  precedence: 2,
  settings: { url: { name: 'CROSSREF_URL', default: 'https://api.crossref.org', description: 'Address of Crossref\'s REST API.' } },
  group: 'crossref',
  intervalMs: 500,
  itemParser: crossrefWorks,
  buildQuery: interest => listOf(topicsOf(interest)),
  checkQuery: query => topicsIn(query).length > 0 ? null : 'it names no topic; topics are words, separated by commas.',
  titleQuery: words => words,
  lookup: {
    kinds: ['doi'],
    async find (context, { value }) {
      const { fetch, baseUrl, contact } = context
      const url = new URL(`${baseUrl}/works/${encodeURIComponent(value)}`)
      if (contact !== undefined) url.search = String(new URLSearchParams({ mailto: contact }))
      const answer = await fetch(url)
      if (answer.status === 404) return []
      return (await readItemRecords(answer, title, { list: ['message'], parser: crossrefWorks }, context)).items
    }
  },
  followQueries: {
    byId: {
      author: { orcid: ids => ids.map(id => `orcid:${id}`).join(', ') },
      journal: { issn: ids => ids.map(id => `issn:${id}`).join(', ') },
      institution: { ror: ids => ids.map(id => `ror-id:${id}`).join(', ') }
    }
  },
  notices: crossrefNotices,
  async * search (context, { query, from, to, cursor }) {
    const { fetch, baseUrl, contact } = context
    const searched = searchedTopics(query, title)
    const { topics } = searched
    const maxPages = Math.min(maxTopicPages, Math.floor(maxSearchPages / topics.length))
    const yieldIfDue = createYielder()
    let { shortfall } = searched
    // Crossref's own cursors expire after five minutes, so a fetch continues at the topic that it had reached.
    for (let at = Number(cursor ?? 0); at < topics.length; at++) {
      const idFilter = idFilterIn(topics[at]!)
      const matches = idFilter === undefined ? topicMatcher([topics[at]!]) : () => true
      let mark = '*'
      for (let page = 1, more = true; more; page++) {
        const url = new URL(`${baseUrl}/works`)
        url.search = String(new URLSearchParams({
          ...(idFilter === undefined ? { 'query.bibliographic': topics[at]! } : {}),
          filter: [
            `from-created-date:${from}`,
            `until-created-date:${to}`,
            ...types.map(type => `type:${type}`),
            ...(idFilter === undefined ? [] : [idFilter])
          ].join(','),
          rows: String(pageSize),
          cursor: mark,
          ...(contact === undefined ? {} : { mailto: contact })
        }))
        const list = { list: ['message', 'items'], parser: crossrefWorks }
        // The cursor can be the same for all pages and moves with each answer: one that was lost, if repeated, would be skipped.
        const response = await fetch(url, { isUnrepeatable: page > 1 })
        const { answer: { message, status }, items: parsed } = await readItemRecords(response, title, list, context)
        const { items, 'next-cursor': next } = object(message)
        if (!Array.isArray(items)) throw unexpectedAnswer(title, 'a list of works', text(status))
        // Works that match all words of the topic are listed first, so a page without one ends the search.
        const matching: ParsedRecord[] = []
        for (const each of parsed) {
          await yieldIfDue()
          if ('record' in each && matches(wordsOf(each.record))) matching.push(each)
        }
        const mayHaveMore = matching.length > 0 && parsed.length === pageSize && typeof next === 'string'
        more = mayHaveMore && page < maxPages
        if (mayHaveMore && !more) {
          shortfall = `Crossref has more than ${maxPages * pageSize} works for the topic "${topics[at]!}"; only the best matches were ` +
            'fetched. Choose a narrower topic.'
        }
        yield {
          parsed: [...matching, ...parsed.filter(each => 'reason' in each)],
          cursor: more ? String(at) : at + 1 < topics.length ? String(at + 1) : null,
          shortfall
        }
        mark = text(next)
      }
    }
  }
}

/** The text in which the words of a topic are looked for. */
const wordsOf = ({ title, abstract, venue_name, authors }: PaperRecord): string =>
  [title, abstract, venue_name, ...authors.map(({ name }) => name)].join(' ')

/** A topic that is one filter by id, such as "orcid:0000-0002-1825-0097"; undefined for words. */
const idFilterIn = (topic: string): string | undefined =>
  // Topics have lost their colons.
  /^(?:orcid \d{4}-\d{4}-\d{4}-\d{3}[\dX]|issn \d{4}-\d{3}[\dX]|ror-id 0[a-z0-9]{8})$/i.test(topic) ? topic.replace(' ', ':') : undefined

/** Parses a work. Its DOI is the journal's, or the preprint's for posted content. */
function parseWork (work: JsonObject): ParseResult {
  const [main, subtitle] = [plainText(first(work.title)), plainText(first(work.subtitle))]
  if (main === '') return { reason: 'title is missing' }
  const doi = doiIn(text(work.DOI))
  if (doi === null) return { reason: 'DOI is missing' }
  const isSupplement = work.type === 'posted-content' && supplementTitle.test(main)
  const isPreprint = work.type === 'posted-content' && !isSupplement
  const license = objects(work.license).map(({ URL }) => text(URL)).find(url => url.includes('creativecommons.org'))
  const pdf = objects(work.link).find(link => link['content-type'] === 'application/pdf')
  const arxiv = idsIn([doi]).arxiv
  const issns = issnsIn(texts(work.ISSN))
  const published = publishedOf(work)
  const cited = objects(work.reference).slice(0, maxReferences)
    .map(({ DOI, unstructured, 'journal-title': journal }) => citedDoiIn(text(DOI), text(unstructured), text(journal)))
  return {
    record: {
      title: subtitle === '' || main.includes(subtitle) ? main : `${main}: ${subtitle}`,
      abstract: abstractOf(text(work.abstract)),
      authors: authorsOf(objects(work.author).map(authorOf)),
      published_date: published.date,
      url: webAddress(text(work.URL))?.replace(/^http:\/\/dx\.doi\.org\//, 'https://doi.org/') ?? doiAddress(doi),
      // Links are for subscribers' text mining as well: only an open license makes one an open PDF.
      pdf_url: license === undefined ? null : webAddress(text(pdf?.URL)),
      doi,
      venue_name:
        plainText(
          containerOf(work) ||
            text(objects(work.institution)[0]?.name) ||
            text(work['group-title']) ||
            (isPreprint ? text(work.publisher) : '')
        ) || null,
      external_ids: arxiv === null ? {} : { arxiv },
      source: { name: 'crossref' },
      source_paper_id: doi,
      metadata: toMetadata({
        published: published.written,
        volume: text(work.volume),
        issue: text(work.issue),
        pages: text(work.page) || text(work['article-number']),
        issn: first(work.ISSN),
        issns: issns.length > 1 ? issns : [],
        isbn: texts(work.ISBN).map(isbn => isbn.replace(/^.*\/isbn\//, '')),
        publisher: text(work.publisher),
        language: text(work.language),
        publication_types: isSupplement ? ['dataset'] : [text(work.type), ...noticeTypes(work, doi)].filter(type => type !== ''),
        license,
        preprint: isPreprint ? true : undefined,
        retracted: isRetracted(work, doi) ? true : undefined,
        published_doi: isSupplement ? null : related(work, 'is-preprint-of'),
        preprint_doi: related(work, 'has-preprint')
      }),
      ...citationsOf(cited, { citedBy: work['is-referenced-by-count'], own: [doi] })
    }
  }
}

const first = (value: unknown) => text(Array.isArray(value) ? value[0] : value)

/** The journal or book; those of a series name the series before it. */
const containerOf = ({ type, 'container-title': titles }: JsonObject) =>
  type === 'book-chapter' || type === 'proceedings-article' ? texts(titles).at(-1) : first(titles)

const nameOf = (author: JsonObject) =>
  plainText(text(author.name) || [text(author.given), text(author.family), text(author.suffix)].filter(part => part !== '').join(' '))

const authorOf = (author: JsonObject) => ({
  name: nameOf(author),
  group: text(author.name) !== '',
  orcid: text(author.ORCID),
  institutions: objects(author.affiliation).flatMap(({ id }) => objects(id)).map(({ id }) => text(id))
})

/** The first date at which the work was available, with the parts that Crossref states. */
function publishedOf (work: JsonObject): { date: string | null, written?: string } {
  for (const name of ['published', 'published-online', 'published-print', 'posted', 'issued', 'created']) {
    const parts = datePartsIn(work[name]) ?? []
    const date = dateOfParts(parts)
    if (date !== null) return { date, written: parts.slice(0, 3).join('-') }
  }
  return { date: null }
}

/** A JATS fragment without its own heading; headings of its sections become labels. */
const abstractOf = (fragment: string) =>
  plainParagraphs(
    withUsualPrefix(fragment)
      .replace(/<jats:title>\s*(?:abstract|summary)\s*<\/jats:title>/gi, '')
      .replace(/<jats:title>([^<]{1,100})<\/jats:title>\s*<jats:p>/g, '<jats:p>$1: ')
  )

/** Some journals post the parts of an article's supplement as preprints: "Supplementary Figure S1 from" its title. */
const supplementTitle = /^(?:supplement\w*|data|figures?|tables?|movies?|videos?|appendix)\b.{0,100}?\bfrom\s/i
/** The DOIs of a supplement or a data set at figshare, which some articles also call their preprints. */
const figshareDoi = /^10\.\d+\/[^/]*\.(?:c\.\d{5,}(?:\.v\d+)?|\d{5,}\.v\d+)$/

/** The DOI that a relation names; of several, a preprint rather than data. */
function related (work: JsonObject, relation: string): string | null {
  const dois = objects(object(work.relation)[relation]).slice(0, maxRelated)
    .map(({ 'id-type': type, id }) => type === 'doi' ? doiIn(text(id)) : type === 'arxiv' ? doiInArxiv(text(id)) : null)
    .filter(doi => doi !== null)
  return dois.find(doi => !figshareDoi.test(doi)) ?? dois[0] ?? null
}

/** Publication types of notices, by the kind of update. Other updates, such as new versions, are articles. */
const typesOfNotices = new Map<string, string>([
  ['correction', 'erratum'], ['retraction', 'retraction'], ['partial_retraction', 'retraction'], ['withdrawal', 'retraction'],
  ['expression_of_concern', 'expression of concern']
])

/** The types of notice that a work is, as it states which others it updates. */
function noticeTypes (work: JsonObject, doi: string): string[] {
  const types = objects(work['update-to']).slice(0, maxRelated).flatMap(update => {
    const updated = doiIn(text(update.DOI))
    return updated === null || versionlessDoi(updated) === versionlessDoi(doi) ? [] : typesOfNotices.get(noticeKindOf(update) ?? '') ?? []
  })
  return [...new Set(types)]
}

function doiInArxiv (written: string): string | null {
  const id = arxivIn(written)
  return id === null ? null : arxivDoi(id)
}
