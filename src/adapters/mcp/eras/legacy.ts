import { initialize, ping } from '../methods/start.js'
import { eraIndependentMethods } from './era-independent-methods.js'
import { type Era, writer } from './era.js'

/** Revisions 2024-11-05 to 2025-11-25. Results have no envelope, because clients of this era reject a ping result with content. */
export const legacyEra = (): Era => ({
  methods: { initialize, ping, ...eraIndependentMethods },
  // These clients interpret 404 as an expired session.
  unknownMethodStatus: 200,
  write: writer((_method, result) => result)
})
