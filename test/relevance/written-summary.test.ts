import t from 'tap'
import { summaryWriter } from '../../src/relevance/written-summary.js'

/** Writes a summary with an endpoint that answers this, and returns it with the request's headers. */
async function write (answer: unknown, { status = 200, apiKey }: { status?: number, apiKey?: string } = {}) {
  let headers: Record<string, string> = {}
  const client = {
    fetch: async (url: string | URL, request?: { headers?: Record<string, string> }) => {
      headers = request?.headers ?? {}
      return {
        status,
        url: String(url),
        headers: new Headers(),
        bytes: Buffer.from(typeof answer === 'string' ? answer : JSON.stringify(answer))
      }
    }
  }
  const summary = await summaryWriter({ url: 'https://llm.example/v1', model: 'small', apiKey, client }).write(
    { title: 'Steps', abstract: 'Small.' },
    'walking'
  )
  return { summary, headers }
}
const message = (content: unknown) => ({ choices: [{ message: { content } }] })

t.test('the summary is the message, in one line, without thoughts', async t => {
  t.equal((await write(message('<think>Hm.</think> Small steps\n help.'))).summary, 'Small steps help.')
  t.match((await write(message('word '.repeat(300)))).summary, /^(?:word )+…$/, 'a long message is cut between words')
})

t.test('the key is sent if there is one', async t => {
  t.equal((await write(message('x'), { apiKey: 'secret' })).headers.authorization, 'Bearer secret')
  t.notOk('authorization' in (await write(message('x'))).headers)
})

t.test('an answer without a summary fails with a reason', async t => {
  await t.rejects(write(message('x'), { status: 500 }), { message: 'The endpoint of LLM_URL responded with status 500.' })
  for (const answer of ['no JSON', 'null', {}, { choices: [] }, message(7)]) {
    await t.rejects(write(answer), { message: /without a message/ })
  }
  await t.rejects(write(message(' ')), { message: /empty message/ })
})
