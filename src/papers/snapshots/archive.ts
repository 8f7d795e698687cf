import type { PrismaFlow } from '../../../schemas/snapshot.js'
import { DeletedMeanwhile } from '../../errors/operation-errors.js'
import { type ZipMember, writeZip } from '../../files/zip.js'
import { createYielder } from '../../threads/yielder.js'
import { byteOrderMark, csvRow } from '../citations/csv.js'
import { ris } from '../citations/ris.js'
import { describeNotices } from '../notices.js'
import { type SnapshotRecord, paperOfRecord, recordsIn } from './document.js'
import { flowRows } from './flow.js'
import { version } from '../../settings/version.js'

/** A frozen snapshot, as its archive describes it. */
export interface FrozenSnapshot {
  /** With the public address, whether or not it is published: the archive of a snapshot is always the same. */
  citation: string
  project_name: string
  frozen_at: Date
  sha256: string
  /** Number of the parts of its document. */
  parts: number
  flow: PrismaFlow
}

/** Names of the files in an archive. */
export const archiveNames = {
  readme: 'README.txt',
  document: 'snapshot.json',
  hash: 'SHA256SUMS',
  table: 'records.csv',
  references: 'records.ris',
  included: 'included.ris',
  flow: 'prisma.csv'
} as const

const columns: ReadonlyArray<[name: string, value: (record: SnapshotRecord) => string | number | null]> = [
  ['decision', ({ decision }) => decision],
  ['reason', ({ reason }) => reason],
  ['vote', ({ vote }) => vote],
  ['voted_at', ({ voted_at }) => voted_at],
  ['score', ({ score }) => score],
  ['entered_at', ({ entered_at }) => entered_at],
  ['origin', ({ origin }) => origin],
  ['found_by', ({ found_by, source }) => (found_by ?? [source]).join('; ')],
  ['found_earlier', ({ found_earlier }) => found_earlier === true ? 'yes' : null],
  ['title', ({ title }) => title],
  ['authors', ({ authors }) => authors.join('; ')],
  ['published_date', ({ published_date }) => published_date],
  ['venue', ({ venue }) => venue],
  ['doi', ({ doi }) => doi],
  ['pmid', ({ pmid }) => pmid],
  ['pmcid', ({ pmcid }) => pmcid],
  ['arxiv', ({ arxiv }) => arxiv],
  ['openalex', ({ openalex }) => openalex],
  ['url', ({ url }) => url],
  ['notices', record => describeNotices(paperOfRecord(record).metadata) ?? null],
  ['id', ({ id }) => id]
]

const decisionTitles: Readonly<Record<SnapshotRecord['decision'], string>> = {
  included: 'included',
  included_unscreened: 'included from other sources, not screened',
  excluded: 'excluded',
  not_screened: 'not screened',
  excluded_automatically: 'excluded automatically'
}

const isIncluded = ({ decision }: SnapshotRecord) => decision === 'included' || decision === 'included_unscreened'

const decisionNote = ({ decision, reason }: SnapshotRecord) =>
  `Decision: ${decisionTitles[decision]}${reason === null ? '' : ` (${reason.replace('_', ' ')})`}`

const writeRis = (record: SnapshotRecord) => ris.write(paperOfRecord(record), new Map(), { tags: [], note: decisionNote(record) })

/** The files that follow from a document alone, each in pieces. */
export const derivedFiles: Readonly<Record<string, {
  begin: string
  piece: (record: SnapshotRecord) => string
}>> = {
  [archiveNames.table]: {
    begin: `${byteOrderMark}${csvRow(columns.map(([name]) => name))}`,
    piece: record => csvRow(columns.map(([, value]) => value(record)))
  },
  [archiveNames.references]: { begin: '', piece: record => `${writeRis(record)}\n` },
  [archiveNames.included]: { begin: '', piece: record => isIncluded(record) ? `${writeRis(record)}\n` : '' }
}

/** The counts of records as a table; unknown ones are empty. */
export const flowTable = (flow: PrismaFlow): string =>
  [byteOrderMark, csvRow(['stage', 'box', 'records']), ...flowRows(flow).map(csvRow)].join('')

const readme = ({ citation, project_name, frozen_at, sha256, flow }: FrozenSnapshot) => `${project_name}
Snapshot of ${frozen_at.toISOString()}
Written by Litfeed ${version}

Cite as:
  ${citation}
  The address shows the snapshot while its owner publishes it. The hash identifies it in any case.

Files
  ${archiveNames.document}  everything that was frozen, as canonical JSON (RFC 8785): project, sources with their
                 queries and states, model, every record with its decision, counts
  ${archiveNames.hash}     SHA-256 of ${archiveNames.document}: ${sha256}
  ${archiveNames.table}    the records with their decisions as a table
  ${archiveNames.references}    the records as references, each with its decision as a note
  ${archiveNames.included}   the included records alone
  ${archiveNames.flow}     counts for a PRISMA 2020 flow diagram

Verify
  litfeed snapshot verify FILE.zip
    checks the hash, counts the records again and writes the tables and references again, offline.
  sha256sum -c ${archiveNames.hash}
    checks the hash without Litfeed.

Decisions
  included: upvoted or starred. excluded: downvoted. not_screened: shown, without a vote.
  included_unscreened: upvoted by an import or as an example alone.
  excluded_automatically: below the minimum score, with an excluded keyword or beyond the weekly limit; not in the feed then.
  Votes do not distinguish abstract screening from full-text screening, so the boxes of reports are empty.
  found_earlier: found before the period, but not in the feed then; it counts as identified in the period in which it was found.
  Each imported file is a source, by its format and name. A record that one source returned several times counts once.
${flow.identified.one_source_known === 0
  ? ''
  : `  ${flow.identified.one_source_known} papers are from versions of Litfeed that did not record every source of a paper. ` +
    'Each counts for one source; further records of them, and duplicates among these, are not known.\n'}
Abstracts, notes, tags and full texts are not part of a snapshot.
`

/**
 * Yields the archive of a snapshot. @param read reads the parts of its document from the start
 * @throws DeletedMeanwhile once parts are missing, since an archive without them would look complete
 */
export const snapshotArchive = (snapshot: FrozenSnapshot, read: () => AsyncIterable<string>): AsyncIterable<Buffer> => {
  const parts = () => requireParts(read(), snapshot.parts)
  const members: ZipMember[] = [
    { name: archiveNames.readme, parts: [readme(snapshot)] },
    { name: archiveNames.document, parts: parts() },
    { name: archiveNames.hash, parts: [`${snapshot.sha256}  ${archiveNames.document}\n`] },
    ...Object.keys(derivedFiles).map(name => ({ name, parts: derive(name, parts) })),
    { name: archiveNames.flow, parts: [flowTable(snapshot.flow)] }
  ]
  return writeZip(members, snapshot.frozen_at)
}

async function * requireParts (parts: AsyncIterable<string>, count: number): AsyncIterable<string> {
  let yielded = 0
  for await (const part of parts) {
    yielded++
    yield part
  }
  if (yielded < count) throw new DeletedMeanwhile()
}

async function * derive (name: string, parts: () => AsyncIterable<string>): AsyncIterable<string> {
  const { begin, piece } = derivedFiles[name]!
  yield begin
  const yieldIfDue = createYielder()
  for await (const part of parts()) {
    // The first and the last part have no records.
    if (part.startsWith('{"about"') || part.startsWith(']')) continue
    const pieces: string[] = []
    for (const record of recordsIn(part)) {
      pieces.push(piece(record))
      await yieldIfDue()
    }
    yield pieces.join('')
  }
}
