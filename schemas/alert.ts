import { type Static, Type } from 'typebox'
import { ProjectId, Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'

/** How an alert is delivered. */
export const alertKinds = ['email', 'webhook'] as const
/** How often an alert is sent. */
export const frequencies = ['immediate', 'daily', 'weekly'] as const

const settings = {
  kind: Words(alertKinds, { description: 'email: a digest by mail; webhook: a signed POST with the new items as JSON.' }),
  target: Type.String({ minLength: 3, maxLength: 2000, description: 'Mail address, or https address of the webhook.' }),
  frequency: Words(frequencies, { description: 'immediate: within a minute or so (webhooks); daily, weekly: what came in since the last.', default: 'daily' }),
  must_read: Type.Boolean({ default: false, description: 'true: only items classed must_read.' })
}

/** Sends a project's new papers by email or webhook. */
export const Alert = Type.Object({
  id: Uuid,
  project_id: Uuid,
  ...settings,
  created_at: Type.String({ format: 'date-time', description: 'When it was made. What entered the feed before is not sent.' }),
  next_send_at: Type.String({ format: 'date-time', description: 'When it is next looked at.' }),
  last_sent_at: Nullable(Type.String({ format: 'date-time' }), 'When something was last sent.'),
  last_error: Nullable(Type.String(), 'Why the last sending failed; null when it did not.')
}, { description: 'Who is told what enters a feed, and how often. Each item is sent once.' })
export type Alert = Static<typeof Alert>

/** A new alert of a project. */
export const AlertCreateInput = Type.Object({
  project_id: ProjectId,
  kind: settings.kind,
  target: settings.target,
  frequency: Type.Optional(settings.frequency),
  must_read: Type.Optional(settings.must_read)
}, { additionalProperties: false })

/** The alert with the secret that signs its webhook calls. */
export const AlertCreated = Type.Object({
  ...Alert.properties,
  secret: Type.Optional(Type.String({ description: 'Webhooks: what the signatures are made with (Standard Webhooks: whsec_…). GET of the alert shows it again.' }))
}, { description: 'An alert, with its secret.' })

/** Names an alert of the caller. */
export const AlertInput = Type.Object({ alert_id: Type.String({ format: 'uuid', description: 'The alert\'s UUID.' }) }, { additionalProperties: false })

/** The alerts of a project. */
export const AlertsListResult = Type.Object({
  items: Type.Array(Alert, { description: 'Oldest first.' }),
  total: Type.Integer({ minimum: 0, description: 'How many there are.' }),
  mail: Type.Boolean({ description: 'Whether this service can send mail: its operator has set a mail server.' })
})
