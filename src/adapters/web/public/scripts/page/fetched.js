/* Pages of the service that scripts fetch and show parts of. */
import { isOfOther, sessionEnded } from '../session.js'

/** A page of which nothing comes for so long is given up: keys wait for it. Long pages take minutes over slow connections. */
const maxSilenceMs = 30_000

/**
 * Fetches a page, or sends a form. @returns the answer, and the page in it: a proxy may have answered with one of its own
 * @throws also if nothing of the page comes for a while; an upload may take any time
 */
export async function fetchPage (href, options = {}) {
  const silence = new AbortController()
  let timer
  const waitForMore = () => {
    clearTimeout(timer)
    if (options.method !== 'POST') timer = setTimeout(() => silence.abort(), maxSilenceMs)
  }
  try {
    waitForMore()
    const answer = await fetch(href, { headers: { accept: 'text/html' }, signal: silence.signal, ...options })
    return { answer, page: new DOMParser().parseFromString(await readText(answer, waitForMore), 'text/html') }
  } finally {
    clearTimeout(timer)
  }
}

/** Reads an answer, and calls a function after each part of it. */
async function readText (answer, onPart) {
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (; ;) {
    const { done, value } = await reader.read()
    if (done) return text
    text += value
    onPart()
  }
}

/** The message of the error about a page that the service does not have. */
export const notFound = 'not found'

/** Whether the service says that it has no such page. A proxy that does not find the service has no request ids. */
const isNotFound = ({ status, headers }) => status === 404 && headers.has('x-request-id')

/**
 * Fetches pages once each, and keeps a part of the last ones.
 * @param max pages kept @param partOf a function that returns the part of a page that is kept, if the page has it
 */
export function pageParts ({ max, partOf }) {
  const kept = new Map()
  const load = async (href, entry) => {
    const { answer, page } = await fetchPage(href)
    // Another account has a page at the same address.
    if (isOfOther(page)) throw new Error(sessionEnded)
    entry.part = partOf(page) ?? undefined
    if (entry.part === undefined) throw new Error(isNotFound(answer) ? notFound : 'not the page')
    return entry.part
  }
  return {
    /** The part of a page that has been fetched; undefined while there is none. */
    fetched: href => kept.get(href)?.part,
    /** The part of a page, which is fetched unless it has been. Throws if that fails; the next call tries again. */
    fetch (href) {
      const known = kept.get(href)
      if (known !== undefined) return known.promise
      const entry = {}
      entry.promise = load(href, entry)
      // Pages are also fetched ahead, when nobody waits.
      entry.promise.catch(() => kept.delete(href))
      kept.set(href, entry)
      if (kept.size > max) kept.delete(kept.keys().next().value)
      return entry.promise
    }
  }
}
