import { Option } from 'commander'
import { type Alert, awaitsConfirmation, frequencies, weekdays } from '../../schemas/alert.js'
import { projectOwner } from '../operations/projects/project-owner.js'
import { accountFind } from '../operations/accounts/account-find.js'
import { alertCreate } from '../operations/alerts/alert-create.js'
import { alertDelete } from '../operations/alerts/alert-delete.js'
import { alertsList } from '../operations/alerts/alerts-list.js'
import { actingForAccount, actingForOwner } from './acting-for.js'
import type { Command } from './command.js'
import { choices, defaultOf, emailOption, rangeOf } from './option-texts.js'
import { withService } from './with-service.js'

const { properties } = alertCreate.input

/** Creates an alert for the owner of a project. */
export const alertCreateCommand: Command = {
  name: 'alert create',
  summary: 'send new papers by email or webhook',
  operations: [projectOwner, alertCreate],
  declare: program => program.requiredOption('--project <id>', 'id of the project')
    .addOption(new Option('--mail <address>', 'recipient of an email digest').conflicts('webhook'))
    .option('--webhook <url>', 'address of a webhook')
    .option('--frequency <frequency>', `${choices(frequencies)} (immediate: webhooks only); default: ${defaultOf(properties.frequency)}`)
    .option('--weekday <day>', `day of weekly digests: ${choices(weekdays)}; default: ${defaultOf(properties.weekday)}`)
    .option('--hour <hour>', `hour of digests in the time zone of the account, ${rangeOf(properties.hour)}; default: ` +
      defaultOf(properties.hour))
    .option('--must-read', 'must-read papers only'),
  run (terminal, { project, mail, webhook, frequency, weekday, hour, mustRead }) {
    const kind = webhook === undefined ? 'email' : 'webhook'
    const input = alertCreate.check(
      { project_id: project, kind, target: webhook ?? mail ?? '', frequency, weekday, hour, must_read: mustRead === true },
      { encoding: 'text' }
    )
    return withService(terminal, async service => {
      const alert = await alertCreate.run(await actingForOwner(service, input.project_id), input)
      const secret = alert.secret === undefined ? [] : [`Signing secret: ${alert.secret}`]
      terminal.print(alert, [`Created. Id: ${alert.id}`, ...deliveryLines(alert), ...secret].join('\n'))
    })
  }
}

export const alertListCommand: Command = {
  name: 'alert list',
  summary: 'list the alerts of a project',
  operations: [projectOwner, alertsList],
  declare: program => program.requiredOption('--project <id>', 'id of the project'),
  run (terminal, { project }) {
    const input = alertsList.check({ project_id: project }, { encoding: 'text' })
    return withService(terminal, async service => {
      const result = await alertsList.run(await actingForOwner(service, input.project_id), input)
      const lines = result.items.map(alert => {
        const { id, kind, target, frequency } = alert
        return [`${id}  ${kind} ${frequency}  ${target}`, ...deliveryLines(alert).map(line => `    ${line}`)].join('\n')
      })
      terminal.print(result, lines.join('\n') || 'No alerts yet.')
    })
  }
}

/** When an alert is next sent, and why not before. */
const deliveryLines = (alert: Alert): string[] => [deliveryLine(alert), ...(alert.last_error === null ? [] : [alert.last_error])]

function deliveryLine (alert: Alert): string {
  if (alert.unsubscribed_at === null) return `Next delivery: ${alert.next_send_at}`
  return awaitsConfirmation(alert)
    ? 'Not sent yet: the alert waits for confirmation with the link that its recipient gets by email.'
    : 'Not sent: the recipient unsubscribed, and can subscribe again with a link.'
}

export const alertDeleteCommand: Command = {
  name: 'alert delete',
  summary: 'delete an alert',
  operations: [accountFind, alertDelete],
  declare: program => program.argument('<id>', 'id of the alert').requiredOption(...emailOption),
  run (terminal, { email }, [id]) {
    const input = alertDelete.check({ alert_id: id }, { encoding: 'text' })
    return withService(terminal, async service => {
      await alertDelete.run(await actingForAccount(service, email), input)
      terminal.print({ alert_id: input.alert_id, deleted: true }, 'Deleted.')
    })
  }
}
