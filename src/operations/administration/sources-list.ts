import { Type } from 'typebox'
import { NoInput } from '../../../schemas/project.js'
import { sources } from '../../sources/index.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { defaultSources } from '../../sources/project-sources.js'

const SourcesListResult = Type.Object({
  items: Type.Array(Type.Object({
    name: Type.String({ description: 'As a project names it.' }),
    title: Type.String({ description: 'As people call it.' }),
    covers: Type.String({ description: 'What it has.' }),
    chosen: Type.Boolean({ description: 'Whether a new project that names no sources looks there.' }),
    query_help: Type.String({ description: 'What its query is.' })
  }, { description: 'Where papers can be fetched from.' })),
  total: Type.Integer()
})

export const sourcesList = operation({
  name: 'sources_list',
  title: 'List sources',
  description: 'Lists where papers can be fetched from, and what a query to each is.',
  input: NoInput,
  output: SourcesListResult,
  async handler (_context: ServiceContext) {
    const items = sources.map(({ name, title, covers, queryHelp }) => ({ name, title, covers, chosen: defaultSources.some(each => each.name === name), query_help: queryHelp }))
    return { items, total: items.length }
  }
})
