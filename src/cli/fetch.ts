import { projectFetch } from '../operations/projects/project-fetch.js'
import { projectOwner } from '../operations/projects/project-owner.js'
import { actingForOwner } from './acting-for.js'
import type { Command } from './command.js'
import type { ProgressLines } from './progress.js'
import { withService } from './with-service.js'

export const fetch: Command = {
  name: 'fetch',
  summary: 'fetch new papers of a project from all its sources',
  operations: [projectOwner, projectFetch],
  declare: program => program.requiredOption('--project <id>', 'id of the project'),
  run (terminal, { project }) {
    const input = projectOwner.check({ project_id: project }, { encoding: 'text' })
    return withService(terminal, async service => {
      const context = await actingForOwner(service, input.project_id)
      try {
        const result = await projectFetch.run({ ...context, ignoreSchedule: true, onProgress: showProgress(terminal.progress) }, input)
        terminal.progress.clear()
        if (result.sources.length === 0) {
          terminal.note('litfeed: The project has no sources, or an administrator has disabled them. Add one: ' +
            `litfeed project edit ${input.project_id} --source pubmed`)
        }
        terminal.print(result, result.sources.map(describe).join('\n'))
        if (result.sources.length > 0 && result.sources.every(({ error }) => error !== null)) terminal.fail()
      } finally {
        terminal.progress.clear()
      }
    })
  }
}

function describe (
  { name, query, found, entered, rejected, rejections, error }: {
    name: string,
    query: string,
    found: number,
    entered: number,
    rejected: number,
    rejections: string[],
    error: string | null
  }
): string {
  const source = query === '' ? name : `${name} (${query})`
  const counts = `${found} found, ${entered} added${rejected === 0 ? '' : `, ${rejected} rejected (${rejections[0]})`}`
  return error === null ? `${source}: ${counts}` : `${source}: failed: ${error}${found === 0 ? '' : ` (before that: ${counts})`}`
}

/** Shows one line per source. The total number of papers is unknown in advance. */
function showProgress (lines: ProgressLines) {
  const sources = new Map<string, string>()
  return ({ name, query, found, entered }: { name: string, query: string, found: number, entered: number }) => {
    sources.set(`${name} ${query}`, `${name}: ${found} found, ${entered} added`)
    lines.show([...sources.values()])
  }
}
