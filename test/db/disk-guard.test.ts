import t from 'tap'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { checkDiskSpace, guardDiskSpace } from '../../db/embedded/disk-guard.js'
import { temporaryDirectory } from '../support/database.js'

const wire = new URL('../../db/embedded/wire-protocol-server.js', import.meta.url).href
const megabyte = 1024 * 1024

t.test('an embedded database whose disk is nearly full', async t => {
  t.test('is read-only before PostgreSQL aborts, and writable again once space is free', async t => {
    const ran: string[] = []
    let free = 1000
    const checkDisk = guardDiskSpace({ exec: async statement => { ran.push(statement); return [] } }, () => free * megabyte)
    const lookAt = async (megabytes: number) => {
      free = megabytes
      await checkDisk({ bytes: 100, inTransaction: false })
      await sleep(260)
      await checkDisk({ bytes: 100, inTransaction: false })
      return ran.splice(0)
    }
    t.strictSame(await lookAt(65), [])
    t.strictSame(await lookAt(63), ['set default_transaction_read_only = on'])
    t.strictSame(await lookAt(80), [], 'not on and off at the edge')
    t.strictSame(await lookAt(100), ['set default_transaction_read_only = off'])
  })

  t.test('rejects large writes into the reserved space, and accepts others', async t => {
    const ran: string[] = []
    const checkDisk = guardDiskSpace({ exec: async statement => { ran.push(statement); return [] } }, () => 200 * megabyte)
    const lookAt = async (megabytes: number, inTransaction: boolean) => {
      await checkDisk({ bytes: megabytes * megabyte, inTransaction })
      return ran.splice(0)
    }
    t.strictSame(await lookAt(40, false), [])
    t.strictSame(await lookAt(60, true), ['set transaction_read_only = on'])
    t.strictSame(await lookAt(60, false), ['set default_transaction_read_only = on'])
    t.strictSame(await lookAt(0, false), ['set default_transaction_read_only = off'])
  })

  t.test('refuses to open without enough space and says what to do', async t => {
    t.throws(() => checkDiskSpace('/data', 12.7 * megabyte), {
      message:
        'The disk of /data has 12.7 MiB left, and the database needs 48 MiB to start. Free disk space, or set DATA_DIR to a directory on ' +
        'another disk.'
    })
    t.doesNotThrow(() => checkDiskSpace('/data', 50 * megabyte))
  })

  t.test('exits with the reason when PostgreSQL panics', async t => {
    const program = `
      const { serveDatabase } = await import(${JSON.stringify(wire)})
      const { connect } = await import('node:net')
      const panic = Buffer.from('E....SPANIC\\0VPANIC\\0C53100\\0MNo space left on device\\0\\0', 'latin1')
      const database = {
        runExclusive: run => run(),
        execProtocolRawStream: async (_message, { onRawData }) => onRawData(panic),
        exec: () => new Promise(() => {})
      }
      const path = ${JSON.stringify(temporaryDirectory(t))} + '/socket'
      await serveDatabase(database, path, async () => {})
      const start = Buffer.alloc(8)
      start.writeInt32BE(8)
      start.writeInt32BE(196608, 4)
      connect(path).end(start)`
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'ignore', 'pipe'] })
    const [complaint, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
    t.equal(code, 1)
    t.match(
      complaint,
      'The embedded database stopped: its disk may be full or broken. Acknowledged writes are safe. Free disk space, then start Litfeed ' +
      'again.'
    )
  })
})
