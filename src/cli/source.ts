import type { AdministrationSource } from '../../schemas/administration.js'
import { administrationSourceUpdate } from '../operations/administration/administration-source-update.js'
import { administrationSources } from '../operations/administration/administration-sources.js'
import type { Command } from './command.js'
import { withService } from './with-service.js'

export const sourceListCommand: Command = {
  name: 'source list',
  summary: 'list the sources of papers with their state and the projects that depend on them',
  operations: [administrationSources],
  run: terminal => withService(terminal, async ({ context }) => {
    const sources = await administrationSources.run(context, {})
    terminal.print(sources, sources.items.map(lineOf).join('\n'))
  })
}

export const sourceDisableCommand = toggleCommand('source disable', 'disable a source for all accounts', true)
export const sourceEnableCommand = toggleCommand('source enable', 'enable a disabled source', false)

function toggleCommand (name: string, summary: string, disabled: boolean): Command {
  return {
    name,
    summary,
    operations: [administrationSourceUpdate],
    declare: program => program.argument('<name>', 'name of the source, from litfeed source list'),
    run (terminal, _options, [source]) {
      const input = administrationSourceUpdate.check({ source, disabled })
      return withService(terminal, async ({ context }) => {
        const updated = await administrationSourceUpdate.run(context, input)
        terminal.print(updated, disabled
          ? `Disabled ${updated.title}. ${dependents(updated)} ${updated.projects === 1 ? 'gets' : 'get'} nothing from it until it is enabled again.`
          : `Enabled ${updated.title}. ${dependents(updated)} ${updated.projects === 1 ? 'fetches' : 'fetch'} what was missed.`)
      })
    }
  }
}

const dependents = ({ projects, users }: AdministrationSource) =>
  `${projects} ${projects === 1 ? 'project' : 'projects'} of ${users} ${users === 1 ? 'account' : 'accounts'}`

const lineOf = (source: AdministrationSource) => [
  source.name.padEnd(10),
  source.state.padEnd(8),
  dependents(source),
  ...(source.last_success_at === null ? [] : [`last success ${source.last_success_at}`]),
  ...(source.fault === null ? [] : [`failing since ${source.failing_since}: ${source.fault}`])
].join('  ')
