import t from 'tap'
import { once } from 'node:events'
import { connect } from 'node:net'
import { join } from 'node:path'
import { serveDatabase } from '../../db/embedded/wire-protocol-server.js'
import { temporaryDirectory } from '../support/database.js'
import { until } from '../support/until.js'

type Database = Parameters<typeof serveDatabase>[0]

const protocolVersion = 196_608
const readyForQuery = Buffer.from('Z\0\0\0\x05I', 'latin1')

const numbers = (...values: number[]) => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [at, value] of values.entries()) bytes.writeInt32BE(value, 4 * at)
  return bytes
}
const start = numbers(8, protocolVersion)
const query = (length: number) => Buffer.concat([Buffer.from('Q'), numbers(length)])

t.test('a message with an impossible length ends its connection, and no other', async t => {
  const path = join(temporaryDirectory(t), 'socket')
  let requests = 0
  const database = {
    runExclusive: async <T>(run: () => Promise<T>) => await run(),
    execProtocolRawStream: async (_message: Uint8Array, { onRawData }: { onRawData: (data: Uint8Array) => void }) => {
      requests++
      onRawData(readyForQuery)
    },
    exec: async () => []
  } as unknown as Database
  const { stop, connections } = await serveDatabase(database, path, async () => {})
  t.teardown(stop)
  const open = async () => {
    const socket = connect(path)
    await once(socket, 'connect')
    return socket
  }
  const other = await open()
  other.write(start)
  await once(other, 'data')
  for (const [name, bytes] of Object.entries({
    'no start': numbers(0, protocolVersion),
    'a start without a code': numbers(4),
    'a negative start': numbers(-1, protocolVersion),
    'an empty message': Buffer.concat([start, query(0)]),
    'a negative message': Buffer.concat([start, query(-1)]),
    'a message without its length': Buffer.concat([start, query(3), query(4)])
  })) {
    const socket = await open()
    const closed = once(socket.resume(), 'close')
    socket.write(bytes)
    await closed
    await until(async () => connections() === 1)
    t.pass(name)
  }
  requests = 0
  other.write(query(4))
  await once(other, 'data')
  t.equal(requests, 1)
  other.destroy()
})
