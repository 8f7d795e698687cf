import { type Static, Type } from 'typebox'
import { candidateRetentionDays } from './candidate.js'
import { count, time } from './fields.js'
import { ProjectReference, Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'

/** Snapshots that a project may have: five years of monthly ones. */
export const maxSnapshots = 60
/** Bytes of one snapshot's document: more than 100,000 papers. */
export const maxSnapshotBytes = 192 * 1024 * 1024
/** Bytes of all snapshots of an account. */
export const maxAccountSnapshotBytes = 1024 * 1024 * 1024

/** What papers that a person added one by one count under, in place of the source that described them. */
export const singleAddition = 'added'

/** How often a project freezes a snapshot by itself. */
const snapshotSchedules = ['weekly', 'monthly'] as const
export type SnapshotSchedule = typeof snapshotSchedules[number]

/** The flow of records as PRISMA 2020 draws it. */
export const PrismaFlow = Type.Object({
  identified: Type.Object({
    records: count('Records of all sources. A record that one source returned several times counts once.'),
    sources: Type.Array(Type.Object({
      name: Type.String({ description: 'Name of the source, or format of the file.' }),
      title: Type.String({ description: 'The same for people.' }),
      records: count('Number of its records.')
    }), { description: 'By source, most records first. A paper counts for each source that found it.' }),
    one_source_known: count(
      'Papers from versions of Litfeed that did not record every source of a paper: they count for one source, so further records ' +
      'of them and their duplicates are not known.'
    )
  }, { description: 'Identification.' }),
  identified_earlier: Type.Optional(count(
    'Papers that were found before the period and entered the feed in it: the period in which they were found counts them as ' +
    'identified; absent if there are none.'
  )),
  duplicates_removed: count('Records of papers that another source had found too.'),
  excluded_automatically: Type.Object({
    records: count('Papers below the minimum score, with an excluded keyword or beyond the weekly limit, which were not in the feed.'),
    listed: count(
      `Those of them that the snapshot lists; Litfeed deletes others after ${candidateRetentionDays} days and keeps their number.`
    )
  }, { description: 'Excluded by automation.' }),
  screened: count('Papers with a vote, except of an import.'),
  not_screened: count('Papers in the feed without a vote.'),
  excluded: Type.Object({
    records: count('Downvoted papers.'),
    reasons: Type.Array(Type.Object({
      reason: Words(['not_relevant', 'low_quality', 'none'], { description: 'Reason of the downvote.' }),
      records: count('Papers with it.')
    }), { description: 'By reason.' })
  }, { description: 'Excluded in screening.' }),
  included: Type.Object({
    records: count('Upvoted and starred papers.'),
    starred: count('Starred papers.')
  }, { description: 'Included.' }),
  included_unscreened: Type.Optional(count('Papers with the upvote of an import alone; absent if there are none.')),
  reports_sought: Type.Null({ description: 'Not known: Litfeed does not record which full texts were sought.' }),
  reports_not_retrieved: Type.Null({ description: 'Not known.' }),
  reports_assessed: Type.Null({ description: 'Not known: votes do not distinguish abstract screening from full-text screening.' })
}, { description: 'PRISMA 2020 flow of records.' })
export type PrismaFlow = Static<typeof PrismaFlow>

/** A source of the project as it was. */
export const SnapshotSource = Type.Object({
  name: Type.String({ description: 'Name of the source.' }),
  title: Type.String({ description: 'The same for people.' }),
  query: Type.String({ description: 'The query that is sent; the host alone of a journal feed.' }),
  state: Words(['complete', 'failing', 'not_fetched'], { description: 'complete: the last fetch succeeded.' }),
  last_fetched_at: Nullable(time(), 'When the last successful fetch ended.'),
  fetched_through: Nullable(Type.String({ format: 'date' }), 'Last day that a complete fetch covered.')
}, { description: 'A source of the project.' })
export type SnapshotSource = Static<typeof SnapshotSource>

/** The model that scored. */
export const SnapshotModel = Type.Object({
  version: Nullable(Type.Integer(), 'Version of the model\'s form; null: nothing was learned yet.'),
  program: Type.String({ description: 'Version of Litfeed, whose constants scored.' }),
  trained_at: Nullable(time(), 'When it learned last.'),
  sha256: Nullable(Type.String(), 'Of its weights and learned words.'),
  liked: count('Votes for papers that it learned from.'),
  disliked: count('Votes against papers that it learned from.'),
  wanted: Type.Array(Type.String(), { description: 'Learned words that raise scores.' }),
  unwanted: Type.Array(Type.String(), { description: 'Learned words that lower scores.' })
}, { description: 'The model that scored.' })
export type SnapshotModel = Static<typeof SnapshotModel>

/** The head of a snapshot, before its records, and their counts. */
export const SnapshotSummary = Type.Object({
  sources: Type.Array(SnapshotSource, { description: 'Sources and queries as they were.' }),
  model: SnapshotModel,
  records: count('Records in the document.'),
  flow: PrismaFlow
})
export type SnapshotSummary = Static<typeof SnapshotSummary>

/** A snapshot. */
export const Snapshot = Type.Object({
  id: Uuid,
  project_id: Uuid,
  state: Words(['freezing', 'frozen', 'failed'], { description: 'freezing: a job is running.' }),
  error: Nullable(Type.String(), 'Why it failed.'),
  since: Nullable(time(), 'Papers that were added since then; null: all.'),
  until: Nullable(time(), 'Papers that were added before then.'),
  scheduled: Type.Boolean({ description: 'Whether the project\'s schedule asked for it.' }),
  requested_at: time(),
  frozen_at: Nullable(time(), 'The time of the data that it describes.'),
  sha256: Nullable(Type.String(), 'SHA-256 of snapshot.json in its archive.'),
  bytes: count('Size of snapshot.json.'),
  url: Type.String({ description: 'Address of its page for its owner, who signs in.' }),
  published_at: Nullable(time(), 'Since when anyone can read it; null: it is not published.'),
  public_url: Nullable(Type.String(), 'Address of its public page, which ends with its hash; null: it is not published.'),
  citation: Nullable(Type.String(), 'To cite it: name, date, hash, and public_url, or url while it is not published.')
}, { description: 'A project\'s review, frozen at one moment.' })
export type Snapshot = Static<typeof Snapshot>

/** A snapshot with its counts. */
export const SnapshotDetails = Type.Object({
  ...Snapshot.properties,
  summary: Nullable(SnapshotSummary, 'Null until it is frozen.')
})
export type SnapshotDetails = Static<typeof SnapshotDetails>

/** A published snapshot as anyone sees it. */
export const PublishedSnapshot = Type.Object({
  project_name: Type.String({ description: 'Name of the project.' }),
  ...Type.Pick(Snapshot, ['since']).properties,
  until: time('Papers that were added before then.'),
  frozen_at: time('The time of the data that it describes.'),
  published_at: time('When it was published.'),
  sha256: Type.String({ description: 'SHA-256 of snapshot.json in its archive.' }),
  citation: Type.String({ description: 'To cite it: name, date, hash and public address.' }),
  summary: SnapshotSummary
}, { description: 'A published snapshot.' })
export type PublishedSnapshot = Static<typeof PublishedSnapshot>

/** The hash that names a published snapshot. */
export const PublishedSnapshotInput = Type.Object({
  sha256: Type.String({ minLength: 64, maxLength: 64, description: 'SHA-256 of the snapshot, in hexadecimal digits.' })
}, { additionalProperties: false })

/** A snapshot as a file. */
export const SnapshotArchive = Type.Object({
  media_type: Type.String({ description: 'Media type of the archive.' }),
  file_name: Type.String({ description: 'Name of the archive.' }),
  parts: Type.Unsafe<AsyncIterable<Buffer>>(Type.Unknown({ description: 'The archive in pieces.' }))
})

/** The period to freeze. */
export const SnapshotCreateInput = Type.Object({
  project_id: ProjectReference,
  since: Type.Optional(Type.String({ maxLength: 64, description: 'Papers that were added since then: 2026-11-01 or 30d. Default: all.' })),
  until: Type.Optional(Type.String({ maxLength: 64, description: 'Papers that were added before then. Default: now.' }))
}, { additionalProperties: false })

/** Names a snapshot. */
export const SnapshotReference = Type.Object({
  project_id: ProjectReference,
  snapshot_id: Type.String({ format: 'uuid', description: 'The snapshot\'s UUID.' })
}, { additionalProperties: false })

/** A project's snapshots, and its schedule. */
export const SnapshotsResult = Type.Object({
  items: Type.Array(Snapshot, { description: 'Newest first.' }),
  schedule: Nullable(Words(snapshotSchedules, { description: 'How often' }), 'How often a snapshot is scheduled; null: never.'),
  next_at: Nullable(time(), 'When the next one is due.'),
  full: Nullable(Type.String(), 'Why no further snapshot can be frozen, including scheduled ones; null if one can.')
})

/** A schedule to set. */
export const SnapshotScheduleInput = Type.Object({
  project_id: ProjectReference,
  schedule: Nullable(
    Words(snapshotSchedules, { description: 'weekly: on Mondays; monthly: on the first day. Midnight UTC.' }),
    'weekly: on Mondays; monthly: on the first day, at midnight UTC; null: never.'
  )
}, { additionalProperties: false })

/** An archive to verify. */
export const SnapshotVerifyInput = Type.Object({
  file: Type.String({ minLength: 1, maxLength: 4096, description: 'Path of the archive.' }),
  hash: Type.Optional(Type.String({ pattern: '^(?:[Ss][Hh][Aa]256:)?[0-9a-fA-F]{64}$', description: 'The hash that was cited: sha256:…' }))
}, { additionalProperties: false })

/** Result of the verification of an archive. */
export const SnapshotVerification = Type.Object({
  valid: Type.Boolean({ description: 'Whether no check failed.' }),
  sha256: Type.String({ description: 'Hash of the document.' }),
  checks: Type.Array(Type.Object({
    check: Type.String({ description: 'What was checked.' }),
    outcome: Words(['passed', 'failed', 'skipped'], { description: 'skipped: another version of Litfeed wrote it otherwise.' }),
    detail: Type.String({ description: 'What was found.' })
  }), { description: 'Every check.' }),
  flow: Nullable(PrismaFlow, 'Counts of the records; null if they cannot be read.')
})
export type SnapshotVerification = Static<typeof SnapshotVerification>
