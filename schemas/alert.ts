import { type Static, Type } from 'typebox'
import { ProjectId, Uuid } from './ids.js'
import { Nullable, Words } from './nullable.js'

/** Delivery channels of alerts. */
export const alertKinds = ['email', 'webhook'] as const
/** How often alerts are sent. */
export const frequencies = ['immediate', 'daily', 'weekly'] as const

const settings = {
  kind: Words(alertKinds, { description: 'email: digest by email; webhook: signed POST with the new items as JSON.' }),
  target: Type.String({ minLength: 3, maxLength: 2000, description: 'Email address, or https URL of the webhook.' }),
  frequency: Words(frequencies, {
    description: 'immediate: about a minute after new papers (webhooks only); daily, weekly: new papers since the last delivery.',
    default: 'daily'
  }),
  must_read: Type.Boolean({ default: false, description: 'Whether to send must-read items only.' })
}

/** Sends a project's new papers by email or webhook. */
export const Alert = Type.Object({
  id: Uuid,
  project_id: Uuid,
  ...settings,
  created_at: Type.String({ format: 'date-time', description: 'Creation time. Earlier feed items are not sent.' }),
  next_send_at: Type.String({ format: 'date-time', description: 'Next delivery time.' }),
  last_sent_at: Nullable(Type.String({ format: 'date-time' }), 'Time of the last delivery.'),
  last_error: Nullable(Type.String(), 'Error of the last delivery; null if it succeeded.')
}, { description: 'Sends a project\'s new papers by email or webhook. Each item is sent once.' })
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
  total: Type.Integer({ minimum: 0, description: 'Number of alerts.' }),
  mail: Type.Boolean({ description: 'Whether the operator has configured a mail server.' })
})
