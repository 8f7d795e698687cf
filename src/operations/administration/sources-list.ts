import { Type } from 'typebox'
import { listDisabledSources } from '../../../db/queries/disabled-sources.js'
import { NoInput } from '../../../schemas/empty.js'
import { sources } from '../../sources/index.js'
import type { ServiceContext } from '../context.js'
import { operation } from '../operation.js'
import { defaultSources } from '../../sources/projects/project-sources.js'

const SourcesListResult = Type.Object({
  items: Type.Array(Type.Object({
    name: Type.String({ description: 'Name in a project\'s sources.' }),
    title: Type.String({ description: 'Display name.' }),
    covers: Type.String({ description: 'Coverage.' }),
    is_default: Type.Boolean({ description: 'Whether new projects that name no sources search it.' }),
    chosen: Type.Boolean({ description: 'Same as is_default, under its former name.', deprecated: true }),
    query_help: Type.String({ description: 'Meaning of its query.' }),
    disabled: Type.Boolean({ description: 'Whether an administrator disabled it: nothing is fetched from it now.' })
  }, { description: 'A source of papers.' })),
  total: Type.Integer()
})

export const sourcesList = operation({
  name: 'sources_list',
  title: 'List sources',
  description: 'Returns the sources that papers can be fetched from, with the meaning of their queries.',
  input: NoInput,
  output: SourcesListResult,
  scope: 'read',
  async handler ({ db }: ServiceContext) {
    const disabled = (await listDisabledSources(db)).map(({ name }) => name)
    const items = sources.map(({ name, title, covers, queryHelp }) => {
      const is_default = defaultSources.some(each => each.name === name)
      return { name, title, covers, is_default, chosen: is_default, query_help: queryHelp, disabled: disabled.includes(name) }
    })
    return { items, total: items.length }
  }
})
