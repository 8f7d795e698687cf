/* The card that a host shows for feed_brief. It talks to the host in JSON-RPC over postMessage; source: MCP Apps, revision 2026-01-26. */
(() => {
  const answerTimeoutMs = 30_000
  const heightStepPx = 1
  const byId = id => document.getElementById(id)
  const [list, status, said] = ['papers', 'status', 'said'].map(byId)
  const waiting = new Map()
  let lastId = 0
  let host = {}
  let locale
  let feedbackByItem = new Map()

  // Messages

  const send = message => window.parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
  const notify = (method, params = {}) => send({ method, params })

  const request = (method, params) => new Promise((resolve, reject) => {
    const id = ++lastId
    const timer = setTimeout(() => { waiting.delete(id); reject(new Error('No answer. Try again.')) }, answerTimeoutMs)
    waiting.set(id, { resolve, reject, timer })
    send({ id, method, params })
  })

  /** Calls a tool of the service through the host. */
  async function callTool (name, args) {
    const result = await request('tools/call', { name, arguments: args })
    if (result.isError) throw new Error(textOf(result) || 'The call failed.')
    return objectOf(result)
  }

  const textOf = ({ content }) =>
    (Array.isArray(content) ? content : [])
      .filter(({ type }) => type === 'text')
      .map(({ text }) => text)
      .join('\n')

  /** Some hosts pass the text of a result only. */
  function objectOf (result) {
    if (result.structuredContent) return result.structuredContent
    try { return JSON.parse(textOf(result)) } catch { return {} }
  }

  const received = {
    'ui/notifications/tool-result': showResult,
    'ui/notifications/tool-cancelled': () => { status.textContent = 'The request was cancelled.' },
    'ui/notifications/host-context-changed': applyContext
  }
  const answered = { ping: true, 'ui/resource-teardown': true }

  window.addEventListener('message', ({ source, data }) => {
    if (source !== window.parent || data?.jsonrpc !== '2.0') return
    const { id, method, params = {} } = data
    if (method === undefined) {
      const pending = waiting.get(id)
      if (pending === undefined) return
      waiting.delete(id)
      clearTimeout(pending.timer)
      if (data.error) pending.reject(new Error(String(data.error.message)))
      else pending.resolve(data.result ?? {})
    } else if (id === undefined) {
      if (Object.hasOwn(received, method)) received[method](params)
    } else if (Object.hasOwn(answered, method)) send({ id, result: {} })
    else send({ id, error: { code: -32601, message: 'Unknown method' } })
  })

  // Appearance

  function applyContext ({ theme, styles, locale: language }) {
    const root = document.documentElement
    if (theme === 'light' || theme === 'dark') root.style.colorScheme = theme
    const variables = styles?.variables ?? {}
    for (const [name, value] of Object.entries(variables)) {
      if (/^--[\w-]+$/.test(name) && typeof value === 'string') root.style.setProperty(name, value)
    }
    // Colors of two palettes may be too close to each other: the host's are used only together.
    if (['background-primary', 'text-primary', 'text-secondary'].every(name => variables[`--color-${name}`])) root.classList.add('host')
    if (typeof language === 'string') locale = language
  }

  let height = 0
  new ResizeObserver(() => {
    const next = Math.ceil(document.body.getBoundingClientRect().height)
    if (Math.abs(next - height) < heightStepPx) return
    height = next
    notify('ui/notifications/size-changed', { height })
  }).observe(document.body)

  // Papers

  /** Creates an element. Texts of papers are written by strangers, so none becomes markup. */
  function element (name, properties = {}, ...children) {
    const made = document.createElement(name)
    for (const [key, value] of Object.entries(properties)) {
      if (key in made) made[key] = value
      else made.setAttribute(key, value)
    }
    made.append(...children)
    return made
  }

  const words = value => typeof value === 'string' ? value : ''

  function date (value) {
    try {
      return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' }).format(new Date(value))
    } catch { return words(value) }
  }

  function showResult (result) {
    if (result.isError) {
      status.textContent = textOf(result) || 'The call failed.'
      return
    }
    const { items = [], remaining = 0, coverage } = objectOf(result)
    feedbackByItem = new Map()
    list.replaceChildren(...items.map(paper))
    const shown = `${items.length} ${items.length === 1 ? 'paper' : 'papers'}`
    const nothing = coverage?.complete === false
      ? 'No new papers from the sources that were checked.'
      : 'Nothing new since the last acknowledged brief.'
    status.textContent = items.length === 0 ? nothing : ''
    byId('count').textContent = items.length === 0 ? '' : shown
    said.textContent = items.length === 0 ? '' : `${shown}, best first.`
    byId('more').textContent = `${remaining} more. Ask your assistant for the next ones.`
    byId('more').hidden = !(remaining > 0)
    byId('keys').hidden = items.length === 0
    byId('keys').replaceChildren(
      ...[
        ['↑ ↓', 'move'],
        ['R', 'read'],
        ...(mayVote()
          ? [
              ['S', 'star'],
              ['X', 'dismiss']
            ]
          : []),
        ['O', 'open']
      ].flatMap(([key, does]) => [element('kbd', {}, key), ` ${does}  `])
    )
    showCoverage(coverage)
  }

  function showCoverage (coverage) {
    const failing = coverage?.failing ?? []
    const note = byId('coverage')
    note.hidden = coverage?.complete !== false
    note.replaceChildren('Papers may be missing.', ...failing.map(({ since, message }) =>
      element('p', {}, `${since ? `Since ${date(since)}: ` : ''}${words(message)}`)))
  }

  /** Only a key that may act gets the card with votes, and the host must pass them on. */
  const mayVote = () => document.body.dataset.votes === 'yes' && host.serverTools !== undefined

  /** Labels of the notices on a paper, and of a retraction that only its record states. */
  function warnings ({ metadata }) {
    const notices = Array.isArray(metadata?.notices) ? metadata.notices : []
    const isStated = metadata?.retracted === true && !notices.some(({ kind }) => kind === 'retraction')
    return [...new Set([...(isStated ? ['Reported as retracted'] : []), ...notices.map(({ label }) => words(label)).filter(Boolean)])]
  }

  function paper (item) {
    const record = item.paper ?? {}
    const address = [record.index_url, record.url].find(each => /^https?:\/\//i.test(words(each)))
    const titleId = `title-${item.id}`
    const authors = (record.authors ?? []).map(({ name }) => words(name)).join(', ')
    const facts = [
      `Score ${Number(item.relevance_score).toFixed(2)}`,
      authors,
      record.venue_name,
      record.published_date,
      record.reference_label
    ]
      .map(words)
      .filter(Boolean)
      .join(' · ')
    const article = element('article', { tabIndex: 0, 'aria-labelledby': titleId })
    const error = element('p', { className: 'error', role: 'alert' })
    const text = element('div', { className: 'text', id: `text-${item.id}`, hidden: true, dir: 'auto' })

    const read = element('button', { type: 'button', 'aria-expanded': 'false', 'aria-controls': text.id }, 'Read')
    read.addEventListener('click', () => {
      text.hidden = !text.hidden
      read.setAttribute('aria-expanded', String(!text.hidden))
      if (!text.hidden && text.textContent === '') showText(item, text)
    })
    const buttons = [['r', read]]
    if (mayVote()) buttons.push(...voteButtons(item, article, error))
    if (address !== undefined && host.openLinks !== undefined) {
      const open = element('button', { type: 'button' }, 'Open')
      open.addEventListener('click', () => attempt(error, async () => {
        if ((await request('ui/open-link', { url: address })).isError) throw new Error(`The link was not opened: ${address}`)
      }))
      buttons.push(['o', open])
    }
    for (const [key, button] of buttons) button.setAttribute('aria-keyshortcuts', key)

    article.append(
      element(
        'h2',
        { id: titleId, dir: 'auto' },
        ...warnings(record).flatMap(label => [element('span', { className: 'badge warning' }, label), ' ']),
        ...(item.must_read ? [element('span', { className: 'badge' }, 'Must read'), ' '] : []),
        words(item.paper_title)
      ),
      element('p', { className: 'quiet' }, facts),
      element('p', { className: 'why', dir: 'auto' }, words(item.personalized_note)),
      text,
      element('div', { className: 'buttons', role: 'group', 'aria-label': 'Actions' }, ...buttons.map(([, button]) => button)),
      error
    )
    article.addEventListener('keydown', event => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      const button = buttons.find(([key]) => key === event.key.toLowerCase())?.[1]
      const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key]
      if (button !== undefined) button.click()
      else if (step !== undefined) {
        const { nextElementSibling: next, previousElementSibling: previous } = article.parentElement
        const other = step > 0 ? next : previous
        other?.firstElementChild.focus()
      } else if (event.key === 'Enter' && event.target === article) read.click()
      else return
      event.preventDefault()
    })
    return element('li', {}, article)
  }

  /** Shows the summary at once, and the abstract as soon as the service has sent it. */
  async function showText (item, place) {
    place.textContent = words(item.summary) || 'Loading…'
    try {
      const abstract =
        words(item.paper?.abstract) ||
        (host.serverTools === undefined ? '' : words((await callTool('paper_get', { paper_id: item.id })).abstract))
      place.textContent = abstract || words(item.summary) || 'No abstract.'
    } catch (problem) {
      place.textContent = words(item.summary) || problem.message
    }
  }

  async function attempt (error, run) {
    error.textContent = ''
    try { await run() } catch (problem) { error.textContent = problem.message }
  }

  // Votes

  const votes = {
    star: { key: 's', off: 'Star', on: 'Starred', args: { vote: 'star' } },
    downvote: { key: 'x', off: 'Dismiss', on: 'Dismissed', args: { vote: 'downvote', downvote_reason: 'not_relevant' } }
  }

  /** The buttons set a vote or clear it. What the user wants is shown at once; one call at a time brings the service to it. */
  function voteButtons (item, article, error) {
    let wanted = item.feedback?.vote ?? null
    let stored = wanted
    let busy = false
    const buttons = Object.entries(votes).map(([vote, { key }]) => {
      const button = element('button', { type: 'button', className: vote })
      button.addEventListener('click', () => {
        wanted = wanted === vote ? null : vote
        show()
        said.textContent = wanted === null ? 'Vote removed' : votes[wanted].on
        save()
      })
      return [key, button, vote]
    })
    function show () {
      for (const [, button, vote] of buttons) {
        button.textContent = wanted === vote ? votes[vote].on : votes[vote].off
        button.setAttribute('aria-pressed', String(wanted === vote))
        button.setAttribute('aria-busy', String(busy && wanted === vote))
      }
      article.classList.toggle('dismissed', wanted === 'downvote')
    }
    async function save () {
      if (busy) return
      busy = true
      await attempt(error, async () => {
        while (wanted !== stored) {
          const sent = wanted
          show()
          try {
            await callTool(
              sent === null ? 'feedback_clear' : 'feedback_set',
              { paper_id: item.id, ...(sent === null ? {} : votes[sent].args), detail: 'brief' }
            )
          } catch (problem) {
            // A newer wish replaces the one that failed.
            if (wanted !== sent) continue
            wanted = stored
            throw new Error(`The vote was not saved. ${problem.message}`)
          }
          stored = sent
          feedbackByItem.set(item.id, sent)
        }
      })
      busy = false
      show()
      tellModel()
    }
    show()
    return buttons
  }

  /** Lets the assistant know of the votes, by ids alone: titles are written by strangers. */
  function tellModel () {
    if (host.updateModelContext === undefined || feedbackByItem.size === 0) return
    const lines = [...feedbackByItem].map(([id, vote]) => `${id}: ${vote ?? 'no vote'}`)
    request('ui/update-model-context', {
      content: [{ type: 'text', text: `The user voted on these items of the brief:\n${lines.join('\n')}` }]
    }).catch(() => {})
  }

  request('ui/initialize', {
    protocolVersion: '2026-01-26',
    appInfo: { name: 'litfeed-card', title: 'Litfeed', version: '{{version}}' },
    appCapabilities: { availableDisplayModes: ['inline', 'fullscreen'] }
  }).then(({ hostCapabilities = {}, hostContext = {} }) => {
    host = hostCapabilities
    applyContext(hostContext)
    notify('ui/notifications/initialized')
  }, problem => { status.textContent = problem.message })
})()
