import { type Static, Type } from 'typebox'
import { count, time } from './fields.js'
import { ProjectId, Uuid } from './ids.js'
import { maxTokenLength } from './link-token.js'
import { Nullable, Words } from './nullable.js'

/** Delivery channels of alerts. */
const alertKinds = ['email', 'webhook'] as const
/** How often alerts are sent. */
export const frequencies = ['immediate', 'daily', 'weekly'] as const

/** Days of the week, as in ISO 8601. */
export const weekdays = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'] as const

const texts = {
  frequency: 'immediate: about a minute after new papers (webhooks only); daily, weekly: new papers since the last delivery.',
  must_read: 'Whether to send must-read items only.',
  weekday: 'Day of weekly digests.',
  hour: 'Hour of daily and weekly digests, in the time zone of the account.'
}
/** When digests are sent unless an alert says otherwise. */
export const defaultDigestTime = { weekday: 'monday', hour: 6 } as const

const hours = { minimum: 0, maximum: 23, description: texts.hour }

const settings = {
  kind: Words(alertKinds, { description: 'email: digest by email; webhook: signed POST with the new items as JSON.' }),
  target: Type.String({ minLength: 3, maxLength: 2000, description: 'Email address, or URL of the webhook.' }),
  frequency: Words(frequencies, {
    description: texts.frequency,
    default: 'daily'
  }),
  must_read: Type.Boolean({ default: false, description: texts.must_read }),
  weekday: Words(weekdays, { description: texts.weekday, default: defaultDigestTime.weekday }),
  hour: Type.Integer({ ...hours, default: defaultDigestTime.hour })
}

/** Sends a project's new papers by email or webhook. */
export const Alert = Type.Object({
  id: Uuid,
  project_id: Uuid,
  ...settings,
  created_at: time('Creation time. Earlier feed items are not sent.'),
  next_send_at: time('Next delivery time.'),
  last_sent_at: Nullable(time(), 'Time of the last delivery.'),
  last_error: Nullable(Type.String(), 'Error of the last delivery, or of the last confirmation email; null if there was none.'),
  unsubscribed_at: Nullable(
    time(),
    'When the recipient unsubscribed; null if not. A new alert to such an address, or to one that anybody may have registered, waits for ' +
      'confirmation, and this is its creation or earlier: its recipient is asked by email, at most once a day, and can subscribe.'
  )
}, { description: 'Sends a project\'s new papers by email or webhook. Each item is sent once.' })
export type Alert = Static<typeof Alert>

/** Whether an alert waits for its recipient to confirm it. Others ended after they were created. */
export const awaitsConfirmation = (
  { created_at, unsubscribed_at }: { created_at: Date | string, unsubscribed_at: Date | string | null }
): boolean => unsubscribed_at !== null && unsubscribed_at <= created_at

/** A new alert of a project. */
export const AlertCreateInput = Type.Object({
  project_id: ProjectId,
  kind: settings.kind,
  target: settings.target,
  frequency: Type.Optional(settings.frequency),
  must_read: Type.Optional(settings.must_read),
  weekday: Type.Optional(settings.weekday),
  hour: Type.Optional(settings.hour)
}, { additionalProperties: false })

/** Changes of an alert. Absent properties stay as they are. */
export const AlertUpdateInput = Type.Object({
  alert_id: Type.String({ format: 'uuid', description: "The alert's UUID." }),
  ...Type.Partial(Type.Object({
    frequency: Words(frequencies, { description: texts.frequency }),
    must_read: Type.Boolean({ description: texts.must_read }),
    weekday: Words(weekdays, { description: texts.weekday }),
    hour: Type.Integer(hours)
  })).properties
}, { additionalProperties: false })

/** The outcome of a test. */
export const AlertTestResult = Type.Object({
  delivered: Type.Boolean({ description: 'Whether the mail server or the webhook accepted the test.' }),
  target: Type.String({ description: 'The recipient.' }),
  error: Nullable(Type.String(), 'Why the test was not accepted; null if it was.')
})

/** The token of a link in a digest. */
export const UnsubscribeInput = Type.Object(
  { token: Type.String({ writeOnly: true, maxLength: maxTokenLength, description: 'Token of the link.' }) },
  { additionalProperties: false }
)

/** The emails that a link ends. */
export const Unsubscription = Type.Object({
  target: Nullable(Type.String(), 'The recipient; null if the alert is unknown.'),
  project_name: Nullable(Type.String(), 'The project whose papers are sent; null if the alert was deleted.'),
  unsubscribed: Type.Boolean({ description: 'Whether the recipient has unsubscribed.' }),
  unconfirmed: Type.Boolean({
    description: 'Whether the emails wait for the recipient to confirm an address that anybody may have registered.'
  })
})

/** The alert with the secret that signs its webhook calls. */
export const AlertCreated = Type.Object(
  {
    ...Alert.properties,
    secret: Type.Optional(
      Type.String({ description: 'Signing secret of a webhook (Standard Webhooks, whsec_…). GET /api/alerts/{alert_id} returns it again.' })
    )
  },
  { description: 'An alert with its secret.' }
)

/** Names an alert of the caller. */
export const AlertInput = Type.Object(
  { alert_id: Type.String({ format: 'uuid', description: "The alert's UUID." }) },
  { additionalProperties: false }
)

/** The alerts of a project. */
export const AlertsListResult = Type.Object({
  items: Type.Array(Alert, { description: 'Oldest first.' }),
  total: count('Number of alerts.'),
  mail: Type.Boolean({ description: 'Whether the operator has configured a mail server.' }),
  time_zone: Type.String({ description: 'Time zone of the account, which sets the hours of its digests.' })
})
