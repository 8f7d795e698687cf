import { projectSchemas } from '../../../schemas/project.js'
import { sourceNames } from '../index.js'
import { defaultSources } from './project-sources.js'

/** The schemas of projects, with the names and defaults of the registered sources. */

export const {
  Project,
  ProjectResult, ProjectsListResult, ProjectCreateInput, ProjectUpdateInput, NewProjectPreviewInput
} =
  projectSchemas({ names: sourceNames, defaults: defaultSources.map(({ name }) => name) })
