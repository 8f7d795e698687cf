import type { Project } from '../../../../../schemas/project.js'
import { awaitsConfirmation, defaultDigestTime, weekdays } from '../../../../../schemas/alert.js'
import type { alertTest } from '../../../../operations/alerts/alert-test.js'
import type { alertGet } from '../../../../operations/alerts/alert-get.js'
import { Confirm } from '../../components/confirm.js'
import { Copy } from '../../components/copy.js'
import { Select, Field, Form, Checkbox, RefusalNotice } from '../../components/form.js'
import { Notice } from '../../components/notice.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'

type Alert = Awaited<ReturnType<typeof alertGet.run>>

/** The outcome of a test that was just sent. */
export type TestedAlert = Pick<Alert, 'kind'> & Awaited<ReturnType<typeof alertTest.run>>

interface AlertsProps {
  project: Project
  alerts: readonly Alert[]
  mail: boolean
  ownAddress: string
  timeZone: string
  tested: TestedAlert | undefined
}

const frequencies = {
  daily: { value: 'daily', label: 'Once a day' },
  weekly: { value: 'weekly', label: 'Once a week' },
  immediate: { value: 'immediate', label: 'Immediately' }
} as const

/** The page of a project's alerts. */
export function ProjectAlerts ({ alerts, mail, ownAddress, timeZone, tested }: AlertsProps) {
  return (
    <>
      <h1>Alerts</h1>
      <p class='lead after-title'>Get new papers by email or webhook. Each paper is sent once.</p>
      {tested !== undefined && <TestNotice {...tested} />}
      <RefusalNotice actions={['update', 'test', 'delete']} />
      {alerts.length === 0
        ? (
          <p class='quiet-text'>No alerts yet.</p>
          )
        : (
          <ul class='alert-list'>
            {alerts.map(alert => (
              <AlertRow key={alert.id} alert={alert} />
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
                  <DigestTime id='email' {...defaultDigestTime} />
                  <TimeZone timeZone={timeZone} />
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
                label='URL'
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
              <DigestTime id='webhook' {...defaultDigestTime} />
              <TimeZone timeZone={timeZone} />
              <Checkbox id='webhook-must-read' name='must_read' label='Must-read papers only' />
              <button>Add webhook</button>
            </Form>
          </div>
        </div>
      </section>
    </>
  )
}

function TestNotice ({ kind, target, error }: TestedAlert) {
  if (kind === 'webhook') {
    return error === null
      ? <Notice kind='good'>The webhook {target} accepted a test.</Notice>
      : <Notice kind='bad'>The webhook {target} did not accept a test. {error}</Notice>
  }
  return error === null
    ? <Notice kind='good'>The mail server accepted a test email to {target}.</Notice>
    : <Notice kind='bad'>No test email was sent to {target}. {error}</Notice>
}

function AlertRow ({ alert }: { alert: Alert }) {
  const { id, kind, target, frequency, must_read, weekday, hour, last_sent_at, last_error, unsubscribed_at, secret } = alert
  const { url, refused, entered } = useView()
  const isRefused = refused?.action === 'update' && entered.alert_id === id
  return (
    <li>
      <div class='alert-text'>
        <p class='alert-target'><span class='badge'>{kind}</span> <strong>{target}</strong></p>
        <p class='quiet-text'>
          {frequencies[frequency].label}{timeOf({ frequency, weekday, hour })}, {must_read ? 'must-read papers only' : 'all papers'} ·
          last sent <Time at={last_sent_at} precise /> · <NextDelivery alert={alert} />
        </p>
        {last_error !== null && <p class='alert-error'><span class='badge bad'>failed</span> {last_error}</p>}
        {secret !== undefined && (
          <details class='fold'>
            <summary>Signing secret</summary>
            <Copy text={secret} label={`the signing secret of ${target}`} />
          </details>
        )}
        {unsubscribed_at === null && (
          <details class='fold' open={isRefused}>
            <summary>Change<span class='unseen'> the alert to {target}</span></summary>
            <Form action='update' address={url} class='stack form-column' inRow refills={isRefused}>
              <input type='hidden' name='alert_id' value={id} />
              <Select
                id={`${id}-frequency`}
                name='frequency'
                label='Frequency'
                value={frequency}
                options={Object.values(frequencies).filter(({ value }) => kind === 'webhook' || value !== 'immediate')}
              />
              <DigestTime id={id} weekday={weekday} hour={hour} />
              <Checkbox id={`${id}-must-read`} name='must_read' label='Must-read papers only' checked={must_read} />
              <button>Save</button>
            </Form>
          </details>
        )}
      </div>
      <div class='row-buttons'>
        {unsubscribed_at === null && (
          <Form action='test' address={url} inRow>
            <input type='hidden' name='alert_id' value={id} />
            <button class='secondary small'>
              {kind === 'email' ? 'Send test email' : 'Send test'} <span class='unseen'>to {target}</span>
            </button>
          </Form>
        )}
        <Confirm label='Delete' about={`the alert to ${target}`} small>
          <p class='quiet-text'>
            {kind === 'webhook'
              ? 'Its signing secret is deleted too. A new webhook gets another one.'
              : 'This address gets no more emails about this project.'}
          </p>
          <Form action='delete' address={url} inRow>
            <input type='hidden' name='alert_id' value={id} />
            <button class='danger small'>Delete <span class='unseen'>the alert to {target}</span></button>
          </Form>
        </Confirm>
      </div>
    </li>
  )
}

function NextDelivery ({ alert }: { alert: Alert }) {
  if (alert.unsubscribed_at === null) return <>next <Time at={alert.next_send_at} precise /></>
  if (awaitsConfirmation(alert)) return <>waits for confirmation by the recipient</>
  return <>unsubscribed by the recipient <Time at={alert.unsubscribed_at} /></>
}

const dayNames: Record<Alert['weekday'], string> = {
  monday: 'Monday',
  tuesday: 'Tuesday',
  wednesday: 'Wednesday',
  thursday: 'Thursday',
  friday: 'Friday',
  saturday: 'Saturday',
  sunday: 'Sunday'
}
const hourName = (hour: number) => `${String(hour).padStart(2, '0')}:00`

function timeOf ({ frequency, weekday, hour }: Pick<Alert, 'frequency' | 'weekday' | 'hour'>): string {
  if (frequency === 'immediate') return ''
  return frequency === 'weekly' ? `, ${dayNames[weekday]} at ${hourName(hour)}` : ` at ${hourName(hour)}`
}

/** The time zone of the hour of a digest. */
function TimeZone ({ timeZone }: Pick<AlertsProps, 'timeZone'>) {
  const { to } = useView()
  return <p class='hint'>Time zone: {timeZone}. <a href={to('/account#time')}>Change it</a></p>
}

/** Fields for the day and the hour of a digest. */
const DigestTime = ({ id, weekday, hour }: { id: string, weekday: Alert['weekday'], hour: number }) => (
  <div class='digest-time'>
    <Select
      id={`${id}-weekday`}
      name='weekday'
      label='Day, if weekly'
      value={weekday}
      options={weekdays.map(value => ({ value, label: dayNames[value] }))}
    />
    <Select
      id={`${id}-hour`}
      name='hour'
      label='Hour'
      value={String(hour)}
      options={Array.from({ length: 24 }, (_each, value) => ({ value: String(value), label: hourName(value) }))}
    />
  </div>
)
