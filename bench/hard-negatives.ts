import type { PaperRecord } from '../schemas/paper.js'

/*
 * Pairs of records that look like one paper and are two, made of recorded ones by rules: what reports, notices, talks, preprints and parts
 * of a series change.
 */

/** A recorded work and a made-up record of another one that looks like it. */
export interface HardNegative { kind: string, of: PaperRecord, one: PaperRecord, other: PaperRecord }

type Change = (record: PaperRecord, others: readonly PaperRecord[]) => Array<[one: PaperRecord, other: PaperRecord]>

const notices = ['Erratum: ', 'Correction to: ', 'Corrigendum to ', 'Retraction: ', 'Expression of concern: ', 'Reply to: ', 'Comment on ']
const endings = [
  [', part I', ', part II'], [': part 1', ': part 2'], [' (II)', ' (III)'], [': study protocol', ': results of a randomized trial'],
  [' in men', ' in women'], [': a phase 2 trial', ': a phase 3 trial'], [' in type 1 diabetes', ' in type 2 diabetes']
] as const
const beginnings = [['I. ', 'II. '], ['Part 1: ', 'Part 2: ']] as const

const changes: Record<string, Change> = {
  'a report of another year': record =>
    [2, 5].map(years => [record, { ...record, published_date: laterBy(years, record.published_date!) }]),
  'another volume or page': record => {
    const { volume, issue, pages } = record.metadata
    if (!isNumber(volume)) return []
    const elsewhere = (place: object): [PaperRecord, PaperRecord] =>
      [record, { ...record, metadata: { ...record.metadata, ...place } }]
    return [
      elsewhere({ volume: String(Number(volume) + 1) }),
      ...isNumber(issue) ? [elsewhere({ issue: String(Number(issue) + 1) })] : [],
      ...isPage(pages) ? [elsewhere({ pages: String(Number.parseInt(pages) + 40) })] : []
    ]
  },
  'one title of other people': (record, others) =>
    others.filter(({ authors }) => lastWord(authors[0]!.name) !== lastWord(record.authors[0]!.name)).slice(0, 2)
      .map(({ authors }) => [record, { ...record, authors }]),
  'one title of a namesake': record => {
    const [first] = record.authors
    const family = /^[\p{Lu}][\p{Ll}]{2,}$/u.exec(lastWord(first!.name))?.[0]
    if (family === undefined || !/^[\p{Lu}][\p{Ll}]+ /u.test(first!.name)) return []
    const initial = [...'QXZ'].find(letter => !first!.name.toUpperCase().includes(letter))!
    return [[record, { ...record, authors: [{ name: `${initial}. ${family}` }] }]]
  },
  'a notice about it': record => notices.map(prefix => [record, { ...record, title: prefix + record.title }]),
  'a talk and the article': record => [
    [typed(record, 'journal-article'), { ...typed(record, 'proceedings-article'), venue_name: 'Proceedings of a Conference' }],
    [typed(record, 'article-journal'), typed(record, 'paper-conference')]
  ],
  'a preprint and the article': record => [
    [typed(record, 'journal-article'), { ...typed(record, 'posted-content'), venue_name: 'bioRxiv' }],
    [typed(record, 'journal-article'), { ...record, source: { name: 'json-lines' }, venue_name: 'arXiv preprint', metadata: {} }]
  ],
  'parts and variants of one title': record => [
    ...endings.map(([one, other]): [PaperRecord, PaperRecord] =>
      [{ ...record, title: bare(record.title) + one }, { ...record, title: bare(record.title) + other }]),
    ...beginnings.map(([one, other]): [PaperRecord, PaperRecord] =>
      [{ ...record, title: one + record.title }, { ...record, title: other + record.title }]),
    [record, { ...record, title: `${bare(record.title)}, part II` }]
  ]
}

/** All pairs that the rules make of records with title, authors and year. */
export function hardNegativesOf (records: readonly PaperRecord[]): HardNegative[] {
  return records.flatMap((record, at) => {
    // Neighbors are often of one file and subject.
    const others = [7, 31, 101].map(distance => records[(at + distance) % records.length]!)
    return Object.entries(changes).flatMap(([kind, change]) =>
      change(record, others).map(([one, other]) => ({ kind, of: record, one, other })))
  })
}

/** The record as one of a kind. */
function typed (record: PaperRecord, type: string): PaperRecord {
  const { publication_types: _types, preprint: _preprint, ...metadata } = record.metadata
  return { ...record, venue_name: 'Journal of Results', source: { name: 'json-lines' }, metadata: { ...metadata, type } }
}

const laterBy = (years: number, date: string) => `${Number(date.slice(0, 4)) + years}${date.slice(4)}`
const isNumber = (value: unknown): value is string => typeof value === 'string' && /^\d{1,6}$/.test(value)
const isPage = (value: unknown): value is string => typeof value === 'string' && /^\d{1,6}(?:\s*[-–]\s*\d+)?$/.test(value)
const lastWord = (name: string) => name.trim().split(/\s+/).at(-1)!
const bare = (title: string) => title.replace(/[.\s]+$/, '')
