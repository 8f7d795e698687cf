/* Several files in the form of an import: each is uploaded by itself, and one report says which were rejected. */
/* global htmx */
import { fetchPage } from '../page/fetched.js'
import { sizeProblem } from '../page/fields.js'
import { isOfOther, sessionEnded } from '../session.js'

const takeSeveral = root => {
  for (const field of root.querySelectorAll('[data-imports] input[type=file]')) field.multiple = true
}

/** Times that a file waits for its turn, and seconds of one, at most: an account has a number of imports that wait. */
const [maxWaits, maxWaitSeconds] = [20, 60]

const keepOpen = 'Keep this page open.'

/**
 * Uploads one file, once there is room for it. @param onWait called before it waits
 * @returns why it was rejected; undefined if it was accepted
 */
async function sendFile (form, file, onWait) {
  const problem = sizeProblem(file, form.querySelector('input[type=file]'))
  if (problem !== undefined) return `The file ${problem}`
  const fields = new FormData(form)
  fields.set('file', file)
  try {
    const send = () => fetchPage(form.getAttribute('action'), { method: 'POST', body: fields })
    let { answer, page } = await send()
    for (let waits = 0; answer.status === 429 && waits < maxWaits; waits++) {
      onWait()
      const seconds = Math.min(Number(answer.headers.get('Retry-After')) || maxWaitSeconds, maxWaitSeconds)
      await new Promise(resolve => { setTimeout(resolve, seconds * 1000) })
      ;({ answer, page } = await send())
    }
    if (isOfOther(page)) return sessionEnded
    if (answer.ok) return undefined
    return (page.querySelector('[role=alert]') ?? page.querySelector('.lead'))?.textContent ?? 'The upload failed. Try again.'
  } catch {
    return 'The upload failed. Check your connection.'
  }
}

/** Asks before the page is left: the browser would drop the files that are not uploaded yet. */
const keepPage = event => event.preventDefault()

/** A report of all files, with the reason for each that was rejected. */
function importReport (count, rejected) {
  const report = Object.assign(document.createElement('div'), {
    id: 'import-report',
    className: rejected.length === 0 ? 'notice good' : 'notice bad',
    role: rejected.length === 0 ? 'status' : 'alert',
    tabIndex: -1
  })
  const accepted = count - rejected.length
  report.append(Object.assign(document.createElement('p'), {
    textContent: rejected.length === 0
      ? `${count} files are being imported.`
      : `${accepted} of ${count} files ${accepted === 1 ? 'is' : 'are'} being imported. Not imported:`
  }))
  if (rejected.length > 0) {
    const list = document.createElement('ul')
    for (const { name, reason } of rejected) {
      const line = document.createElement('li')
      line.append(Object.assign(document.createElement('b'), { textContent: name, dir: 'auto' }), `: ${reason}`)
      list.append(line)
    }
    report.append(list)
  }
  return report
}

/** Lets import forms take several files. */
export function startImports () {
  takeSeveral(document)
  document.addEventListener('htmx:load', ({ detail: { elt } }) => takeSeveral(elt))

  // The pressed button no longer exists. The focus moves to the result.
  document.addEventListener('htmx:afterSwap', ({ detail: { requestConfig } }) => {
    if (!requestConfig.elt.matches('[data-imports]')) return
    const answer = document.querySelector('#content > .notice, [data-imports] [data-refusal]') ?? document.getElementById('content')
    answer.tabIndex = -1
    answer.focus({ preventScroll: true })
  })

  // Before htmx, which would send all files in one request.
  document.addEventListener('submit', async event => {
    const form = event.target.closest('[data-imports]')
    const files = [...form?.querySelector('input[type=file]').files ?? []]
    if (files.length < 2) return
    event.preventDefault()
    event.stopImmediatePropagation()
    const button = form.querySelector('button:not([hidden])')
    const busy = document.getElementById('importing')
    button.disabled = true
    busy.classList.add('htmx-request')
    const rejected = []
    addEventListener('beforeunload', keepPage)
    for (const [at, file] of files.entries()) {
      const progress = `Uploading ${at + 1} of ${files.length}`
      busy.textContent = `${progress}… ${keepOpen}`
      const reason = await sendFile(form, file, () => {
        busy.textContent = `${progress}, waiting for earlier imports… ${keepOpen}`
      })
      if (reason !== undefined) rejected.push({ name: file.name, reason })
    }
    removeEventListener('beforeunload', keepPage)
    button.disabled = false
    busy.classList.remove('htmx-request')
    // The form keeps files of which none was accepted.
    if (rejected.length < files.length) {
      // Without a connection, the report stands on the page as it is.
      await htmx.ajax('GET', form.getAttribute('action'), { target: '#content', select: '#content', swap: 'outerHTML show:top' })
        .catch(() => {})
    }
    document.getElementById('import-report')?.remove()
    document.querySelector('#content .page-lead').after(importReport(files.length, rejected))
    document.getElementById('import-report').focus({ preventScroll: true })
  }, true)
}
