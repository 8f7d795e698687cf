import { Type } from 'typebox'
import { downvoteReasons, type Feedback } from '../../../../../schemas/feedback.js'
import { OperationError, PaperNotFound } from '../../../../errors/operation-errors.js'
import type { Context } from '../../../../operations/context.js'
import { feedSeen } from '../../../../operations/feed/feed-seen.js'
import { feedsSeen } from '../../../../operations/feed/feeds-seen.js'
import { feedbackClear } from '../../../../operations/feed/feedback-clear.js'
import { feedbackSet } from '../../../../operations/feed/feedback-set.js'
import { itemAmend } from '../../../../operations/feed/item-amend.js'
import { itemUpdate } from '../../../../operations/feed/item-update.js'
import { noticesDismiss } from '../../../../operations/papers/notices-dismiss.js'
import { projectPaperGet } from '../../../../operations/papers/project-paper-get.js'
import { projectsGet } from '../../../../operations/projects/projects-get.js'
import { validator } from '../../../../input/validator.js'
import { fromText } from '../../fields.js'
import { isOwnPath } from '../../own-path.js'
import { action } from '../../page.js'

const reasons: readonly string[] = downvoteReasons
const item = projectPaperGet.input.properties.ref
const { day, at, must_read, saved, tag } = feedSeen.input.properties
/** Changes that scripts send at once. */
const Changes = Type.Object({
  changes: Type.Array(Type.String({ description: 'A query string with an item and what it gets, or with a day.' }), {
    maxItems: 100,
    description: 'Send the others in another request.'
  })
}, { additionalProperties: false })
const checkChanges = validator(Changes)

/** Selects the listed items of a day. */
const dayFields = { day, at, filter: feedSeen.input.properties.feedback_filter, must_read, saved, tag }

/** Without scripts, the browser returns to the page that the address names, or else scrolls back to the row. */
function backTo (url: string, ref: string): { to: string } {
  const back = new URLSearchParams(url.split('?', 2)[1]).get('back') ?? undefined
  return { to: isOwnPath(back) ? back : `${url}#row-${ref.trim().slice(0, 8).toLowerCase()}` }
}

/** Votes and marks. Each form sets one; scripts send all as `change`. All become the same changes. */
export const feedActions = {
  vote: action({
    operations: [feedbackSet, feedbackClear],
    fields: Type.Object({ item, vote: Type.String({ description: 'A vote, the reason of a downvote, or "clear".' }) }),
    async run (context, { project_id, item = '', vote = '' }, { url }) {
      await applyChange(context, { project_id, item }, { vote })
      return backTo(url, item)
    }
  }),
  mark: action({
    operations: [itemUpdate],
    fields: Type.Object({ item, saved: Type.String(), seen: Type.String() }),
    async run (context, { project_id, item = '', saved, seen }, { url }) {
      const marks = { ...(saved === undefined ? {} : { saved }), ...(seen === undefined ? {} : { seen }) }
      await applyChange(context, { project_id, item }, marks)
      return backTo(url, item)
    }
  }),
  tag: action({
    operations: [itemAmend],
    fields: Type.Object({ item, add: Type.String(), remove: Type.String() }),
    async run (context, { item = '', add = '', remove }, { url }) {
      await itemAmend.run(context, { ref: item, ...(remove === undefined ? { tags: add.split(',') } : { removed_tags: [remove] }) })
      return backTo(url, item)
    }
  }),
  note: action({
    operations: [itemAmend],
    fields: Type.Object({ item, note: itemAmend.input.properties.note, base: Type.String() }),
    async run (context, { item = '', note = '', base = '' }, { url }) {
      // Browsers send line ends as two characters and count them as one.
      const { is_united } = await itemAmend.run(context, { ref: item, note: note.replaceAll('\r\n', '\n'), note_bases: [base] })
      return { ...backTo(url, item), ...(is_united ? { notice: 'This note was changed elsewhere. Both versions were kept.' } : {}) }
    }
  }),
  skip: action({
    operations: [feedSeen, feedsSeen],
    fields: Type.Object(dayFields),
    async run (context, { project_id, filter, must_read, ...fields }, { url }) {
      const day = { feedback_filter: filter, must_read: must_read === true ? true : undefined, ...fields }
      const { changed } = await skipDay(context, project_id, day)
      return { to: url, notice: changed === 1 ? 'Marked 1 paper as seen.' : `Marked ${changed} papers as seen.` }
    }
  }),
  dismiss: action({
    operations: [noticesDismiss],
    fields: Type.Pick(noticesDismiss.input, ['as_of']),
    async run (context, { project_id, as_of }, { url }) {
      await noticesDismiss.run(context, { project_id, as_of })
      return { to: url }
    }
  }),
  change: action({
    operations: [projectsGet, projectPaperGet, feedbackSet, feedbackClear, itemUpdate, itemAmend, feedSeen, feedsSeen],
    fields: Changes,
    async run (context, { project_id, ...sent }: { project_id?: string, changes: string[] }) {
      const { changes } = checkChanges({ changes: sent.changes })
      if (project_id !== undefined) await projectsGet.run(context, { project_id })
      /** The changes that failed, by their place in the request; of a vote that a newer one replaced, also that one. */
      const refused: Array<{ change: number, message: string, vote?: string }> = []
      /** The notes that were united with those of others. */
      const united: Array<{ change: number, note: string }> = []
      /** Items with a vote of this request, which is no newer one from elsewhere. */
      const voted = new Set<string>()
      for (const [place, change] of changes.entries()) {
        const sent = new URLSearchParams(change)
        const { item = '', note_base: _base, age, ...fields } = Object.fromEntries(sent)
        try {
          const isChecked = age !== undefined && fields.vote !== undefined && !voted.has(item)
          const newer = isChecked ? await newerVote(context, item, fields.vote!, Number(age)) : undefined
          if (newer !== undefined) {
            refused.push({ change: place, message: 'You have voted on this paper elsewhere since. That vote is kept.', vote: newer })
            continue
          }
          if (fields.note !== undefined && sent.has('note_base')) {
            const { note, is_united } = await itemAmend.run(context, { ref: item, note: fields.note, note_bases: sent.getAll('note_base') })
            if (is_united) united.push({ change: place, note: note ?? '' })
          } else await applyChange(context, { project_id, item }, fields)
          if (fields.vote !== undefined) voted.add(item)
        } catch (error) {
          if (!(error instanceof OperationError) || error.status >= 500) throw error
          refused.push({ change: place, message: error.userMessage })
        }
      }
      return { data: { refused, ...(united.length > 0 ? { united } : {}) } }
    }
  })
}

/** The actions of a list of all projects: votes and marks name their item. */
export const { dismiss: _dismiss, ...allFeedsActions } = feedActions

/** Marks a day of a project as seen, or of all projects. */
const skipDay = async (context: Context, project_id: string | undefined, day: Record<string, unknown>) =>
  project_id === undefined ? await feedsSeen.run(context, day, fromText) : await feedSeen.run(context, { project_id, ...day }, fromText)

/** Arguments of a vote, given as a vote or the reason of a downvote. */
export const voteArguments = (vote: string) => reasons.includes(vote) ? { vote: 'downvote', downvote_reason: vote } : { vote }

/** A vote as pages name it. */
const voteName = ({ vote, downvote_reason }: Feedback) => downvote_reason ?? vote

/** Another vote that the paper got after this one, which waited for a connection. @param ageMs since this one was given */
async function newerVote (context: Context, item: string, vote: string, ageMs: number): Promise<string | undefined> {
  const { feedback } = await projectPaperGet.run(context, { ref: item }).catch((error: unknown) => {
    // A paper that has left its feed has no vote. This one brings it back.
    if (error instanceof PaperNotFound) return { feedback: null }
    throw error
  })
  if (feedback === null || voteName(feedback) === vote) return undefined
  return Date.parse(feedback.updated_at) > context.now().getTime() - ageMs ? voteName(feedback) : undefined
}

/** Sets a vote, given as a vote, the reason of a downvote, or "clear". Repeating it changes nothing. */
export async function setVote (context: Context, item: string, vote: string): Promise<void> {
  if (vote === 'clear') await feedbackClear.run(context, { paper_id: item })
  else await feedbackSet.run(context, { paper_id: item, ...voteArguments(vote) })
}

/**
 * Applies a change. Earlier versions of the scripts send all tags, on lines of their own, and notes without what they are based on.
 * @param target without a project, a day is that of all projects
 */
async function applyChange (
  context: Context,
  { project_id, item }: { project_id?: string | undefined, item: string },
  { day, filter, vote, tag_add, tag_remove, tags, note, ...marks }: Record<string, string>
): Promise<void> {
  if (day !== undefined) await skipDay(context, project_id, { day, feedback_filter: filter, ...marks })
  else if (vote !== undefined) await setVote(context, item, vote)
  else if (tag_add !== undefined) await itemAmend.run(context, { ref: item, tags: [tag_add] })
  else if (tag_remove !== undefined) await itemAmend.run(context, { ref: item, removed_tags: [tag_remove] })
  else if (tags !== undefined) await itemUpdate.run(context, { ref: item, tags: tags.split('\n').filter(tag => tag !== '') })
  else if (note !== undefined) await itemUpdate.run(context, { ref: item, note })
  else await itemUpdate.run(context, { ref: item, ...marks }, fromText)
}
