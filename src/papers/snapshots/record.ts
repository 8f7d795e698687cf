import type { KeyedCaller } from '../../../db/caller.js'
import type { SnapshotRow } from '../../../db/queries/snapshots.js'
import { mebibytes } from '../../../schemas/mebibytes.js'
import { type Snapshot, maxAccountSnapshotBytes, maxSnapshots } from '../../../schemas/snapshot.js'
import { dayOf } from '../../../schemas/utc-time.js'
import { InvalidArguments, NotFound } from '../../errors/operation-errors.js'
import { slugOf } from '../identity.js'

/** The database compares these as it inserts a snapshot, since concurrent calls could exceed them together. */
export const snapshotBounds = { maxSnapshots, maxBytes: maxAccountSnapshotBytes }

/** Why a project cannot have another snapshot. */
export const fullReasons = {
  'too many': `The project has ${maxSnapshots} snapshots, the maximum. Delete one first.`,
  'too large': `Your snapshots have ${mebibytes(maxAccountSnapshotBytes)}, the maximum. Download and delete some first.`
} as const

/** The same, for the caller: a key for some projects learns no totals of the account. */
export const fullReasonFor = ({ key }: Pick<KeyedCaller, 'key'>, reason: keyof typeof fullReasons): string =>
  key?.projectIds != null && reason === 'too large'
    ? 'The account has no space left for another snapshot. Download and delete some first.'
    : fullReasons[reason]

/** Converts a stored snapshot to the published record. */
export function snapshotOf (row: SnapshotRow, baseUrl: string): Snapshot {
  const { id, project_id, since, until, scheduled, requested_at, error, frozen_at, sha256, bytes, published_at } = row
  const url = snapshotUrl(baseUrl, row)
  const publicUrl = published_at === null || sha256 === null ? null : publicSnapshotUrl(baseUrl, sha256)
  return {
    id,
    project_id,
    state: frozen_at !== null ? 'frozen' : error !== null ? 'failed' : 'freezing',
    error,
    since: since?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
    scheduled,
    requested_at: requested_at.toISOString(),
    frozen_at: frozen_at?.toISOString() ?? null,
    sha256,
    bytes,
    url,
    published_at: published_at?.toISOString() ?? null,
    public_url: publicUrl,
    citation: frozen_at === null || sha256 === null ? null : citationOf({ ...row, frozen_at, sha256 }, publicUrl ?? url)
  }
}

/** The parts of a snapshot's citation. */
interface Cited { project_name: string, frozen_at: Date, sha256: string }

/** How to cite a snapshot. @param url of the page to name */
export const citationOf = ({ project_name, frozen_at, sha256 }: Cited, url: string) =>
  `${project_name}, snapshot of ${dayOf(frozen_at)}, sha256:${sha256}, ${url}`

/** The name of a snapshot's archive. */
export const archiveNameOf = ({ project_name, frozen_at, sha256 }: Cited) =>
  `${slugOf(project_name)}-${dayOf(frozen_at)}-${sha256.slice(0, 8)}.zip`

/** The address of a snapshot's page for its owner. */
export const snapshotUrl = (baseUrl: string, { id, project_id }: { id: string, project_id: string }) =>
  `${baseUrl}/projects/${project_id}/snapshots/${id}`

/** The address of a snapshot's page for anyone, while it is published: what is cited names it. */
export const publicSnapshotUrl = (baseUrl: string, sha256: string) => `${baseUrl}/snapshots/${sha256}`

export const snapshotNotFound = () =>
  new NotFound('This snapshot does not exist. GET /api/projects/{project_id}/snapshots lists them.', {
    userMessage: 'This snapshot doesn’t exist. It may have been deleted.'
  })

export const snapshotNotFrozen = () =>
  new InvalidArguments(
    'The snapshot is not frozen yet. Wait until GET /api/projects/{project_id}/snapshots lists it with frozen_at.',
    { userMessage: 'This snapshot is not frozen yet. Try again in a few minutes.' }
  )

/** A snapshot that is not published looks like one that never existed. */
export const publishedSnapshotNotFound = () =>
  new NotFound('No snapshot is published at this address. Its owner can publish it again.', {
    userMessage: 'No snapshot is published at this address.'
  })
