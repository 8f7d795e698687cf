import t from 'tap'
import { randomBytes } from 'node:crypto'
import { readdirSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readBackup } from '../../src/backups/read-backup.js'
import { until } from '../support/until.js'

const descriptors = '/proc/self/fd'

t.test('a rejected backup is closed', { skip: process.platform !== 'linux' && 'Only Linux lists open files.' }, async t => {
  const file = join(t.testdir(), 'large.backup')
  // More than the streams buffer.
  writeFileSync(file, gzipSync(`{"other":1}\n${randomBytes(3_000_000).toString('base64')}`))
  const isOpen = () => readdirSync(descriptors).some(descriptor => {
    try {
      return readlinkSync(join(descriptors, descriptor)) === file
    } catch {
      // Closed meanwhile.
      return false
    }
  })
  await t.rejects(readBackup(file, '2026-11-20').next(), { message: /is not a Litfeed backup/ })
  await until(async () => !isOpen())
  t.pass()
})
