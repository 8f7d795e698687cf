import { accountFind } from '../operations/accounts/account-find.js'
import type { Command as Program } from 'commander'
import type { Context } from '../operations/context.js'
import { projectCreate } from '../operations/projects/project-create.js'
import { projectsList } from '../operations/projects/projects-list.js'
import { projectsOverview } from '../operations/projects/projects-overview.js'
import { actingForAccount } from './acting-for.js'
import type { Command } from './command.js'
import { settingsOf, withSettings } from './project-settings.js'
import { emailOption } from './option-texts.js'
import { withService } from './with-service.js'

export const projectCreateCommand: Command = {
  name: 'project create',
  summary: 'create a project',
  operations: [accountFind, projectCreate],
  declare: (program: Program) => withSettings(program
    .requiredOption(...emailOption)
    .requiredOption('--name <name>', 'name of the project')
    .requiredOption('--interest <text>', 'research interest in plain language')),
  run (terminal, { email, ...options }) {
    const input = projectCreate.check({ positive_keywords: [], negative_keywords: [], ...settingsOf(options) }, { encoding: 'text' })
    return withService(terminal, async service => {
      const project = await projectCreate.run(await actingForAccount(service, email), input)
      const next = project.sources.length === 0
        ? `litfeed import FILE … --project ${project.id}`
        : `litfeed fetch --project ${project.id} (a running service fetches by itself)`
      terminal.print(project, `Created the project "${project.name}".\nId: ${project.id}\nNext: ${next}`)
    })
  }
}

export const projectListCommand: Command = {
  name: 'project list',
  summary: 'list projects',
  operations: [accountFind, projectsList, projectsOverview],
  declare: program => program.option('--email <email>', 'address of the account; default: all accounts'),
  run: (terminal, { email }) => withService(terminal, async service => {
    if (email === undefined) {
      const projects = await projectsOverview.run(service.context, {})
      terminal.print(projects, lines(projects.items.map(({ id, name, papers, email }) => `${id}  ${papers} papers  ${name}  (${email})`)))
    } else {
      const projects = await listAllProjects(await actingForAccount(service, email))
      terminal.print(projects, lines(projects.items.map(({ id, name, counts }) => `${id}  ${counts.papers} papers  ${name}`)))
    }
  })
}

async function listAllProjects (context: Context): Promise<Awaited<ReturnType<typeof projectsList.run>>> {
  const items = []
  for (;;) {
    const page = await projectsList.run(context, { offset: items.length })
    items.push(...page.items)
    if (page.items.length === 0 || items.length >= page.total) return { items, total: page.total }
  }
}

const lines = (texts: string[]) => texts.join('\n') || 'No projects yet. Create one: litfeed project create --email … --name … --interest …'
