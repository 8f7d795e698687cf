import { jobStates } from '../../schemas/job.js'
import { defaultLimit, maxLimit } from '../../schemas/paging.js'
import { jobRetry } from '../operations/jobs/job-retry.js'
import { jobsList } from '../operations/jobs/jobs-list.js'
import type { Command } from './command.js'
import { choices } from './option-texts.js'
import { withService } from './with-service.js'

export const jobsCommand: Command = {
  name: 'jobs',
  summary: 'list the jobs of all accounts, most recently changed first',
  operations: [jobsList],
  declare: program => program
    .option('--state <state>', `only jobs in this state: ${choices(jobStates)}`)
    .option('--limit <number>', `maximum number of jobs, up to ${maxLimit}; default: ${defaultLimit}`),
  run (terminal, { state, limit }) {
    const input = jobsList.check({ limit, state }, { encoding: 'text' })
    return withService(terminal, async ({ context }) => {
      const result = await jobsList.run(context, input)
      const lines = result.items.map(({ id, task, state, attempts, updated_at, error, paper_id, project_id }) => {
        const failure = error === null ? '' : `\n    ${attempts} ${attempts === 1 ? 'attempt' : 'attempts'}: ${error}`
        return `${id}  ${state.padEnd(7)}  ${task.padEnd(16)}  ${updated_at}  ${paper_id ?? project_id ?? ''}${failure}`
      })
      terminal.print(result, lines.join('\n') || 'No jobs.')
    })
  }
}

export const jobsRetryCommand: Command = {
  name: 'job retry',
  summary: 'retry a failed job',
  operations: [jobRetry],
  declare: program => program.argument('<id>', 'id of the job'),
  run (terminal, _options, [id]) {
    const input = jobRetry.check({ job_id: id }, { encoding: 'text' })
    return withService(terminal, async ({ context }) => {
      const result = await jobRetry.run(context, input)
      terminal.print(result, 'Queued. A running service will retry it.')
    })
  }
}
