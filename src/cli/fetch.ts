import { checker } from '../operations/check.js'
import { projectOwner } from '../operations/project-owner.js'
import type { Command } from './command.js'
import { withService } from './with-service.js'

const check = checker(projectOwner.input, 'json')

export const fetch: Command = {
  name: 'fetch',
  summary: 'look for new papers of a project',
  declare: program => program.requiredOption('--project <id>', 'id of the project'),
  run (terminal, { project }) {
    const input = check({ project_id: project })
    return withService(terminal, async ({ context }) => {
      await projectOwner.run(context, input)
      terminal.tell('litfeed: no source is configured: this version fills feeds by "litfeed import" alone.')
      return 1
    })
  }
}
