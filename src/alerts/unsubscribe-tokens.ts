import { createHmac } from 'node:crypto'
import { uuidForm } from '../../schemas/ids.js'
import { isSameSecret } from '../input/same-secret.js'

/** Tokens of the links that end an alert's emails without signing in. */
export interface UnsubscribeTokens {
  mint: (alertId: string) => string
  /** The alert of a token; undefined if the token is malformed or forged. */
  read: (token: string) => string | undefined
}

/** The address of the page that ends an alert's emails without signing in. */
export const unsubscribeUrlOf = (
  { baseUrl, alerts: { unsubscribeTokens } }: { baseUrl: () => string, alerts: { unsubscribeTokens: UnsubscribeTokens } },
  alertId: string
): string => `${baseUrl()}/unsubscribe/${unsubscribeTokens.mint(alertId)}`

const form = new RegExp(`^svcun_(${uuidForm})_([0-9a-f]{32})$`)

/** Creates tokens that are derived from the alert, so none is stored. */
export function unsubscribeTokens (secret: Uint8Array): UnsubscribeTokens {
  const macOf = (alertId: string) => createHmac('sha256', secret).update(alertId).digest('hex').slice(0, 32)
  return {
    mint: alertId => `svcun_${alertId}_${macOf(alertId)}`,
    read (token) {
      const [, alertId, mac] = form.exec(token) ?? []
      return alertId !== undefined && isSameSecret(mac!, macOf(alertId)) ? alertId : undefined
    }
  }
}
