import { projectOwner } from '../operations/projects/project-owner.js'
import { accountFind } from '../operations/accounts/account-find.js'
import { feedbackClear } from '../operations/feed/feedback-clear.js'
import { feedbackList } from '../operations/feed/feedback-list.js'
import { feedbackSet } from '../operations/feed/feedback-set.js'
import { actingForAccount, actingForOwner } from './acting-for.js'
import type { Command } from './command.js'
import { withService } from './with-service.js'

const item = '<item>'
const itemMeaning = 'id or short id of a feed item or its paper'

export const feedbackSetCommand: Command = {
  name: 'feedback set',
  summary: 'vote on a paper in a feed',
  operations: [accountFind, feedbackSet],
  declare: program => program.argument(item, itemMeaning)
    .requiredOption('--email <email>', 'address of the account')
    .requiredOption('--vote <vote>', 'upvote, downvote or star')
    .option('--reason <reason>', 'reason of a downvote: not_relevant or low_quality'),
  run (terminal, { email, vote, reason }, [ref]) {
    const input = feedbackSet.check({ ref, vote, ...(reason === undefined ? {} : { downvote_reason: reason }) })
    return withService(terminal, async service => {
      const voted = await feedbackSet.run(await actingForAccount(service, email), input)
      terminal.print(voted, `${vote}: ${voted.paper_title}`)
      return undefined
    })
  }
}

export const feedbackClearCommand: Command = {
  name: 'feedback clear',
  summary: 'remove a vote',
  operations: [accountFind, feedbackClear],
  declare: program => program.argument(item, itemMeaning).requiredOption('--email <email>', 'address of the account'),
  run (terminal, { email }, [ref]) {
    const input = feedbackClear.check({ ref })
    return withService(terminal, async service => {
      await feedbackClear.run(await actingForAccount(service, email), input)
      terminal.print({ ref, cleared: true }, 'Removed.')
      return undefined
    })
  }
}

export const feedbackListCommand: Command = {
  name: 'feedback list',
  summary: 'list the votes of a project, newest first',
  operations: [projectOwner, feedbackList],
  declare: program => program.requiredOption('--project <id>', 'id of the project')
    .option('--filter <filter>', 'liked, disliked, starred, not-relevant or low-quality', 'all')
    .option('--limit <number>', 'maximum number, up to 100', '20'),
  run (terminal, { project, filter, limit }) {
    const input = feedbackList.check({ project_id: project, feedback_filter: filter, limit }, { encoding: 'text' })
    return withService(terminal, async service => {
      const result = await feedbackList.run(await actingForOwner(service, input.project_id), input)
      terminal.print(result, result.items.map(({ short_id, feedback, paper_title }) => `${short_id}  ${feedback!.vote}${feedback!.downvote_reason === null ? '' : ` (${feedback!.downvote_reason})`}  ${paper_title}`).join('\n') || 'No votes yet.')
      return undefined
    })
  }
}
