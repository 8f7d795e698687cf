import { backup } from '../operations/administration/backup.js'
import type { Command } from './command.js'
import { withService } from './with-service.js'

export const backupCommand: Command = {
  name: 'backup',
  summary: 'back up the database to a file',
  operations: [backup],
  declare: program => program.argument('<file>', 'path of the backup, such as litfeed.backup.gz'),
  run: (terminal, _options, [file]) => withService(terminal, async ({ context }) => {
    const result = await backup.run(context, { file: file! })
    terminal.print(
      result,
      `Wrote ${result.rows} rows to ${result.file}. Keep JWT_SECRET (or DATA_DIR/jwt-secret) with it: Atom addresses and logins ` +
        'depend on it.'
    )
    return undefined
  })
}
