import { shortText } from '../../schemas/short-text.js'
import { OperationError } from './operation-error.js'

/** Names the projects to choose from, so that no further call is needed. */
function nextStep (projects: ReadonlyArray<{ id: string, name: string }> | undefined, total: number, howToCreate: string): string {
  if (projects === undefined) return 'Call projects_list (GET /api/projects) for the ids of your projects.'
  if (projects.length === 0) return `You have no projects yet; create one ${howToCreate}.`
  const listed = projects.map(({ id, name }) => `${JSON.stringify(name)} is ${id}`).join('; ')
  return `Your projects: ${listed}${total > projects.length ? `; ${total - projects.length} more in projects_list` : ''}.`
}

/** The project does not exist, or belongs to another account. */
export class ProjectNotFound extends OperationError {
  readonly code = 'project_not_found'
  /** The id that was given. */
  readonly projectId: string
  /** Whether the message names the caller's projects. */
  readonly namesProjects: boolean
  /** @param projects the caller's own, where the message names them @param total how many there are @param howToCreate one */
  constructor (id: string, projects?: ReadonlyArray<{ id: string, name: string }>, total = 0, howToCreate = 'on the Projects page') {
    const named = id.trim() === '' ? JSON.stringify(id) : shortText(id, 80)
    super(`Project ${named} doesn't exist or isn't yours. ${nextStep(projects, total, howToCreate)}`, {
      userMessage: 'This project doesn’t exist or isn’t yours.'
    })
    this.projectId = id
    this.namesProjects = projects !== undefined
  }
}
