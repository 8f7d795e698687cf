import type { StatedNotice, WatchedPaper } from '../../../db/queries/notice-checks.js'
import type { JsonObject } from '../../../schemas/json-object.js'
import { versionlessDoi } from '../../papers/doi-versions.js'
import { doiIn } from '../../papers/identifiers.js'
import { plainParagraphs, plainText } from '../formats/plain-text.js'
import { objects, text, unexpectedAnswer } from '../requests/answers.js'
import { readItems } from '../requests/read-answer.js'
import type { NoticeSource } from '../source.js'
import { dayIn, isNewVersion, isWithdrawn } from './preprints.js'
import { noticeCollection, statedNotice } from './stated.js'

/** Few: each paper takes a request, and those of a batch that fails are repeated. */
const batchSize = 10

/** DOIs of the servers end with the number of a preprint, whose length tells the servers apart. Others with the prefix are of journals. */
const dois = { biorxiv: doisWith('\\d{6,7}'), medrxiv: doisWith('\\d{8}') } as const

type Server = keyof typeof dois

function doisWith (number: string): string {
  return `^10\\.(?:1101|64898)/(?:\\d{4}\\.\\d\\d\\.\\d\\d\\.)?${number}(?:v\\d+)?$`
}

/**
 * bioRxiv and medRxiv list all versions of a preprint, which share its DOI, with the DOI of its published form. A withdrawal is a version,
 * whose title says so since August 2023.
 * @see https://connect.medrxiv.org/news/2023/08/15/preprint_withdrawals
 */
export const biorxivNotices = (server: Server, title: string): NoticeSource => ({
  identifiers: ['doi'],
  dois: dois[server],
  batchSize,
  statedAs: [{ name: server, title, precedence: 2 }],
  async check (context, papers) {
    const { fetch, baseUrl } = context
    const found = noticeCollection(papers)
    for (const doi of new Set(papers.flatMap(paper => paper.doi ?? []))) {
      const response = await fetch(new URL(`${baseUrl}/details/${server}/${versionlessDoi(doi)}/na/json`))
      const { answer, items } = await readItems(response, title, { list: ['collection'] }, context)
      const status = text(objects(answer.messages)[0]?.status)
      if (!Array.isArray(answer.collection) && !/no (?:posts|papers|articles)/i.test(status)) {
        throw unexpectedAnswer(title, 'the versions of a preprint', status)
      }
      const versions = items.slice(0, maxVersions).filter(each => versionlessDoi(doiIn(text(each.doi)) ?? '') === versionlessDoi(doi))
      if (versions.length > 0) found.add('doi', doi, paper => noticesIn(versions, { server, paper }))
    }
    return found.checked()
  }
})

/** Versions of a preprint that are read. Real ones have a few. */
const maxVersions = 500

const versionOf = ({ version }: JsonObject): number => Number(text(version)) || 1

function noticesIn (versions: readonly JsonObject[], { server, paper }: { server: Server, paper: WatchedPaper }): StatedNotice[] {
  const latest = versions.reduce((last, each) => versionOf(each) > versionOf(last) ? each : last)
  const version = versionOf(latest)
  const date = dayIn(latest.date)
  const ofVersion = (kind: 'withdrawal' | 'new_version'): StatedNotice => ({
    ...statedNotice(server, kind, { date }),
    reference: `v${version}`,
    url: `https://www.${server}.org/content/${versionlessDoi(paper.doi!)}v${version}`
  })
  const isNew = isNewVersion({ version, date, reference: /^v(\d+)$/ }, paper)
  // "NA" where it is in no journal.
  const published = versions.map(each => doiIn(text(each.published))).find(doi => doi !== null && doi !== versionlessDoi(paper.doi!))
  return [
    ...(isWithdrawn(statementOf(latest), server) ? [ofVersion('withdrawal')] : isNew ? [ofVersion('new_version')] : []),
    ...(published === undefined ? [] : [statedNotice(server, 'published', { doi: published })])
  ]
}

const statementOf = ({ title, abstract, type }: JsonObject) =>
  ({ title: plainText(text(title)), comment: text(type), abstract: plainParagraphs(text(abstract)) })
