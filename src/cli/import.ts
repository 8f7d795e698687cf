import { papersImport } from '../operations/papers/papers-import.js'
import { projectOwner } from '../operations/projects/project-owner.js'
import { importFormatNames, importTitles } from '../imports/file-format.js'
import { actingForOwner } from './acting-for.js'
import type { Command } from './command.js'
import { type ProgressLines, progressBar } from './progress.js'
import { withService } from './with-service.js'

/** Rejections shown in text output; --json contains all. */
const maxShownRejections = 20

export const importCommand: Command = {
  name: 'import',
  summary: 'import bibliographic records into a project\'s feed',
  operations: [projectOwner, papersImport],
  declare: program => program
    .argument('<file...>', `files: ${importTitles.join(', ')}`)
    .requiredOption('--project <id>', 'id of the project')
    .option('--format <format>', `format of the files: ${importFormatNames.join(', ')}; default: detected from their content`),
  run (terminal, { project, format }, files) {
    const input = papersImport.check({ project_id: project, files, format }, { encoding: 'text' })
    return withService(terminal, async service => {
      const context = await actingForOwner(service, input.project_id)
      try {
        const result = await papersImport.run({ ...context, onProgress: showProgress(terminal.progress) }, input)
        terminal.progress.clear()
        if (result.read === 0) {
          terminal.note(`litfeed: No records found in ${files.join(', ')}. Check that the format is ${format ?? 'supported'}.`)
        }
        const { read, created, updated, unchanged, rejected } = result
        for (const { file, record, reason } of rejected.slice(0, maxShownRejections)) terminal.note(`${file}, record ${record}: ${reason}`)
        if (rejected.length > maxShownRejections) {
          terminal.note(`… and ${rejected.length - maxShownRejections} more. Add --json to list all.`)
        }
        terminal.print(result, `Read ${read}: ${created} new, ${updated} updated, ${unchanged} unchanged, ${rejected.length} rejected.`)
      } finally {
        terminal.progress.clear()
      }
    })
  }
}

function showProgress (lines: ProgressLines) {
  const start = performance.now()
  return ({ bytes, totalBytes, read }: { bytes: number, totalBytes: number, read: number }) => {
    const share = totalBytes === 0 ? 1 : bytes / totalBytes
    const secondsLeft = share === 0 ? undefined : Math.ceil((performance.now() - start) * (1 / share - 1) / 1000)
    lines.show([`${progressBar(share)} | ${read} records${secondsLeft === undefined ? '' : ` | ${secondsLeft} s left`}`])
  }
}
