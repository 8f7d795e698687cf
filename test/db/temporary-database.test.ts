import fs, { existsSync, readdirSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { openTemporaryDatabase } from '../../db/temporary-database.js'

t.test('the directory of a temporary database is removed at the exit, though something still writes into it', async t => {
  const prefix = `litfeed-test-exit-${process.pid}`
  const others = process.listeners('exit')
  const { close } = await openTemporaryDatabase(prefix, 'a test')
  const [removeNow] = process.listeners('exit').filter(each => !others.includes(each))
  const directory = join(tmpdir(), readdirSync(tmpdir()).find(name => name.startsWith(prefix))!)

  const { rmSync } = fs
  const failFirst = (failures: number) => {
    fs.rmSync = (...args) => {
      if (failures-- > 0) throw Object.assign(new Error('not empty'), { code: 'ENOTEMPTY' })
      rmSync(...args)
    }
    syncBuiltinESMExports()
  }
  t.teardown(() => failFirst(0))
  failFirst(Infinity)
  t.throws(() => removeNow!(0), { code: 'ENOTEMPTY' }, 'an error remains if it cannot be removed')
  t.ok(existsSync(directory))
  failFirst(3)
  removeNow!(0)
  t.notOk(existsSync(directory))
  await close()
  t.strictSame(process.listeners('exit').filter(each => !others.includes(each) && each === removeNow), [])
})
