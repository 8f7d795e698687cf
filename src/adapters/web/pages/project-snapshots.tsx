import { Type } from 'typebox'
import type { Snapshot } from '../../../../schemas/snapshot.js'
import { projectsGet } from '../../../operations/projects/projects-get.js'
import { snapshotCreate } from '../../../operations/snapshots/snapshot-create.js'
import { snapshotDelete } from '../../../operations/snapshots/snapshot-delete.js'
import { snapshotDownload } from '../../../operations/snapshots/snapshot-download.js'
import { snapshotGet } from '../../../operations/snapshots/snapshot-get.js'
import { snapshotPublish } from '../../../operations/snapshots/snapshot-publish.js'
import { snapshotSchedule } from '../../../operations/snapshots/snapshot-schedule.js'
import { snapshotUnpublish } from '../../../operations/snapshots/snapshot-unpublish.js'
import { snapshotsList } from '../../../operations/snapshots/snapshots-list.js'
import { accountPage, action, downloadPage } from '../page.js'
import { SnapshotList } from './project-snapshots/list.js'
import { SnapshotView } from './project-snapshots/view.js'

const listPath = (projectId: string) => `/projects/${projectId}/snapshots`
const snapshotPath = (projectId: string, id: string) => `${listPath(projectId)}/${id}`

/** A project's snapshots. */
export const projectSnapshotsPage = accountPage({
  url: '/projects/:project_id/snapshots',
  operations: [projectsGet, snapshotsList],
  query: projectsGet.input,
  async show (context, { project_id }) {
    const project = await projectsGet.run(context, { project_id })
    const snapshots = await snapshotsList.run(context, { project_id })
    return { title: `Snapshots of ${project.name}`, project, content: <SnapshotList project={project} snapshots={snapshots} /> }
  },
  actions: {
    freeze: action({
      operations: [snapshotCreate],
      fields: Type.Pick(snapshotCreate.input, ['since', 'until']),
      async run (context, { project_id, since, until }) {
        await snapshotCreate.run(context, { project_id, since, until })
        return { to: listPath(project_id), notice: 'The snapshot is being frozen. It takes a few seconds.' }
      }
    }),
    schedule: action({
      operations: [snapshotSchedule],
      fields: Type.Object({ schedule: Type.Optional(snapshotSchedule.input.properties.schedule) }),
      async run (context, { project_id, schedule }) {
        const saved = await snapshotSchedule.run(context, { project_id, schedule: schedule ?? null })
        return { to: listPath(project_id), notice: saved.schedule === null ? 'Schedule removed.' : 'Schedule saved.' }
      }
    }),
    delete: action({
      operations: [snapshotDelete],
      fields: Type.Pick(snapshotDelete.input, ['snapshot_id']),
      async run (context, { project_id, snapshot_id }) {
        await snapshotDelete.run(context, { project_id, snapshot_id })
        return { to: listPath(project_id), notice: 'Snapshot deleted.' }
      }
    })
  }
})

/** A snapshot with its counts and sources. */
export const projectSnapshotPage = accountPage({
  url: '/projects/:project_id/snapshots/:snapshot_id',
  operations: [projectsGet, snapshotGet],
  query: snapshotGet.input,
  async show (context, { project_id, snapshot_id }) {
    const snapshot = await snapshotGet.run(context, { project_id, snapshot_id })
    const project = await projectsGet.run(context, { project_id })
    return { title: `${snapshotTitle(snapshot)} of ${project.name}`, project, content: <SnapshotView snapshot={snapshot} /> }
  },
  actions: {
    publish: action({
      operations: [snapshotPublish],
      fields: Type.Object({}),
      async run (context, { project_id, snapshot_id }) {
        await snapshotPublish.run(context, { project_id, snapshot_id })
        return { to: snapshotPath(project_id, snapshot_id), notice: 'Snapshot published. Anyone can open its public address.' }
      }
    }),
    unpublish: action({
      operations: [snapshotUnpublish],
      fields: Type.Object({}),
      async run (context, { project_id, snapshot_id }) {
        await snapshotUnpublish.run(context, { project_id, snapshot_id })
        return { to: snapshotPath(project_id, snapshot_id), notice: 'Snapshot unpublished. Its public address no longer works.' }
      }
    })
  }
})

/** A snapshot as a download. */
export const snapshotArchivePage = downloadPage({
  url: '/projects/:project_id/snapshots/:snapshot_id/archive',
  operations: [snapshotDownload],
  query: snapshotDownload.input,
  async show (context, input) {
    const { media_type, file_name, parts } = await snapshotDownload.run(context, input)
    return { file: { body: parts, type: media_type, name: file_name } }
  }
})

const snapshotTitle = ({ frozen_at }: Pick<Snapshot, 'frozen_at'>) =>
  frozen_at === null ? 'Snapshot' : `Snapshot of ${frozen_at.slice(0, 10)}`
