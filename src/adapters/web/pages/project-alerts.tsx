import { Type } from 'typebox'
import { alertCreate } from '../../../operations/alerts/alert-create.js'
import { alertDelete } from '../../../operations/alerts/alert-delete.js'
import { alertGet } from '../../../operations/alerts/alert-get.js'
import { alertsList } from '../../../operations/alerts/alerts-list.js'
import { projectsGet } from '../../../operations/projects/projects-get.js'
import { accountPage, action } from '../page.js'
import { ProjectAlerts } from './project-alerts/view.js'

const AlertFields = Type.Pick(alertCreate.input, ['target', 'frequency', 'must_read'])

/** A project's alerts: email and webhooks. */
export const projectAlertsPage = accountPage({
  url: '/projects/:project_id/alerts',
  operations: [projectsGet, alertsList, alertGet],
  query: projectsGet.input,
  async show (context, { project_id }, { account }) {
    const [project, { items, mail }] = await Promise.all([
      projectsGet.run(context, { project_id }),
      alertsList.run(context, { project_id })
    ])
    // alertGet returns the secrets, alertsList does not.
    const alerts = await Promise.all(items.map(async ({ id }) => await alertGet.run(context, { alert_id: id })))
    return {
      title: `Alerts of ${project.name}`,
      project,
      content: <ProjectAlerts project={project} alerts={alerts} mail={mail} ownAddress={account!.email} />
    }
  },
  actions: {
    email: action({
      operations: [alertCreate],
      fields: AlertFields,
      async run (context, { project_id, target, frequency, must_read }) {
        await alertCreate.run(context, { project_id, kind: 'email', target, must_read, frequency })
        return { to: alertsOf(project_id), notice: `Email alert to ${target} created.` }
      }
    }),
    webhook: action({
      operations: [alertCreate],
      fields: AlertFields,
      async run (context, { project_id, target, frequency, must_read }) {
        await alertCreate.run(context, { project_id, kind: 'webhook', target, must_read, frequency })
        return { to: alertsOf(project_id), notice: 'Webhook created. Copy its signing secret below into the receiving program.' }
      }
    }),
    delete: action({
      operations: [alertGet, alertDelete],
      fields: alertDelete.input,
      async run (context, { project_id, alert_id }) {
        const { target } = await alertGet.run(context, { alert_id })
        await alertDelete.run(context, { alert_id })
        return { to: alertsOf(project_id), notice: `Alert to ${target} deleted.` }
      }
    })
  }
})

const alertsOf = (projectId: string) => `/projects/${projectId}/alerts`
