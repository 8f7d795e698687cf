import type { SnapshotRow } from '../../../db/queries/snapshots.js'
import { mebibytes } from '../../../schemas/mebibytes.js'
import { type Snapshot, maxAccountSnapshotBytes, maxSnapshots } from '../../../schemas/snapshot.js'
import { NotFound } from '../../errors/operation-errors.js'

/** The database compares these as it inserts a snapshot, since concurrent calls could exceed them together. */
export const snapshotBounds = { maxSnapshots, maxBytes: maxAccountSnapshotBytes }

/** Why a project cannot have another snapshot. */
export const fullReasons = {
  'too many': `The project has ${maxSnapshots} snapshots, the maximum. Delete one first.`,
  'too large': `Your snapshots have ${mebibytes(maxAccountSnapshotBytes)}, the maximum. Download and delete some first.`
} as const

/** Converts a stored snapshot to the published record. */
export function snapshotOf (row: SnapshotRow, baseUrl: string): Snapshot {
  const { id, project_id, project_name, since, until, scheduled, requested_at, error, frozen_at, sha256, bytes } = row
  const url = snapshotUrl(baseUrl, row)
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
    citation: frozen_at === null ? null : `${project_name}, snapshot of ${frozen_at.toISOString().slice(0, 10)}, sha256:${sha256}, ${url}`
  }
}

/** The address of a snapshot's page. */
export const snapshotUrl = (baseUrl: string, { id, project_id }: { id: string, project_id: string }) =>
  `${baseUrl}/projects/${project_id}/snapshots/${id}`

export const snapshotNotFound = () =>
  new NotFound('This snapshot does not exist. GET /api/projects/{project_id}/snapshots lists them.', {
    userMessage: 'This snapshot doesn’t exist. It may have been deleted.'
  })
