import { Type } from 'typebox'
import { alertCreate } from '../../../operations/alerts/alert-create.js'
import { alertDelete } from '../../../operations/alerts/alert-delete.js'
import { alertGet } from '../../../operations/alerts/alert-get.js'
import { alertTest } from '../../../operations/alerts/alert-test.js'
import { alertUpdate } from '../../../operations/alerts/alert-update.js'
import { alertsList } from '../../../operations/alerts/alerts-list.js'
import { projectsGet } from '../../../operations/projects/projects-get.js'
import type { Context } from '../../../operations/context.js'
import { fromText } from '../fields.js'
import { accountPage, action, type PageContent } from '../page.js'
import { ProjectAlerts, type TestedAlert } from './project-alerts/view.js'

const AlertFields = Type.Pick(alertCreate.input, ['target', 'frequency', 'must_read', 'weekday', 'hour'])

/** A project's alerts: email and webhooks. */
export const projectAlertsPage = accountPage({
  url: '/projects/:project_id/alerts',
  operations: [projectsGet, alertsList, alertGet],
  query: projectsGet.input,
  show: async (context, { project_id }, { account }) => await alertsPage(context, project_id!, account!.email),
  actions: {
    email: action({
      operations: [alertCreate],
      fields: AlertFields,
      async run (context, { project_id, target, frequency, must_read, weekday, hour }) {
        const input = { project_id, kind: 'email', target, must_read, frequency, weekday, hour }
        const { unsubscribed_at, last_error } = await alertCreate.run(context, input, fromText)
        const state = unsubscribed_at === null
          ? ''
          : ` It waits for confirmation. ${last_error ?? 'Emails start when the recipient confirms with the link that was mailed to them.'}`
        return { to: alertsOf(project_id), notice: `Email alert to ${target} created.${state}` }
      }
    }),
    webhook: action({
      operations: [alertCreate],
      fields: AlertFields,
      async run (context, { project_id, target, frequency, must_read, weekday, hour }) {
        await alertCreate.run(context, { project_id, kind: 'webhook', target, must_read, frequency, weekday, hour }, fromText)
        return { to: alertsOf(project_id), notice: 'Webhook created. Copy its signing secret below into the receiving program.' }
      }
    }),
    update: action({
      operations: [alertUpdate],
      fields: alertUpdate.input,
      async run (context, { project_id, alert_id, frequency, must_read, weekday, hour }) {
        const { target } = await alertUpdate.run(context, { alert_id, frequency, must_read, weekday, hour }, fromText)
        return { to: alertsOf(project_id), notice: `Alert to ${target} changed.` }
      }
    }),
    test: action({
      operations: [alertGet, alertTest],
      fields: alertTest.input,
      async run (context, { project_id, alert_id }, { account }) {
        const { kind } = await alertGet.run(context, { alert_id })
        const tested = { kind, ...await alertTest.run(context, { alert_id }) }
        return { page: await alertsPage(context, project_id, account!.email, tested) }
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

async function alertsPage (
  context: Context,
  project_id: string,
  ownAddress: string,
  tested?: TestedAlert
): Promise<PageContent> {
  // First, so that a missing project has one message.
  const project = await projectsGet.run(context, { project_id })
  const { items, mail, time_zone } = await alertsList.run(context, { project_id })
  // alertGet returns the secrets, alertsList does not.
  const alerts = await Promise.all(items.map(async ({ id }) => await alertGet.run(context, { alert_id: id })))
  return {
    title: `Alerts of ${project.name}`,
    project,
    content: <ProjectAlerts {...{ project, alerts, mail, ownAddress, timeZone: time_zone, tested }} />
  }
}

const alertsOf = (projectId: string) => `/projects/${projectId}/alerts`
