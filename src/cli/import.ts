import { papersImport } from '../operations/papers/papers-import.js'
import { projectOwner } from '../operations/projects/project-owner.js'
import { formats } from '../sources/formats/index.js'
import type { Command, Terminal } from './command.js'
import { bar, progressLines } from './progress.js'
import { withService } from './with-service.js'

/** Rejections that a person is shown; --json gives them all. */
const shownRejections = 20

export const importCommand: Command = {
  name: 'import',
  summary: 'read files of bibliographic records into a project\'s feed',
  operations: [projectOwner, papersImport],
  declare: program => program
    .argument('<file...>', `files: ${formats.map(({ title }) => title).join(', ')}`)
    .requiredOption('--project <id>', 'id of the project')
    .option('--format <format>', 'the files\' format; told from their content without it'),
  run (terminal, { project, format }, files) {
    const input = papersImport.check({ project_id: project, files, ...(format === undefined ? {} : { format }) })
    return withService(terminal, async ({ context }) => {
      const { account_id } = await projectOwner.run(context, { project_id: input.project_id })
      const progress = showProgress(terminal)
      try {
        const result = await papersImport.run({ ...context, account: { id: account_id }, onProgress: progress.show }, input)
        progress.clear()
        if (result.read === 0) terminal.tell(`litfeed: no record was found in ${files.join(', ')}. Is it really ${format ?? 'a file of records'}?`)
        const { read, created, updated, unchanged, rejected } = result
        for (const { file, record, reason } of rejected.slice(0, shownRejections)) terminal.tell(`${file}, record ${record}: ${reason}`)
        if (rejected.length > shownRejections) terminal.tell(`… and ${rejected.length - shownRejections} more: add --json for all.`)
        terminal.print(result, `Read ${read}: ${created} new, ${updated} updated, ${unchanged} unchanged, ${rejected.length} rejected.`)
        return undefined
      } finally {
        progress.clear()
      }
    })
  }
}

function showProgress ({ interactive }: Terminal) {
  if (!interactive) return { show: () => {}, clear: () => {} }
  const lines = progressLines()
  const start = performance.now()
  return {
    show ({ bytes, totalBytes, read }: { bytes: number, totalBytes: number, read: number }) {
      const share = totalBytes === 0 ? 1 : bytes / totalBytes
      const secondsLeft = share === 0 ? undefined : Math.ceil((performance.now() - start) * (1 / share - 1) / 1000)
      lines.show([`${bar(share)} | ${read} records${secondsLeft === undefined ? '' : ` | ${secondsLeft} s left`}`])
    },
    clear: lines.clear
  }
}
