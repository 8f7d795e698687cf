import type { Command } from './command.js'
import { withService } from './with-service.js'

export const migrateCommand: Command = {
  name: 'migrate',
  summary: 'migrate the database (serve does this too)',
  operations: [],
  prepares: 'any',
  run: terminal => withService(terminal, async ({ migrated }) => {
    terminal.print({ migrated }, migrated.length === 0 ? 'The database is up to date.' : `Ran ${migrated.join(', ')}.`)
  })
}
