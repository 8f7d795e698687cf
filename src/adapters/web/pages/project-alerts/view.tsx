import type { Project } from '../../../../../schemas/project.js'
import type { alertGet } from '../../../../operations/alerts/alert-get.js'
import { Copy } from '../../components/copy.js'
import { Select, Field, Form, Checkbox } from '../../components/form.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'

type Alert = Awaited<ReturnType<typeof alertGet.run>>

interface AlertsProps { project: Project, alerts: readonly Alert[], mail: boolean, ownAddress: string }

const frequencies = {
  daily: { value: 'daily', label: 'Once a day' },
  weekly: { value: 'weekly', label: 'Once a week' },
  immediate: { value: 'immediate', label: 'Immediately' }
} as const

/** The page of a project's alerts. */
export function ProjectAlerts ({ project, alerts, mail, ownAddress }: AlertsProps) {
  return (
    <>
      <h1>Alerts</h1>
      <p class='lead after-title'>Get new papers by email or webhook. Each paper is sent once.</p>
      {alerts.length === 0
        ? (
          <p class='quiet-text'>No alerts yet.</p>
          )
        : (
          <ul class='alert-list'>
            {alerts.map(alert => (
              <AlertRow key={alert.id} alert={alert} paused={project.matching_state === 'paused'} />
            ))}
          </ul>
          )}
      <section aria-labelledby='new-alert'>
        <h2 id='new-alert'>New alert</h2>
        <div class='beside'>
          <div class='panel stack'>
            <h3>Email</h3>
            {mail
              ? (
                <Form action='email' class='stack'>
                  <Field
                    id='email-target'
                    name='target'
                    label='Email address'
                    type='email'
                    value={ownAddress}
                    autocomplete='email'
                    required
                  />
                  <Select
                    id='email-frequency'
                    name='frequency'
                    label='Frequency'
                    value='daily'
                    options={[frequencies.daily, frequencies.weekly]}
                  />
                  <Checkbox id='email-must-read' name='must_read' label='Must-read papers only' checked />
                  <button>Add email alert</button>
                </Form>
                )
              : <p class='quiet-text'>Email is not set up on this service. Use a webhook, or the Atom feed under Settings.</p>}
          </div>
          <div class='panel stack'>
            <h3>Webhook</h3>
            <Form action='webhook' class='stack'>
              <Field
                id='webhook-target'
                name='target'
                label='Address'
                type='url'
                placeholder='https://example.org/new-papers'
                hint='Receives new papers as a JSON POST, signed per Standard Webhooks.'
                required
              />
              <Select
                id='webhook-frequency'
                name='frequency'
                label='Frequency'
                value='immediate'
                options={[frequencies.immediate, frequencies.daily, frequencies.weekly]}
              />
              <Checkbox id='webhook-must-read' name='must_read' label='Must-read papers only' />
              <button>Add webhook</button>
            </Form>
          </div>
        </div>
      </section>
    </>
  )
}

function AlertRow ({
  alert: { id, kind, target, frequency, must_read, last_sent_at, next_send_at, last_error, secret },
  paused
}: {
  alert: Alert
  paused: boolean
}) {
  const { url } = useView()
  return (
    <li>
      <div class='alert-text'>
        <p class='alert-target'><span class='badge'>{kind === 'email' ? 'email' : 'webhook'}</span> <strong>{target}</strong></p>
        <p class='quiet-text'>
          {frequencies[frequency].label}, {must_read ? 'must-read papers only' : 'all papers'} · last sent{' '}
          <Time at={last_sent_at} precise /> ·{' '}
          {paused
            ? (
                'paused with the project'
              )
            : (
              <>
                next <Time at={next_send_at} precise />
              </>
              )}
        </p>
        {last_error !== null && <p class='alert-error'><span class='badge bad'>failed</span> {last_error}</p>}
        {secret !== undefined && (
          <details class='fold'>
            <summary>Signing secret</summary>
            <Copy text={secret} label={`the signing secret of ${target}`} />
          </details>
        )}
      </div>
      <Form action='delete' address={url}>
        <input type='hidden' name='alert_id' value={id} />
        <button class='quiet' aria-label={`Delete the alert to ${target}`}>Delete</button>
      </Form>
    </li>
  )
}
