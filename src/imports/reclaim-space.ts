import type { Db } from '../../db/connection.js'
import { reclaimFileSpace } from '../../db/queries/maintenance.js'
import type { Log } from '../observability/log.js'

/**
 * Reclaims the space of removed files now. Best effort: a failure must not replace the outcome of what removed them, and maintenance
 * reclaims the space anyway.
 */
export async function reclaimSpace ({ db, log }: { db: Db, log: Log }, kind: 'pdf' | 'import'): Promise<void> {
  try {
    await reclaimFileSpace(db, kind)
  } catch (error) {
    log.warn({ err: error }, 'The space of removed files was not reclaimed; maintenance reclaims it.')
  }
}
