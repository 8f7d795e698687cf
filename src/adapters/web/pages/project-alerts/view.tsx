import type { Project } from '../../../../../schemas/project.js'
import type { alertGet } from '../../../../operations/alerts/alert-get.js'
import { Copy } from '../../parts/copy.js'
import { Choice, Field, Form, Tick } from '../../parts/form.js'
import { Time } from '../../parts/time.js'
import { useView } from '../../view.js'

type Alert = Awaited<ReturnType<typeof alertGet.run>>

interface AlertsProps { project: Project, alerts: readonly Alert[], mail: boolean, ownAddress: string }

const often = { daily: { value: 'daily', label: 'Once a day' }, weekly: { value: 'weekly', label: 'Once a week' }, immediate: { value: 'immediate', label: 'Within a minute or so' } } as const

export function ProjectAlerts ({ project, alerts, mail, ownAddress }: AlertsProps) {
  return (
    <>
      <h1>Alerts</h1>
      <p class='lead after-title'>Somebody, or a program, is told what enters this feed from now on. Each paper is sent once.</p>
      {alerts.length === 0
        ? <p class='quiet-text'>Nobody is told yet.</p>
        : <ul class='alert-list'>{alerts.map(alert => <AlertRow key={alert.id} alert={alert} paused={project.matching_state === 'paused'} />)}</ul>}
      <section aria-labelledby='new-alert'>
        <h2 id='new-alert'>A new alert</h2>
        <div class='beside'>
          <div class='panel stack'>
            <h3>By mail</h3>
            {mail
              ? (
                <Form action='email' class='stack'>
                  <Field id='email-target' name='target' label='Mail address' type='email' value={ownAddress} action='email' autocomplete='email' required />
                  <Choice id='email-frequency' name='frequency' label='How often' value='daily' options={[often.daily, often.weekly]} />
                  <Tick id='email-must-read' name='must_read' label='Only papers to read' hint='Those that are marked must read.' ticked />
                  <button>Add mail</button>
                </Form>
                )
              : <p class='quiet-text'>This service sends no mail yet. Its operator can set a mail server with the settings <code>SMTP_URL</code> and <code>MAIL_FROM</code>. A webhook works without, and so does the Atom feed under Settings.</p>}
          </div>
          <div class='panel stack'>
            <h3>A webhook</h3>
            <Form action='webhook' class='stack'>
              <Field id='webhook-target' name='target' label='Address' type='url' placeholder='https://example.org/new-papers' hint='It gets the new papers as JSON in a POST, signed as Standard Webhooks has it.' action='webhook' required />
              <Choice id='webhook-frequency' name='frequency' label='How often' value='immediate' options={[often.immediate, often.daily, often.weekly]} />
              <Tick id='webhook-must-read' name='must_read' label='Only papers to read' hint='Those that are marked must read.' />
              <button>Add webhook</button>
            </Form>
          </div>
        </div>
      </section>
    </>
  )
}

function AlertRow ({ alert: { id, kind, target, frequency, must_read, last_sent_at, next_send_at, last_error, secret }, paused }: { alert: Alert, paused: boolean }) {
  const { url } = useView()
  return (
    <li>
      <div class='alert-text'>
        <p class='alert-target'><span class='badge'>{kind === 'email' ? 'mail' : 'webhook'}</span> <strong>{target}</strong></p>
        <p class='quiet-text'>
          {often[frequency].label}, {must_read ? 'only papers to read' : 'all papers'} · last sent <Time at={last_sent_at} precise /> · {paused ? 'paused with the project' : <>next <Time at={next_send_at} precise /></>}
        </p>
        {last_error !== null && <p class='alert-error'><span class='badge bad'>failed</span> {last_error}</p>}
        {secret !== undefined && (
          <details class='fold'>
            <summary>Secret of its signatures</summary>
            <Copy text={secret} label={`the secret of ${target}`} />
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
