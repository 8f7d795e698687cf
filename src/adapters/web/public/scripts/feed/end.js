/* The end of a list: says in which of its projects enough has been rated. */
import { undoable, undoLast } from '../changes/undo.js'
import { withOutboxLock } from '../outbox/store.js'
import { fetchPage } from '../page/fetched.js'
import { showToast } from '../toast.js'
import { feed } from './rows.js'

/** Projects of one list that are asked about at its end. */
const maxAsked = 10

/** The projects of a list of several: the name of each by its address. */
const listedProjects = () => new Map([...document.querySelectorAll('.row[data-project]')]
  .map(row => [row.dataset.project, row.querySelector('.row-project').textContent]))

/** The sentence of a project's Insights about what has been missed; none if it cannot be read. */
async function readRecall (project) {
  try {
    const { page } = await fetchPage(`${project}/insights`)
    return { project, recall: page.getElementById('recall') }
  } catch {
    return { project, recall: null }
  }
}

/** Number of announcements so far: an earlier one, whose estimate comes late, replaces no later message. */
let announcements = 0

/** Says that the list ends, and in which of its projects enough has been rated. */
export async function announceEnd () {
  const turn = ++announcements
  const announce = text => showToast(text, undoable.length > 0 ? undoLast : undefined)
  announce('End of the list')
  try {
    // The estimate counts the last votes, which are being sent.
    await withOutboxLock(async () => {})
    const ofSeveral = listedProjects()
    const asked = [...ofSeveral.size > 0 ? ofSeveral.keys() : [feed().dataset.changes]].slice(0, maxAsked)
    const estimates = await Promise.all(asked.map(readRecall))
    const done = estimates.filter(({ recall }) => recall?.dataset.reached === 'true')
    if (done.length === 0 || turn !== announcements) return
    if (ofSeveral.size === 0) announce(`Done for this week. ${done[0].recall.textContent}`)
    else if (done.length === ofSeveral.size) announce('Done for this week in all of these projects.')
    else announce(`Done for this week in ${new Intl.ListFormat('en').format(done.map(({ project }) => ofSeveral.get(project)))}.`)
  } catch {}
}
