/** A word that a step of the job requires of what the model received. */
function check (condition, complaint) {
  if (!condition) throw new Error(complaint)
}

const tool = (step, name, args = {}, wait = 0) => ({ step, name, arguments: args, wait })
/** Milliseconds before a call that waits for a job is repeated, and repetitions. */
const pollMs = 700
const maxPolls = 40

/** The request of the researcher, as the client passes it to the model. */
export const request = topic =>
  `What is new and important on ${topic} in my feeds since last time? Summarize with citations, read the best one in full, ` +
  'tell me if a source was down, star it, mark two as not relevant, and add this DOI.'

/**
 * The weekly job as a model does it: yields each tool call and gets what the model received of its result. Ids come from nothing else.
 * @returns the answer to the researcher @throws Error where a result lacks what the next step needs
 */
export function * weeklyJob ({ topic, doi, failing }) {
  const { items: projects } = yield tool('projects', 'projects_list')
  const project_id = projects.find(({ name }) => name.toLowerCase().includes(topic))?.id
  check(project_id !== undefined, `no project on ${topic} among ${projects.length}`)

  const brief = yield tool('brief', 'feed_brief', { project_id })
  check(brief.items.length === 10 && brief.remaining > 0, `${brief.items.length} items, ${brief.remaining} remaining`)
  const down = brief.coverage.failing.find(({ source }) => source === failing)
  check(!brief.coverage.complete && down !== undefined, `coverage does not say that ${failing} is down`)

  const found = yield tool('search', 'feed_search', { project_id, q: topic, detail: 'brief' })
  check(found.items.length > 0, 'nothing found')
  const page = yield tool('full page', 'feed_get', { project_id, since: '7d', sort: 'relevance' })
  check(page.items.length === 10 && page.items[0].paper.abstract, 'not ten full items')

  const best = yield * outlineOfBest(brief.items)
  let length = 0
  for (let offset = 0; offset !== null;) {
    const part = yield tool('read', 'paper_markdown', { paper_id: best.item.id, offset, outline: false })
    length += part.markdown.length
    check(part.markdown.length > 0 && (part.next_offset === null || part.next_offset > offset), `the part at ${offset} goes nowhere`)
    offset = part.next_offset
    check(offset !== null || length === part.total_chars, `${length} of ${part.total_chars} characters`)
  }
  const { citation } = yield tool('cite', 'paper_cite', { paper_id: best.item.id, format: 'text' })

  const starred = yield tool('star', 'feedback_set', { paper_id: best.item.id, vote: 'star' })
  check(starred.item.feedback.vote === 'star' && starred.learning.effective_by, 'the star is not there')
  for (const { id } of brief.items.filter(item => item !== best.item).slice(-2)) {
    const dismissed = yield tool('dismiss', 'feedback_set', { paper_id: id, vote: 'downvote', downvote_reason: 'not_relevant' })
    check(dismissed.item.feedback.downvote_reason === 'not_relevant', 'the vote is not there')
  }

  const added = yield * repeat(
    wait => tool('add', 'paper_add', { project_id, identifier: `https://doi.org/${doi}` }, wait),
    ({ job_id }) => job_id === undefined
  )
  check(added.paper.doi === doi, `${added.paper.doi} was added, not ${doi}`)

  const next = yield tool('next brief', 'feed_brief', { project_id, acknowledge: brief.brief_id })
  const given = new Set(brief.items.map(({ id }) => id))
  check(next.items.length > 0 && next.items.every(({ id }) => !given.has(id)), 'items came again')

  const cited = brief.items.slice(0, 3).map(({ paper, paper_title: title }) => `- ${title} [${paper.reference_label}](${paper.index_url})`)
  check(brief.items.every(({ paper }) => paper.reference_label && paper.index_url), 'an item cannot be cited')
  return [`New on ${topic}:`, ...cited, `Read in full: ${citation}`, `Not complete: ${down.message}`, 'The job is done.'].join('\n')
}

/** The first item that has a full text, and its outline. */
function * outlineOfBest (items) {
  for (const item of items) {
    const outline = yield * repeat(
      wait => tool('outline', 'paper_markdown', { paper_id: item.id, outline: true }, wait),
      ({ status }) => status !== 'queued'
    )
    if (outline.status === 'ready') {
      check(
        outline.outline.length > 5 && outline.total_chars > 50_000,
        `${outline.outline.length} sections, ${outline.total_chars} characters`
      )
      return { item, outline }
    }
  }
  throw new Error('no full text')
}

function * repeat (call, isDone) {
  for (let polls = 0; polls < maxPolls; polls++) {
    const result = yield call(polls === 0 ? 0 : pollMs)
    if (isDone(result)) return result
  }
  throw new Error(`still waiting after ${maxPolls} calls`)
}

/** The steps in order, for the table. */
export const steps = [
  'projects', 'brief', 'search', 'full page', 'outline', 'read', 'cite', 'star', 'dismiss', 'add', 'next brief', 'answer'
]
