import { jobRetry } from '../operations/jobs/job-retry.js'
import { jobsList } from '../operations/jobs/jobs-list.js'
import type { Command } from './command.js'
import { withService } from './with-service.js'

export const jobsCommand: Command = {
  name: 'jobs',
  summary: 'list background work of every account, last changed first',
  declare: program => program
    .option('--state <state>', 'only those that are waiting, running, done or failed')
    .option('--limit <number>', 'how many, 100 at most', '20'),
  run (terminal, { state, limit }) {
    const input = jobsList.check({ limit, ...(state === undefined ? {} : { state }) }, { encoding: 'text' })
    return withService(terminal, async ({ context }) => {
      const result = await jobsList.run(context, input)
      terminal.print(result, result.items.map(({ id, task, state, attempts, updated_at, error, paper_id, project_id }) =>
        `${id}  ${state.padEnd(7)}  ${task.padEnd(16)}  ${updated_at}  ${paper_id ?? project_id ?? ''}${error === null ? '' : `\n    ${attempts} ${attempts === 1 ? 'try' : 'tries'}: ${error}`}`).join('\n') || 'No job.')
      return undefined
    })
  }
}

export const jobsRetryCommand: Command = {
  name: 'job retry',
  summary: 'let a job that failed wait for another try',
  declare: program => program.argument('<id>', 'id of the job'),
  run (terminal, _options, [id]) {
    const input = jobRetry.check({ job_id: id })
    return withService(terminal, async ({ context }) => {
      const result = await jobRetry.run(context, input)
      terminal.print(result, 'Queued: a running service takes it.')
      return undefined
    })
  }
}
