import { projectSchemas } from '../../../schemas/project.js'
import { sourceNames } from '../../sources/index.js'
import { defaultSources } from '../../sources/project-sources.js'

/* The schemas of projects, with the names of the sources that there are. */

export const { Project, ProjectsListResult, ProjectCreateInput, ProjectUpdateInput, NewProjectPreviewInput } =
  projectSchemas({ names: sourceNames, defaults: defaultSources.map(({ name }) => name) })
