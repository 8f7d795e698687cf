import { type OutsideClient, OutsideError } from './client.js'

/** The same client; of each request it tells the outcome (the class of the status, 429, or the fault) and the seconds that it took. */
export const counted = (client: OutsideClient, tell: (outcome: string, seconds: number) => void): OutsideClient => ({
  async fetch (url, request) {
    const began = performance.now()
    const ended = (outcome: string) => tell(outcome, (performance.now() - began) / 1000)
    try {
      const answer = await client.fetch(url, request)
      ended(answer.status === 429 ? '429' : `${Math.floor(answer.status / 100)}xx`)
      return answer
    } catch (error) {
      ended(error instanceof OutsideError ? error.fault : 'aborted')
      throw error
    }
  }
})
