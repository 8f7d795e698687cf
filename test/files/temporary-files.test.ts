import { spawnSync } from 'node:child_process'
import { readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import t from 'tap'
import { openTemporaryFiles } from '../../src/files/temporary-files.js'

const module = new URL('../../src/files/temporary-files.js', import.meta.url).href

t.test('a received file is private, readable in parts and removable', async t => {
  const directory = join(t.testdir(), 'temporary')
  const files = openTemporaryFiles(directory)
  const file = await files.receive(Readable.from([Buffer.from('abc'), Buffer.from('defgh')]), { maxBytes: 8 })
  t.equal(file.size, 8)
  t.equal(statSync(file.path).mode & 0o777, 0o600)
  t.equal(statSync(directory).mode & 0o777, 0o700)
  t.equal((await file.readStart(3)).toString(), 'abc')
  t.equal((await file.readStart(100)).toString(), 'abcdefgh')
  const parts: string[] = []
  for await (const part of file.parts(3)) parts.push(part.toString())
  t.strictSame(parts, ['abc', 'def', 'gh'])
  await file.remove()
  await file.remove()
  t.strictSame(readdirSync(directory), [])
})

t.test('a readable directory becomes private', async t => {
  const directory = t.testdir()
  const file = await openTemporaryFiles(directory).create()
  t.equal(statSync(directory).mode & 0o777, 0o700)
  await file.remove()
})

t.test('rejects a long stream early and leaves no file', async t => {
  const directory = t.testdir()
  const files = openTemporaryFiles(directory)
  let sent = 0
  const endless = async function * () { for (;;) yield Buffer.alloc(1000, sent++) }
  await t.rejects(files.receive(endless(), { maxBytes: 10_000 }), { message: /exceeds the maximum.*Send a smaller one/ })
  t.equal(sent, 11)
  await t.rejects(files.receive(endless(), { maxBytes: 10_000, announcedBytes: 10_001 }), { message: /exceeds the maximum/ })
  t.equal(sent, 11, 'a length that is announced is refused without reading')
  await t.rejects(
    files.receive(
      Readable.from(
        (async function * () {
          yield Buffer.from('a')
          throw new Error('gone')
        })()
      ),
      { maxBytes: 10 }
    ),
    { message: 'gone' }
  )
  t.strictSame(readdirSync(directory), [])
})

t.test('rejects a file early for which the database has no space later', async t => {
  const directory = t.testdir()
  const files = openTemporaryFiles(directory, 1e9)
  const mebibyte = Buffer.alloc(1024 * 1024)
  let sent = 0
  const stream = async function * () { while (sent < 64) yield (sent++, mebibyte) }
  await t.rejects(files.receive(stream(), { maxBytes: 2 ** 30, announcedBytes: 2 ** 26 }), { message: /is nearly full/ })
  t.equal(sent, 0, 'if its length is announced')
  await t.rejects(files.receive(stream(), { maxBytes: 2 ** 30 }), { message: /is nearly full/ })
  t.ok(sent < 12, `after ${sent} MiB otherwise`)
  t.strictSame(readdirSync(directory), [])
  const other = await files.create(2 ** 20)
  await other.append(mebibyte)
  await other.remove()
})

t.test('removes files of killed processes, but not files in use', async t => {
  const directory = t.testdir()
  const files = openTemporaryFiles(directory)
  const own = await files.create()
  const script = `const { openTemporaryFiles } = await import(${JSON.stringify(module)}); await openTemporaryFiles(${JSON.stringify(directory)}).create(); process.kill(process.pid, 'SIGKILL')`
  spawnSync(process.execPath, ['--input-type=module', '--eval', script])
  writeFileSync(join(directory, 'other'), '')
  t.equal(readdirSync(directory).length, 3)
  t.equal(await files.removeAbandoned(), 2)
  t.strictSame(readdirSync(directory).map(name => join(directory, name)), [own.path])
  await own.remove()
  t.equal(await openTemporaryFiles(join(directory, 'missing')).removeAbandoned(), 0)
})
