import { projectDelete } from '../operations/projects/project-delete.js'
import { projectOwner } from '../operations/projects/project-owner.js'
import { projectPreview } from '../operations/projects/project-preview.js'
import { projectUpdate } from '../operations/projects/project-update.js'
import { actingForOwner } from './acting-for.js'
import type { Command } from './command.js'
import { settingsOf, withChanges, withScoreChanges } from './project-settings.js'
import { withService } from './with-service.js'

const id = '<id>'
const idText = 'id of the project'

export const projectEditCommand: Command = {
  name: 'project edit',
  summary: 'change settings of a project',
  operations: [projectOwner, projectUpdate],
  declare: program => withChanges(program.argument(id, idText)
    .option('--name <name>', 'name of the project')
    .option('--interest <text>', 'research interest in plain language')),
  run (terminal, options, [project]) {
    const input = projectUpdate.check({ project_id: project, ...settingsOf(options) }, { encoding: 'text' })
    return withService(terminal, async service => {
      const changed = await projectUpdate.run(await actingForOwner(service, input.project_id), input)
      terminal.print(changed, `Changed "${changed.name}". A running service will rescore its feed.`)
    })
  }
}

export const projectPreviewCommand: Command = {
  name: 'project preview',
  summary: 'preview which papers a change would add to the feed or drop',
  operations: [projectOwner, projectPreview],
  declare: program => withScoreChanges(program.argument(id, idText).option('--interest <text>', 'research interest in plain language')),
  run (terminal, options, [project]) {
    const input = projectPreview.check({ project_id: project, ...settingsOf(options) }, { encoding: 'text' })
    return withService(terminal, async service => {
      const preview = await projectPreview.run(await actingForOwner(service, input.project_id), input)
      const list = (title: string, papers: typeof preview.added) =>
        papers.length === 0
          ? []
          : [title, ...papers.slice(0, 20).map(({ relevance_score, title }) => `  ${relevance_score.toFixed(2)}  ${title}`)]
      const { added, dropped, must_read, must_read_now } = preview.counts
      terminal.print(preview, [
        `${preview.compared} papers since ${preview.since.slice(0, 10)}: ${added} would be added, ${dropped} dropped; must-read: ` +
          `${must_read} instead of ${must_read_now}.`,
        ...list('Added:', preview.added),
        ...list('Dropped:', preview.dropped)
      ].join('\n'))
    })
  }
}

const stateCommand = (name: string, matching_state: 'active' | 'paused', summary: string, done: string): Command => ({
  name,
  summary,
  operations: [projectOwner, projectUpdate],
  declare: program => program.argument(id, idText),
  run (terminal, _options, [project]) {
    const input = projectUpdate.check({ project_id: project, matching_state }, { encoding: 'text' })
    return withService(terminal, async service => {
      const changed = await projectUpdate.run(await actingForOwner(service, input.project_id), input)
      terminal.print(changed, `${done} "${changed.name}".`)
    })
  }
})

export const projectPauseCommand = stateCommand('project pause', 'paused', 'pause fetching until the project is resumed', 'Paused')
export const projectResumeCommand = stateCommand('project resume', 'active', 'resume fetching', 'Resumed')

export const projectDeleteCommand: Command = {
  name: 'project delete',
  summary: 'delete a project with its feed and feedback',
  operations: [projectOwner, projectDelete],
  declare: program => program.argument(id, idText).requiredOption('--yes', 'confirm the deletion'),
  run (terminal, _options, [project]) {
    const input = projectOwner.check({ project_id: project }, { encoding: 'text' })
    return withService(terminal, async service => {
      await projectDelete.run(await actingForOwner(service, input.project_id), input)
      terminal.print({ project_id: input.project_id, deleted: true }, 'Deleted.')
    })
  }
}
