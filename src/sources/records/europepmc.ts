import { type JsonObject, object, objects, text } from '../answers.js'
import type { PaperRecord } from '../../../schemas/paper.js'
import { doiIn, idsIn, pmcidIn, pmidIn, webAddress } from '../../papers/identifiers.js'
import { readDate } from '../formats/dates.js'
import { stated } from '../formats/metadata.js'
import { authorsOf } from '../formats/names.js'
import { plainParagraphs, plainText } from '../formats/plain-text.js'
import { pubmedTitle } from '../formats/pubmed-title.js'

/** A result of Europe PMC's search with resultType=core. */
export function readEuropepmc (item: JsonObject): { record: PaperRecord } | { reason: string } {
  const title = pubmedTitle(plainText(text(item.title)), '')
  if (title === '') return { reason: 'title is missing' }
  const [collection, id] = [text(item.source), text(item.id)]
  const journal = object(item.journalInfo)
  const doi = doiIn(text(item.doi))
  const pmid = pmidIn(text(item.pmid))
  const pmcid = pmcidIn(text(item.pmcid))
  const arxiv = idsIn([doi]).arxiv
  const isPreprint = collection === 'PPR'
  const links = objects(object(item.fullTextUrlList).fullTextUrl)
  const openPdf = links.find(({ documentStyle, availabilityCode }) => documentStyle === 'pdf' && (availabilityCode === 'OA' || availabilityCode === 'F'))
  const types = list(object(item.pubTypeList).pubType)
  const names = objects(object(item.authorList).author).map(nameOf)
  return {
    record: {
      title,
      // Parts of a structured abstract have headings; in other sources they are labels.
      abstract: plainParagraphs(text(item.abstractText).replace(/<h4>([^<]{1,100})<\/h4>/g, '\n\n$1: ')),
      authors: authorsOf(names.length > 0 ? names : text(item.authorString).replace(/\.$/, '').split(/,\s*/).map(plainText)),
      published_date: readDate(text(item.firstPublicationDate)) ?? readDate(text(item.pubYear)),
      url: collection === '' || id === '' ? null : `https://europepmc.org/article/${collection}/${id}`,
      pdf_url: webAddress(text(openPdf?.url)),
      doi,
      venue_name: plainText(text(object(journal.journal).title) || text(object(item.bookOrReportDetails).publisher)) || null,
      external_ids: { ...(pmid === null ? {} : { pmid }), ...(pmcid === null ? {} : { pmcid }), ...(arxiv === null ? {} : { arxiv }) },
      source: { name: 'europepmc' },
      source_paper_id: collection === '' || id === '' ? null : `${collection}:${id}`,
      metadata: stated({
        volume: text(journal.volume),
        issue: text(journal.issue),
        pages: text(item.pageInfo),
        issn: text(object(journal.journal).issn) || text(object(journal.journal).essn),
        language: text(item.language),
        publication_types: types,
        keywords: list(object(item.keywordList).keyword),
        mesh_terms: objects(object(item.meshHeadingList).meshHeading).map(({ descriptorName }) => text(descriptorName)),
        license: text(item.license),
        open_access: item.isOpenAccess === 'Y' ? true : undefined,
        retracted: types.some(type => /^retracted publication$/i.test(type)) ? true : undefined,
        preprint: isPreprint ? true : undefined
      })
    }
  }
}

const nameOf = (author: JsonObject) => plainText(text(author.collectiveName) || [text(author.firstName) || text(author.initials), text(author.lastName)].filter(part => part !== '').join(' ') || text(author.fullName))

const list = (value: unknown): string[] => (Array.isArray(value) ? value : [value]).map(text).filter(each => each !== '').map(plainText)
