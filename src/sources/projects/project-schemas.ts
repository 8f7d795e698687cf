import { Type } from 'typebox'
import { LookedUpExamples } from '../../../schemas/examples.js'
import { projectSchemas } from '../../../schemas/project.js'
import { sourceNames } from '../index.js'
import { defaultSources } from './project-sources.js'

/** The schemas of projects, with the names and defaults of the registered sources. */

export const {
  Project,
  ProjectResult, ProjectsListResult, ProjectCreateInput, ProjectUpdateInput, NewProjectPreviewInput
} =
  projectSchemas({ names: sourceNames, defaults: defaultSources.map(({ name }) => name) })

/** A project that was created, with what became of its example papers. */
export const ProjectCreateResult = Type.Object(
  { ...Project.properties, examples: Type.Optional(LookedUpExamples) },
  { description: 'A standing research interest with its feed.' }
)
