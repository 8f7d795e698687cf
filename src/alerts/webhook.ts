import { createHmac } from 'node:crypto'
import type { HttpClient } from '../http/client.js'

/** Derives the signing secret of a webhook from the alert id, so that no secret is stored. */
export const webhookSecrets = (key: Uint8Array) =>
  (alertId: string): string => `whsec_${createHmac('sha256', key).update(`webhook ${alertId}`).digest('base64')}`

/** A webhook request. */
export interface Delivery {
  url: string
  secret: string
  /** Identical for retries, so receivers can drop duplicates. */
  id: string
  body: string
  now: Date
  signal?: AbortSignal | undefined
}

/**
 * Posts JSON, signed per Standard Webhooks. @see https://www.standardwebhooks.com
 * Follows no redirect: most drop the body, and the signature is for this receiver.
 * @returns the status of the response; only 2xx is a delivery @throws HttpError without a response
 */
export async function postWebhook (client: HttpClient, { url, secret, id, body, now, signal }: Delivery): Promise<number> {
  const timestamp = Math.floor(now.getTime() / 1000)
  const { status } = await client.fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${signature(secret, id, timestamp, body)}`
    },
    body,
    redirect: 'manual',
    readBody: ignoreBody,
    maxBytes: 64 * 1024,
    timeoutMs: 15_000,
    signal
  })
  return status
}

/** Reads a response while it is short, so that the receiver is not cut off. It has accepted the delivery: nothing here is a failure. */
async function ignoreBody (body: AsyncIterable<Uint8Array>): Promise<void> {
  const chunks = body[Symbol.asyncIterator]()
  try {
    while ((await chunks.next()).done !== true);
  } catch {}
}

/** HMAC-SHA256 over id, timestamp and body. The key is the decoded secret without its prefix. */
const signature = (secret: string, id: string, timestamp: number, body: string) =>
  createHmac('sha256', Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).update(`${id}.${timestamp}.${body}`).digest('base64')
