import t from 'tap'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import pg from 'pg'
import { connect } from '../../db/connection.js'
import { clusterArchive, createCluster, prepareCluster } from '../../db/embedded/prepared-cluster.js'
import { commandLine } from '../support/command-line.js'
import { copyTemplate, makeTemplate, temporaryDirectory } from '../support/database.js'

const connection = new URL('../../db/connection.js', import.meta.url).href

/** A process of its own that opens the database, says so, writes on and on, and is there until it is killed. */
function otherProcess (dataDir: string) {
  // Not as a module: Node.js 20.12 refuses the text of one where it preloads others, as tap has it do.
  const program = `(async () => {
    const { connect } = await import(${JSON.stringify(connection)})
    const { sql } = await import('kysely')
    const { db } = await connect({ dataDir: ${JSON.stringify(dataDir)}, name: 'the other process', share: false })
    await sql\`create table if not exists written (number int)\`.execute(db)
    for (let number = 1; ; number++) {
      await sql\`insert into written values (\${number})\`.execute(db)
      console.log(number)
    }
  })()`
  return spawn(process.execPath, ['-e', program], {
    cwd: fileURLToPath(new URL('../../', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit']
  })
}

t.test('the embedded database', async t => {
  await makeTemplate()
  const open = async (dataDir: string, share = false) => await connect({ dataDir, name: 'a test', share })

  t.test('is created from a prepared cluster in bounded memory', async t => {
    await prepareCluster()
    const report = 'data:text/javascript,process.on("exit",()=>console.log(process.resourceUsage().maxRSS/1024))'
    const program = fileURLToPath(new URL('../../db/embedded/create.js', import.meta.url))
    let dataDir = ''
    let megabytes = Infinity
    // The peak varies, so the smallest of three counts.
    for (let tries = 0; tries < 3 && megabytes >= 400; tries++) {
      dataDir = temporaryDirectory(t)
      const stdio = ['ignore', 'pipe', 'inherit'] as const
      const creation = spawn(process.execPath, ['--import', report, program, join(dataDir, 'postgres')], { stdio: [...stdio] })
      megabytes = Math.min(megabytes, Number(await text(creation.stdout!)))
    }
    const { db, close } = await open(dataDir)
    await sql`create table written as select 1 as number`.execute(db)
    t.strictSame((await sql`select number from written`.execute(db)).rows, [{ number: 1 }])
    await close()
    t.ok(megabytes < 400, `${megabytes} MB resident`)
  })

  t.test('is created without a prepared cluster', async t => {
    const folder = temporaryDirectory(t)
    const archive = join(folder, 'cluster.tar.gz')
    await prepareCluster(archive)
    const written = statSync(archive).mtimeMs
    await prepareCluster(archive)
    t.equal(statSync(archive).mtimeMs, written, 'prepared once')
    for (const path of [archive, join(folder, 'missing')]) {
      const dataDir = temporaryDirectory(t)
      await createCluster(join(dataDir, 'postgres'), path)
      const { db, close } = await open(dataDir)
      t.strictSame((await sql`select 1 as number`.execute(db)).rows, [{ number: 1 }])
      await close()
    }
  })

  t.test('is created without a prepared one that is damaged, and says so', async t => {
    const folder = temporaryDirectory(t)
    const archive = join(folder, 'cluster-1.2.3-abcdef01.tar.gz')
    writeFileSync(join(folder, 'cluster-1.2.2-abcdef01.tar.gz'), 'of an earlier version')
    // Initdb takes seconds.
    await prepareCluster()
    copyFileSync(clusterArchive, archive)
    await prepareCluster(archive)
    t.strictSame(readdirSync(folder), ['cluster-1.2.3-abcdef01.tar.gz'])
    const whole = readFileSync(archive)
    for (const damaged of [whole.subarray(0, whole.length / 2), Buffer.from('not an archive')]) {
      writeFileSync(archive, damaged)
      const dataDir = temporaryDirectory(t)
      t.type(await createCluster(join(dataDir, 'postgres'), archive), Error)
      const { db, close } = await open(dataDir)
      t.strictSame((await sql`select 1 as number`.execute(db)).rows, [{ number: 1 }])
      await close()
    }
  })

  t.test('rejects a second process immediately and names the owner', async t => {
    const dataDir = copyTemplate(t)
    const child = otherProcess(dataDir)
    t.teardown(() => child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    await t.rejects(open(dataDir), { message: new RegExp(`in use by the other process \\(process ${child.pid}, since 20.*DATA_DIR`) })
  })

  t.test('while it is open', async t => {
    const dataDir = copyTemplate(t)
    const { db, close } = await open(dataDir)
    t.teardown(close)

    t.test('is available to commands through its owner', async t => {
      const command = await open(dataDir, true)
      await sql`create table shared (x int)`.execute(command.db)
      await sql`insert into shared values (1)`.execute(db)
      t.strictSame((await sql`select x from shared`.execute(command.db)).rows, [{ x: 1 }])
      await command.close()
      t.strictSame((await sql`select x from shared`.execute(db)).rows, [{ x: 1 }])
    })

    t.test('isolates statements of concurrent connections of any size', async t => {
      const ask = async (number: number) => {
        if (number % 3 === 0) {
          return await db.transaction().execute(async transaction => {
            await sql`select pg_sleep(0.001)`.execute(transaction)
            return (await sql<{ answer: number }>`select ${number}::int as answer, ${'x'}::text as x, ${1}::int as y`.execute(transaction))
              .rows[0]?.answer
          })
        }
        if (number % 3 === 1) {
          return (await sql<{ answer: number }>`select ${number}::int as answer, length(${'x'.repeat(80_000)}::text)`.execute(db)).rows[0]
            ?.answer
        }
        return (await sql<{ answer: number }>`select ${number}::int as answer`.execute(db)).rows[0]?.answer
      }
      const numbers = Array.from({ length: 120 }, (_each, number) => number)
      t.strictSame(await Promise.all(numbers.map(ask)), numbers)
    })

    t.test('accepts messages of many megabytes', async t => {
      const file = Buffer.alloc(24 * 1024 * 1024, 7)
      const queries: Array<Promise<unknown>> = []
      const large = sql<{ length: number }>`select length(${file}::bytea) as length`.execute(db)
      for (let time = 0; time < 20; time++) queries.push(sql`select 1`.execute(db))
      t.equal((await large).rows[0]!.length, file.length)
      await Promise.all(queries)
    })

    t.test('does not block this process during a slow query', async t => {
      let turns = 0
      const timer = setInterval(() => { turns++ }, 5)
      await sql`select count(*) from generate_series(1, 2000000) a where a % 7 = 0`.execute(db)
      clearInterval(timer)
      t.ok(turns > 10, `the event loop turned ${turns} times meanwhile`)
    })
  })

  t.test('closes even during a transaction of a command', async t => {
    const dataDir = copyTemplate(t)
    const faults: Error[] = []
    const owner = await connect({ dataDir, name: 'a test', share: false, onFailure: cause => { faults.push(cause) } })
    const command = await open(dataDir, true)
    await t.rejects(command.db.transaction().execute(async transaction => {
      await sql`create table left_open (x int)`.execute(transaction)
      await owner.close()
    }))
    t.strictSame(faults, [])
    const { db, close } = await open(dataDir)
    t.strictSame((await sql`select to_regclass('left_open') as table`.execute(db)).rows, [{ table: null }])
    await close()
    await command.close()
  })

  t.test('keeps every acknowledged write after SIGKILL of its owner', async t => {
    const dataDir = copyTemplate(t)
    const child = otherProcess(dataDir)
    let printed = ''
    child.stdout.on('data', chunk => { printed += chunk })
    while (printed.split('\n').length < 50) await once(child.stdout, 'data')
    child.kill('SIGKILL')
    await once(child, 'close')
    const acknowledged = Math.max(...printed.trim().split('\n').slice(0, -1).map(Number))
    const { db, close } = await open(dataDir)
    const { rows: [row] } = await sql<{ largest: number }>`select max(number) as largest from written`.execute(db)
    t.ok(row!.largest >= acknowledged, `${row!.largest} of ${acknowledged}`)
    await close()
  })

  t.test('can be reopened after closing, and its lock then has no owner', async t => {
    const dataDir = copyTemplate(t)
    for (let time = 0; time < 2; time++) await (await open(dataDir)).close()
    t.equal(readFileSync(join(dataDir, 'lock'), 'utf8'), '')
  })

  t.test('works in a directory with a path too long for a socket', async t => {
    const dataDir = join(t.testdir(), 'x'.repeat(120))
    mkdirSync(dataDir)
    const { db, close } = await open(dataDir)
    t.strictSame((await sql`select 1 as one`.execute(db)).rows, [{ one: 1 }])
    const { socketDirectory } = JSON.parse(readFileSync(join(dataDir, 'lock'), 'utf8'))
    await t.rejects(open(dataDir), { message: /in use/ })
    await close()
    t.notOk(existsSync(socketDirectory), 'nothing of it stays behind elsewhere')
  })

  t.test('does not open on Windows, and says what does', async t => {
    const platform = Object.getOwnPropertyDescriptor(process, 'platform')!
    Object.defineProperty(process, 'platform', { ...platform, value: 'win32' })
    t.teardown(() => Object.defineProperty(process, 'platform', platform))
    await t.rejects(open(temporaryDirectory(t)), { message: /does not run on Windows\. Run Litfeed in WSL, or set DATABASE_URL/ })
  })

  t.test('serves several commands that start concurrently in a new directory', async t => {
    const dataDir = temporaryDirectory(t)
    const { runProcess } = commandLine(dataDir)
    const emails = ['one@example.org', 'two@example.org', 'three@example.org']
    const outcomes = await Promise.all(emails.map(async email => await runProcess(['user', 'create', '--email', email])))
    t.strictSame(outcomes.map(({ code }) => code), [0, 0, 0])
    t.strictSame(outcomes.map(({ stderr }) => stderr).sort(), ['', '', `Created a new database in ${dataDir}.\n`])
  })

  t.test('rolls back the transaction of a disconnected client', async t => {
    const dataDir = copyTemplate(t)
    const owner = await open(dataDir)
    await sql`create table kept (x int)`.execute(owner.db)
    const { socketDirectory } = JSON.parse(readFileSync(join(dataDir, 'lock'), 'utf8'))
    const client = new pg.Client({ host: socketDirectory, port: 5432, user: 'postgres', database: 'postgres' })
    client.on('error', () => {})
    await client.connect()
    await client.query('begin')
    await client.query('insert into kept values (1)')
    ;(client as unknown as { connection: { stream: { destroy: () => void } } }).connection.stream.destroy()
    t.strictSame((await sql`select x from kept`.execute(owner.db)).rows, [])
    await owner.close()
  })

  t.test('that has failed can be closed, and says once why', async t => {
    const [dataDir, full] = [copyTemplate(t), join(temporaryDirectory(t), 'full')]
    // Writes fail in every thread from then on.
    const preload = `import fs from 'node:fs'
      import { syncBuiltinESMExports } from 'node:module'
      for (const name of ['writeSync', 'fdatasyncSync', 'fsyncSync']) {
        const real = fs[name]
        fs[name] = (...args) => {
          if (fs.existsSync(${JSON.stringify(full)}) && args[0] > 2) throw Object.assign(new Error('EIO'), { code: 'EIO', errno: -5 })
          return real(...args)
        }
      }
      syncBuiltinESMExports()`
    const program = `(async () => {
      const { writeFileSync } = await import('node:fs')
      const { connect } = await import(${JSON.stringify(connection)})
      const { sql } = await import('kysely')
      const onFailure = ({ message }) => console.log(message)
      const { db, close } = await connect({ dataDir: ${JSON.stringify(dataDir)}, name: 'a command', share: true, onFailure })
      await sql\`create table written as select 1 as number\`.execute(db)
      writeFileSync(${JSON.stringify(full)}, '')
      await sql\`insert into written values (2)\`.execute(db).catch(() => console.log('refused'))
      await close()
      console.log('closed')
    })()`
    const child = spawn(process.execPath, ['-e', program], {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      env: { ...process.env, NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(preload)}` },
      stdio: ['ignore', 'pipe', 'inherit']
    })
    const [said, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')])
    t.strictSame(said.split('\n').map(line => line.split(':')[0]).sort(), ['', 'The embedded database stopped', 'closed', 'refused'])
    t.equal(code, 0)
  })
})
