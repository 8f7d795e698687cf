import { restore } from '../operations/administration/restore.js'
import type { Command } from './command.js'
import { withService } from './with-service.js'

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'restore the database from a backup',
  operations: [restore],
  declare: program => program.argument('<file>', 'path of the backup').option('--replace', 'delete the existing data first'),
  run: (terminal, { replace }, [file]) => withService(terminal, async ({ context }) => {
    const result = await restore.run(context, { file: file!, replace: replace === true })
    terminal.print(result, `Restored ${result.rows} rows from ${result.file}.`)
    return undefined
  })
}
