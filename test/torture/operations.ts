import { backupUnderLoad } from './operations-backup.js'
import { severalProcesses } from './operations-processes.js'
import { soak } from './operations-soak.js'
import { stopWithClients } from './operations-stop.js'
import { note } from './verdict.js'

/*
 * node dist/test/torture/operations.js [stop|backup|processes|soak]: without a word, all of them. TORTURE_DATABASE_URL names a PostgreSQL that
 * databases may be made on; SOAK_MINUTES says how long the soak takes on each kind of database.
 */

const trials = { stop: stopWithClients, backup: backupUnderLoad, processes: severalProcesses, soak }
const [only] = process.argv.slice(2)

for (const [name, trial] of Object.entries(trials)) {
  if (only !== undefined && only !== name) continue
  process.stdout.write(`\n${name}\n`)
  try {
    await trial()
  } catch (error) {
    note(`ended early: ${String((error as Error).stack)}`)
    process.exitCode = 1
  }
}
process.exit()
