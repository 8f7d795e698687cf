import { backup } from '../operations/administration/backup.js'
import { backupVerify } from '../operations/administration/backup-verify.js'
import type { Command, Terminal } from './command.js'
import { exitingOnSignals, withService } from './with-service.js'

export const backupCommand: Command = {
  name: 'backup',
  summary: 'back up the database to a file, or verify a backup',
  operations: [backup, backupVerify],
  declare: program => program
    .argument('<file>', 'path of the backup, such as litfeed.backup.gz')
    .option('--verify', 'restore an existing backup into a temporary database and compare the rows'),
  run: async (terminal, { verify }, [file]) => verify === true ? await verifyBackup(terminal, file!) : await makeBackup(terminal, file!)
}

async function makeBackup (terminal: Terminal, file: string): Promise<void> {
  await withService(terminal, async ({ context }) => {
    const result = await backup.run(context, { file })
    terminal.print(
      result,
      `Wrote ${result.rows} rows to ${result.file}. Keep JWT_SECRET (or DATA_DIR/jwt-secret) with it: Atom addresses and logins ` +
        'depend on it.'
    )
  })
}

async function verifyBackup (terminal: Terminal, file: string): Promise<void> {
  const result = await exitingOnSignals(async () => await backupVerify.run({ now: () => new Date() }, { file }))
  if (!result.recorded) terminal.note('litfeed: The result cannot be stored beside the file, so the administration page will not show it.')
  const { ok, rows, tables, created_at, program, compared } = result
  const different = tables.filter(({ equal }) => !equal)
  const lines = different.map(({ name, rows, restored_rows }) =>
    `  ${name}: ${rows} rows in the backup, ${restored_rows} restored${rows === restored_rows ? ', with different content' : ''}`
  )
  terminal.print(result, ok
    ? `OK: ${rows} rows in ${tables.filter(table => table.rows > 0).length} tables restore ` +
      `${compared === 'rows' ? 'with equal checksums' : 'with equal numbers of rows (their content is not compared, because the backup is from an earlier version)'}. ` +
      `Made ${created_at} by Litfeed ${program}.`
    : ['FAILED: the restored database differs from the backup.', ...lines].join('\n'))
  if (!ok) terminal.fail()
}
