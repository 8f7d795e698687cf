import { findAccount } from '../../../db/queries/accounts.js'
import { listAlerts } from '../../../db/queries/alerts.js'
import { AlertsListResult } from '../../../schemas/alert.js'
import { ProjectInput } from '../../../schemas/project.js'
import { requireRecord } from '../../errors/deleted-records.js'
import { operation } from '../operation.js'
import { requireProject } from '../require-project.js'
import { alertOf } from '../../alerts/records.js'

/** @throws ProjectNotFound */
export const alertsList = operation({
  name: 'alerts_list',
  title: 'List alerts',
  description: 'Returns the alerts of a project.',
  input: ProjectInput,
  output: AlertsListResult,
  async handler ({ db, account, alerts: { mailer } }, { project_id }) {
    await requireProject({ db, account }, project_id)
    const items = (await listAlerts(db, account.id, project_id)).map(alertOf)
    const { time_zone } = requireRecord(await findAccount(db, account.id))
    return { items, total: items.length, mail: mailer !== undefined, time_zone }
  }
})
