import http from 'node:http'
import { buffer } from 'node:stream/consumers'
import { dialects } from './dialects.mjs'

/**
 * A stand-in for the models of every client: it answers each request with the next step of the current run, whatever the words of the
 * request.
 * @param current returns the current run, or undefined between runs
 */
export function modelServer (current) {
  return http.createServer((request, response) => {
    answer(request, response, current()).catch(error => { response.writeHead(500).end(String(error)) })
  })
}

async function answer (request, response, run) {
  const url = new URL(request.url, 'http://model')
  const body = await buffer(request)
  const dialect = dialects.find(({ path }) => path.test(url.pathname))
  if (run === undefined || dialect === undefined || request.method !== 'POST') {
    response
      .writeHead(url.pathname.includes('oken') ? 200 : 404, { 'content-type': 'application/json' })
      .end('{"input_tokens":10,"totalTokens":10}')
    return
  }
  const given = JSON.parse(body)
  const offered = dialect.tools(given)
  const reply = await nextStep(run, dialect, given, offered)
  const streams = dialect.isStream?.(url) ?? given.stream === true
  response.writeHead(200, { 'content-type': streams ? 'text/event-stream' : 'application/json' })
  response.end(streams ? reply.events.join('') : JSON.stringify(reply.whole))
}

async function nextStep (run, dialect, given, offered) {
  if (!offered.some(({ name }) => isTool(name, 'feed_brief'))) return withoutTools(run, dialect, offered)
  run.offered ??= offered
  if (run.answer === undefined && run.failure === undefined) {
    const received = run.pending && dialect.results(given).get(run.pending.id)
    if (run.pending === undefined) await run.start()
    else if (received !== undefined) await run.receive(received)
  }
  if (run.pending === undefined) return dialect.say(run.answer ?? `The job failed: ${run.failure.why}`)
  const { name } = run.pending
  const tool = offered.find(each => isTool(each.name, name))
  if (tool === undefined) {
    run.fail(`the client offers the model no ${name}`)
    return dialect.say(`The job failed: ${run.failure.why}`)
  }
  return dialect.call({ ...run.pending, name: tool.name, offered: tool })
}

/**
 * Claude Code and Codex show their models the tools of a server only after a search. Other requests without them, such as for a title, are
 * not the job.
 */
function withoutTools (run, dialect, offered) {
  const canSearch = offered.some(({ name }) => name === 'ToolSearch' || name === 'tool_search')
  if (!canSearch || run.hasSearched) return dialect.say('Weekly literature')
  run.hasSearched = true
  return dialect.search({ id: 'search', query: 'litfeed papers feed project vote cite' })
}

/** Clients put the server's name before a tool's. */
export const isTool = (offered, name) => offered === name || offered.endsWith(`_${name}`) || offered.endsWith(`.${name}`)
