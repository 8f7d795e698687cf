import { type HttpClient, HttpError } from './client.js'

/**
 * Wraps a client and reports each request's outcome and duration.
 * @param observe receives the status class ('2xx'), '429', the fault or 'aborted', and the duration in seconds
 */
export const metered = (client: HttpClient, observe: (outcome: string, seconds: number) => void): HttpClient => ({
  async fetch (url, request) {
    const startedAt = performance.now()
    const finish = (outcome: string) => observe(outcome, (performance.now() - startedAt) / 1000)
    try {
      const response = await client.fetch(url, request)
      finish(response.status === 429 ? '429' : `${Math.floor(response.status / 100)}xx`)
      return response
    } catch (error) {
      finish(error instanceof HttpError ? error.fault : 'aborted')
      throw error
    }
  }
})
