import { downvoteReasons, feedbackFilters, votes } from '../../schemas/feedback.js'
import { defaultLimit, maxLimit } from '../../schemas/paging.js'
import { projectOwner } from '../operations/projects/project-owner.js'
import { accountFind } from '../operations/accounts/account-find.js'
import { feedbackClear } from '../operations/feed/feedback-clear.js'
import { feedbackList } from '../operations/feed/feedback-list.js'
import { feedbackSet } from '../operations/feed/feedback-set.js'
import { actingForAccount, actingForOwner } from './acting-for.js'
import type { Command } from './command.js'
import { choices, emailOption } from './option-texts.js'
import { withService } from './with-service.js'

const item = '<item>'
const itemText = 'id or short id of a feed item or its paper'

export const feedbackSetCommand: Command = {
  name: 'feedback set',
  summary: 'vote on a paper in a feed',
  operations: [accountFind, feedbackSet],
  declare: program => program.argument(item, itemText)
    .requiredOption(...emailOption)
    .requiredOption('--vote <vote>', choices(votes))
    .option('--reason <reason>', `reason of a downvote: ${choices(downvoteReasons)}`),
  run (terminal, { email, vote, reason }, [ref]) {
    const input = feedbackSet.check({ paper_id: ref, vote, downvote_reason: reason }, { encoding: 'text' })
    return withService(terminal, async service => {
      const voted = await feedbackSet.run(await actingForAccount(service, email), input)
      terminal.print(voted, `${vote}: ${voted.item.paper_title}`)
    })
  }
}

export const feedbackClearCommand: Command = {
  name: 'feedback clear',
  summary: 'remove a vote',
  operations: [accountFind, feedbackClear],
  declare: program => program.argument(item, itemText).requiredOption(...emailOption),
  run (terminal, { email }, [ref]) {
    const input = feedbackClear.check({ paper_id: ref }, { encoding: 'text' })
    return withService(terminal, async service => {
      await feedbackClear.run(await actingForAccount(service, email), input)
      terminal.print({ ref, cleared: true }, 'Removed.')
    })
  }
}

export const feedbackListCommand: Command = {
  name: 'feedback list',
  summary: 'list the votes of a project, newest first',
  operations: [projectOwner, feedbackList],
  declare: program => program.requiredOption('--project <id>', 'id of the project')
    .option('--filter <filter>', `only these votes: ${choices(feedbackFilters)}`)
    .option('--limit <number>', `maximum number of votes, up to ${maxLimit}; default: ${defaultLimit}`),
  run (terminal, { project, filter, limit }) {
    const input = feedbackList.check({ project_id: project, feedback_filter: filter, limit }, { encoding: 'text' })
    return withService(terminal, async service => {
      const result = await feedbackList.run(await actingForOwner(service, input.project_id), input)
      const lines = result.items.map(({ short_id, feedback, paper_title }) => {
        const { vote, downvote_reason } = feedback!
        return `${short_id}  ${vote}${downvote_reason === null ? '' : ` (${downvote_reason})`}  ${paper_title}`
      })
      terminal.print(result, lines.join('\n') || 'No votes yet.')
    })
  }
}
