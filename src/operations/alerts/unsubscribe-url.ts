import type { ServiceContext } from '../context.js'

/** The address of the page that ends an alert's emails without signing in. */
export const unsubscribeUrlOf = ({ baseUrl, alerts: { unsubscribeTokens } }: ServiceContext, alertId: string): string =>
  `${baseUrl()}/unsubscribe/${unsubscribeTokens.mint(alertId)}`
