import { backup } from '../operations/administration/backup.js'
import { backupVerify } from '../operations/administration/backup-verify.js'
import type { Command, Terminal } from './command.js'
import { withService } from './with-service.js'

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
  exitOnSignals()
  await withService(terminal, async ({ context }) => {
    const result = await backup.run(context, { file })
    terminal.print(
      result,
      `Wrote ${result.rows} rows to ${result.file}. Keep JWT_SECRET (or DATA_DIR/jwt-secret) with it: Atom addresses and logins ` +
        'depend on it.'
    )
  })
}

const exitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

/** A temporary database is removed as its process exits. */
function exitOnSignals (): void {
  for (const [signal, code] of Object.entries(exitCodes)) process.once(signal, () => process.exit(code))
}

async function verifyBackup (terminal: Terminal, file: string): Promise<void> {
  exitOnSignals()
  const result = await backupVerify.run({ now: () => new Date() }, { file })
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
