import t from 'tap'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { connect } from '../../db/connection.js'
import { listFileRisks, prepareDataDirectory } from '../../db/embedded/data-directory.js'
import { loadOrCreateSecret } from '../../src/accounts/secrets.js'
import { commandLine } from '../support/command-line.js'
import { copyTemplate, makeTemplate, temporaryDirectory } from '../support/database.js'
import { until } from '../support/until.js'

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)
/**
 * The files and directories in a directory that others could open, except caches that the database writes anew and that only its private
 * directory protects.
 */
const openToOthers = (directory: string) => readdirSync(directory, { recursive: true, encoding: 'utf8' })
  .filter(name => !name.endsWith('/pg_internal.init') && (statSync(join(directory, name)).mode & 0o077) !== 0)

t.test('files in the data directory', { skip: process.getuid === undefined ? 'no such permissions here' : false }, async t => {
  await makeTemplate()
  t.beforeEach(() => { process.umask(0o022) })

  t.test('are private even in a world-readable directory, including those of the embedded database', async t => {
    const dataDir = temporaryDirectory(t)
    chmodSync(dataDir, 0o755)
    loadOrCreateSecret(dataDir)
    const { db, close } = await connect({ dataDir, name: 'a test', share: false })
    await sql`create table made (number int)`.execute(db)
    t.strictSame(openToOthers(dataDir), [])
    t.equal(modeOf(dataDir), '755', 'which may hold files of other programs')
    await close()
    t.strictSame(openToOthers(dataDir), [])
    t.strictSame(listFileRisks(dataDir), [])
  })

  t.test('become private if an earlier version left them readable', async t => {
    const dataDir = copyTemplate(t)
    writeFileSync(join(dataDir, 'jwt-secret'), `${'0'.repeat(64)}\n`)
    for (const name of readdirSync(dataDir, { recursive: true, encoding: 'utf8' })) {
      chmodSync(join(dataDir, name), statSync(join(dataDir, name)).isDirectory() ? 0o755 : 0o666)
    }
    t.match(listFileRisks(dataDir), [/Other users can open .*postgres/, /Other users can open .*jwt-secret/])
    const { close } = await connect({ dataDir, name: 'a test', share: false })
    t.strictSame(openToOthers(dataDir), [])
    await close()
    t.strictSame(listFileRisks(dataDir), [])
  })

  t.test('belong to its owner, also those that a command of root creates', { skip: process.getuid!() !== 0 }, async t => {
    const dataDir = copyTemplate(t)
    chownSync(dataDir, 12345, 12345)
    const ofRoot = () => readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      .filter(name => lstatSync(join(dataDir, name)).uid !== 12345)
    const { db, close } = await connect({ dataDir, name: 'a test', share: false })
    t.strictSame(ofRoot().filter(name => !/^(?:lock|socket)|postmaster\.pid$|pg_internal\.init$/.test(name)), [], 'an earlier command left some')
    await sql`create table made (number int)`.execute(db)
    await close()
    t.strictSame(ofRoot(), [])
    t.strictSame(listFileRisks(dataDir), [])
  })

  t.test('belong to its owner after a command of root is interrupted', { skip: process.getuid!() !== 0 }, async t => {
    const dataDir = copyTemplate(t)
    chownSync(dataDir, 12345, 12345)
    const command = commandLine(dataDir).start(['user', 'list'])
    const ended = once(command, 'exit')
    // The command waits for this client of its database.
    let client: pg.Client | undefined
    await until(async () => {
      client = new pg.Client({ host: join(dataDir, 'socket'), port: 5432, user: 'postgres', database: 'postgres' })
      client.on('error', () => {})
      return command.exitCode !== null || await client.connect().then(() => true, () => false)
    })
    await client!.query('create table made (number int)')
    command.kill('SIGTERM')
    t.strictSame(await ended, [143, null])
    const names = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    t.strictSame(names.filter(name => lstatSync(join(dataDir, name)).uid !== 12345), [])
    await client!.end().catch(() => {})
  })

  t.test('belong to its owner after the creation of a database by root is interrupted', { skip: process.getuid!() !== 0 }, async t => {
    const dataDir = temporaryDirectory(t)
    chownSync(dataDir, 12345, 12345)
    const command = commandLine(dataDir).start(['user', 'create', '--email', 'you@example.org'])
    const ended = once(command, 'exit')
    const namesIn = () => readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
    await until(async () => command.exitCode !== null || namesIn().some(name => /^creating-[^/]*\//.test(name)))
    command.kill('SIGTERM')
    t.strictSame(await ended, [143, null])
    // A creator that continued would write more.
    await setTimeout(500)
    t.strictSame(namesIn().filter(name => lstatSync(join(dataDir, name)).uid !== 12345), [])
  })

  t.test('of another user are named if the database cannot be opened', { skip: process.getuid!() !== 0 }, async t => {
    const user = { uid: 12345, gid: 12345 }
    /** The message of a program of this user that fails to open a database. */
    const failureOf = async (module: string, call: string) => {
      const program = `import(${JSON.stringify(new URL(module, import.meta.url).href)}).then(async module => await module.${call})
        .catch(({ message }) => console.log(message))`
      return await text(spawn(process.execPath, ['-e', program], { ...user, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] }).stdout)
    }
    const connectTo = async (dataDir: string) =>
      await failureOf('../../db/connection.js', `connect(${JSON.stringify({ dataDir, name: 'a test', share: false })})`)
    const refusal = (dataDir: string, name: string) =>
      `The embedded database in ${dataDir} could not be opened: this user may not read and write ${join(dataDir, name)}. `

    for (const name of ['postgres/global/pg_control', 'lock', 'creating-1/base']) {
      const dataDir = copyTemplate(t)
      writeFileSync(join(dataDir, 'lock'), '')
      mkdirSync(join(dataDir, 'creating-1/base'), { recursive: true })
      writeFileSync(join(dataDir, 'creating-1/base/1'), '')
      const paths = ['', ...readdirSync(dataDir, { recursive: true, encoding: 'utf8' })]
      for (const path of paths) chownSync(join(dataDir, path), user.uid, user.gid)
      chownSync(join(dataDir, name), 0, 0)
      chmodSync(join(dataDir, name), name === 'creating-1/base' ? 0o700 : 0o600)
      t.equal(await connectTo(dataDir), `${refusal(dataDir, name)}Run as root: chown -R 12345 ${dataDir}/\n`)
    }

    const ofRoot = copyTemplate(t)
    chmodSync(ofRoot, 0o700)
    const advice = `${refusal(ofRoot, '')}Run this command as root or as the user of the service.\n`.replace(`${ofRoot}/.`, `${ofRoot}.`)
    t.equal(await connectTo(ofRoot), advice)
    const settings = JSON.stringify({ dataDir: ofRoot })
    t.equal(await failureOf('../../src/composition/database-preparation.js', `checkExists(${settings}, 'none')`), '', 'it is not missing')
  })

  t.test('cannot be replaced by other users; links are not followed', async t => {
    const parent = temporaryDirectory(t)
    const dataDir = join(parent, 'data')
    mkdirSync(dataDir)
    writeFileSync(join(parent, 'other'), '', { mode: 0o644 })
    symlinkSync(join(parent, 'other'), join(dataDir, 'jwt-secret'))
    chmodSync(dataDir, 0o777)
    t.match(listFileRisks(dataDir), [/Other users can write to .*data\. Run chmod go-w/])
    prepareDataDirectory(dataDir)
    t.equal(modeOf(dataDir), '755')
    t.equal(modeOf(join(parent, 'other')), '644')
    t.strictSame(listFileRisks(dataDir), [])
    chmodSync(parent, 0o777)
    t.match(listFileRisks(dataDir), [/Every user can write to .*, and so replace .*data\./])
    chmodSync(parent, 0o1777)
    t.strictSame(listFileRisks(dataDir), [])
    rmSync(dataDir, { recursive: true })
    t.strictSame(listFileRisks(dataDir), [], 'a directory that the first start will create')
  })
})
