import type { FastifyReply } from 'fastify'
import t from 'tap'
import { sendJson } from '../../src/adapters/rest/json.js'
import { requireReader, whileRead } from '../../src/server/abandoned-reads.js'
import { testService } from '../support/service.js'

/** The reply of a request whose client closes the connection when the test says so. */
function replyTo () {
  const raw = { destroyed: false }
  const sent: unknown[] = []
  const reply = { raw, send: (result: unknown) => sent.push(result), type: () => reply } as unknown as FastifyReply
  return { reply, sent, close: () => { raw.destroyed = true } }
}
const abandoned = { code: 'request_abandoned', status: 499 }

t.test('statements of a read fail once its client is gone, also in a transaction', async t => {
  const user = await (await testService(t)).user()
  const db = user.context.dbFor(user.context.account.id)
  const { reply, close } = replyTo()
  const context = whileRead({ db }, reply)
  t.equal((await context.db.selectFrom('account').select('id').execute()).length, 1)
  await t.rejects(context.db.transaction().execute(async transaction => {
    await transaction.selectFrom('account').select('id').execute()
    close()
    await transaction.selectFrom('account').select('id').execute()
  }), abandoned)
  await t.rejects(context.db.selectFrom('account').select('id').execute(), abandoned)
  t.equal((await db.selectFrom('account').select('id').execute()).length, 1, 'the database serves others')
})

t.test('a large result that nobody waits for is not serialized', async t => {
  const { reply, sent, close } = replyTo()
  requireReader(reply)
  close()
  t.throws(() => requireReader(reply), abandoned)
  await t.rejects(sendJson(reply, { text: 'a'.repeat(300_000) }), abandoned)
  await sendJson(reply, { text: 'short' })
  t.strictSame(sent, [{ text: 'short' }])
})
