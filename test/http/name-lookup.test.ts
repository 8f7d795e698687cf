import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { lookup } from 'node:dns/promises'
import type { AddressInfo } from 'node:net'
import t, { type Test } from 'tap'
import { nameLookup } from '../../src/http/name-lookup.js'

/** A name server on loopback. @param answer the address that it answers with for a type of record; undefined: it never answers */
async function nameServer (t: Test, answer: (type: number) => Buffer | undefined) {
  const socket = createSocket('udp4')
  let asked = 0
  socket.on('message', (query, from) => {
    asked++
    const question = query.subarray(12, query.indexOf(0, 12) + 5)
    const type = question.readUInt16BE(question.length - 4)
    const address = answer(type)
    if (address === undefined) return
    const header = Buffer.from([query[0]!, query[1]!, 0x81, 0x80, 0, 1, 0, 1, 0, 0, 0, 0])
    // The name of the record points to that of the question.
    const record = Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 60, 0, address.length])
    socket.send(Buffer.concat([header, question, record, address]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  t.teardown(() => new Promise<void>(resolve => socket.close(() => resolve())))
  return { servers: [`127.0.0.1:${(socket.address() as AddressInfo).port}`], asked: () => asked }
}

const addressesOf = async (lookup: ReturnType<typeof nameLookup>, hostname: string) =>
  await new Promise<unknown>((resolve, reject) => {
    lookup(hostname, { all: true }, (error, addresses) => error === null ? resolve(addresses) : reject(error))
  })

t.test('finds the IPv4 and IPv6 addresses of a name', async t => {
  const { servers } = await nameServer(t, type => type === 1 ? Buffer.from([203, 0, 113, 7]) : Buffer.alloc(16, 0x20))
  t.strictSame(await addressesOf(nameLookup({ servers }), 'paper.example'), [
    { address: '203.0.113.7', family: 4 }, { address: '2020:2020:2020:2020:2020:2020:2020:2020', family: 6 }
  ])
})

t.test('names whose servers never answer hold up no thread of the process, and fail', async t => {
  const { servers, asked } = await nameServer(t, () => undefined)
  const slow = Array.from({ length: 20 }, (_, at) => addressesOf(nameLookup({ servers }), `${at}.slow.example`))
  const ended = Promise.allSettled(slow)
  t.ok((await lookup('localhost', { all: true })).length > 0, 'another lookup ends meanwhile')
  t.equal(await Promise.race([ended.then(() => 'ended'), 'waiting']), 'waiting')
  for (const result of await ended) t.match(result, { status: 'rejected', reason: { code: 'ETIMEOUT' } })
  t.ok(asked() >= 40)
})

t.test('a host whose name servers cannot be asked uses the resolver of its system', async t => {
  t.match(await addressesOf(nameLookup({ servers: ['127.0.0.1:1'] }), 'localhost'), [{ address: String }])
})
