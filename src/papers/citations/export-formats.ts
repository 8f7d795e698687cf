import { csv } from './csv.js'
import type { CitationFormat, ExportFormat } from './format.js'
import { citationFormats } from './formats.js'

/** Every format of exports. The first is used where a request names none. */
export const exportFormats: readonly [ExportFormat, ...ExportFormat[]] = [...citationFormats.map(exporting), csv] as never

/** The format of this name; the default format where no name is given. */
export const exportFormat = (name?: string): ExportFormat => exportFormats.find(each => each.name === name) ?? exportFormats[0]

function exporting ({ write, ...format }: CitationFormat): ExportFormat {
  return { ...format, write: ({ paper, tags, note }, taken) => write(paper, taken, { tags, note }) }
}
