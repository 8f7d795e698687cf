import { restore } from '../operations/administration/restore.js'
import type { Command, Terminal } from './command.js'
import { withService } from './with-service.js'

export const restoreCommand: Command = {
  name: 'restore',
  summary: 'restore the database from a backup',
  operations: [restore],
  prepares: 'any',
  declare: program => program.argument('<file>', 'path of the backup')
    .option('--replace', 'delete the existing data first')
    .option('--revoke-access', 'leave out sessions, MCP keys and share links, end all Atom addresses, and unpublish snapshots'),
  run: (terminal, { replace, revokeAccess }, [file]) => withService(terminal, async ({ context }) => {
    const revokes = revokeAccess === true
    const result = await restore.run(context, { file: file!, replace: replace === true, revoke_access: revokes })
    const index = result.index_error === null ? '' : `\nThe service completes the search index when it runs: ${result.index_error}`
    terminal.print(result, `Restored ${result.rows} rows from ${result.file}.${index}`)
    warn(terminal, result, revokes)
  })
}

type Restored = Awaited<ReturnType<typeof restore.run>>

/** States what to do before the service starts: a backup does not know what was revoked after it was made. */
function warn ({ note }: Terminal, { created_at, sessions, keys, share_links, published_snapshots }: Restored, revokes: boolean): void {
  const lines = revokes
    ? [
        'Sessions, MCP keys, share links and Atom addresses are revoked; people sign in again and create new ones.',
        'No snapshot is public; their owners publish them again, at the same addresses.',
        `Passwords and disabled accounts are as of the backup, made ${created_at}. To repeat later changes:`
      ]
    : [
        `WARNING: access is as of the backup, made ${created_at}. Access revoked since then works again: ${keys} MCP keys, ` +
        `${sessions} sessions, ${share_links} share links, ${published_snapshots} published snapshots, Atom addresses, earlier ` +
        'passwords, and accounts that were disabled since.',
        'To revoke all keys, sessions, links, publications and Atom addresses, restore again with --replace --revoke-access. To revoke ' +
        'single ones:',
        '  litfeed key list --email EMAIL, then litfeed key revoke --email EMAIL --name NAME'
      ]
  const passwords = [
    '  litfeed user reset-password --email EMAIL --revoke-keys   ends the sessions and keys of an account',
    '  litfeed user disable --email EMAIL'
  ]
  note([...lines, ...passwords].join('\n'))
}
