import Fastify from 'fastify'
import { connect } from '../db/connection.js'
import { countFeed } from '../db/queries/feed-count.js'
import { listFeed } from '../db/queries/feed.js'
import { feedItemOf } from '../src/papers/records.js'

/*
 * The HTTP baseline: bare Fastify routes that send the same JSON as the service, without keys, validation, limits, logs or metrics. TOOLS
 * is the service's answer to tools/list.
 */

const { DATABASE_URL: databaseUrl, ACCOUNT, PROJECT, TOOLS } = process.env
const list = JSON.parse(TOOLS!)
const { db } = await connect({ databaseUrl, dataDir: process.env.DATA_DIR ?? '', name: 'bench', share: true })
const app = Fastify()
app.post('/tools-list', async () => list)
app.post('/small', async () => ({ jsonrpc: '2.0', id: 1, result: {} }))
app.get('/feed', async () => {
  const filter = { projectId: PROJECT! }
  const [counted, rows] = await Promise.all([countFeed(db, ACCOUNT!, filter), listFeed(db, ACCOUNT!, filter, { limit: 20, offset: 0 })])
  return { items: rows.map(feedItemOf), total: counted!.total, limit: 20, offset: 0, has_more: counted!.total > 20 }
})
await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) })
process.stdout.write('ready\n')
