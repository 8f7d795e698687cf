/* Texts for screen readers. They announce what changes within a status, but hardly a status that comes with its text. */

const status = Object.assign(document.createElement('p'), { className: 'unseen', role: 'status' })

/** Adds the status, which must be there before its first text. */
export const startAnnouncements = () => document.body.append(status)

/** Has screen readers announce a text. */
export const announce = text => { status.textContent = text }

const announced = '[role=status], [data-announced]'

/** The statuses of a part of the page that say something. */
const statusesOf = part =>
  [part, ...part.querySelectorAll(announced)].filter(each => each.matches(announced) && each.innerText.trim() !== '')
const textOf = ({ dataset: { about }, innerText }) => about === undefined ? innerText : `${about}: ${innerText}`

/** What the statuses of a part say that is about to be replaced. */
export const readStatuses = part => statusesOf(part).map(textOf)

/** Announces what the statuses of a new part say. @param before what they said */
export function announceStatuses (part, before) {
  const said = [...before]
  const texts = []
  for (const each of statusesOf(part)) {
    const at = said.indexOf(textOf(each))
    if (at === -1) texts.push(textOf(each))
    else said.splice(at, 1)
    // Else some screen readers would announce it twice.
    each.removeAttribute('role')
    each.dataset.announced = ''
  }
  if (texts.length > 0) announce(texts.join(' '))
}
