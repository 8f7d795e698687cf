import { createHmac } from 'node:crypto'
import type { HttpClient } from '../http/client.js'

/** Makes the secrets of webhooks: derived, so that none is stored. */
export const webhookSecrets = (key: Uint8Array) => (alertId: string): string => `whsec_${createHmac('sha256', key).update(`webhook ${alertId}`).digest('base64')}`

export interface Delivery {
  url: string
  secret: string
  /** The same for the same content: what a receiver tells a second copy by. */
  id: string
  body: string
  now: Date
  signal?: AbortSignal | undefined
}

/**
 * Posts JSON, signed as Standard Webhooks says. @see https://www.standardwebhooks.com
 * @throws Error where the receiver did not take it
 */
export async function postWebhook (client: HttpClient, { url, secret, id, body, now, signal }: Delivery): Promise<void> {
  const timestamp = Math.floor(now.getTime() / 1000)
  const { status } = await client.fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': String(timestamp), 'webhook-signature': `v1,${signature(secret, id, timestamp, body)}` },
    body,
    maxBytes: 64 * 1024,
    timeoutMs: 15_000,
    signal
  })
  if (status < 200 || status > 299) throw new Error(`${new URL(url).host} answered with status ${status}.`)
}

/** HMAC-SHA256 over id, time and body, by the bytes of the secret behind its prefix. */
const signature = (secret: string, id: string, timestamp: number, body: string) =>
  createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64')
