import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { namesIn, write } from './acknowledged.js'
import { callTool, reader } from './operations-calls.js'
import { ms, report, skip } from './report.js'
import {
  type Answered,
  type Environment,
  type Service,
  account,
  administer,
  answer,
  atEnd,
  command,
  emptyDatabase,
  postgresUrl,
  serve,
  temporaryDirectory
} from './service.js'

const run = (...[program, ...args]: [string, ...string[]]) => execFileSync(program, args, { stdio: 'pipe' })

/** Mounts a new file system of this size in megabytes. @throws Error if mounting is not allowed */
function mountSmallDisk (megabytes: number): string {
  const directory = temporaryDirectory()
  run('mount', '-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', directory)
  atEnd(() => { try { run('umount', '-l', directory) } catch {} })
  return directory
}

const enlargeDisk = (directory: string) => run('mount', '-o', 'remount,size=1g', directory)

// Text that does not compress, so it fills the disk.
const incompressibleText = () => Array.from({ length: 1000 }, () => Math.random().toString(36).slice(2)).join(' ').slice(0, 9900)

type Headers = Record<string, string>

/** Writes until so many writes are rejected; records the acknowledged ones. */
async function writeUntilRejected (maxRejections: number, service: Service, headers: Headers, acknowledged: string[]): Promise<Answered[]> {
  const rejected: Answered[] = []
  for (let number = 0; number < 60_000 && rejected.length < maxRejections; number++) {
    const name = `Project ${acknowledged.length}`
    const response = await write(service, headers, name, { interest_description: incompressibleText() })
    if (response.status === 201) acknowledged.push(name)
    else rejected.push(response)
  }
  return rejected
}

const isClear = (rejected: Answered[]) => rejected.every(({ status, text }) => status === 503 && /disk of the database is full/.test(text))
const describe = (rejected: Answered[]) =>
  [...new Set(rejected.map(({ status, text }) => `${status} ${text.slice(0, 90)}`))].slice(0, 3).join(' | ')

async function reportRejections (kind: string, service: Service, headers: Headers, acknowledged: string[]): Promise<void> {
  const rejected = await writeUntilRejected(20, service, headers, acknowledged)
  // Reads after a minute also try to update last_used_at of the session.
  await sleep(61_000)
  const names = await namesIn(service, headers)
  report(
    `the disk full under write load, ${kind}`,
    'a clear error for each write, reads continue',
    `${acknowledged.length} writes, then ${describe(rejected)}; ${names.size} can be read`,
    isClear(rejected) && acknowledged.every(name => names.has(name))
  )
}

async function reportRecovery (
  kind: string,
  environment: Environment,
  service: Service,
  headers: Headers,
  acknowledged: string[]
): Promise<void> {
  const began = performance.now()
  let after = await write(service, headers, 'After')
  while (after.status !== 201 && performance.now() - began < 10_000) {
    await sleep(50)
    after = await write(service, headers, 'After')
  }
  const took = performance.now() - began
  const names = await namesIn(service, headers)
  const lost = acknowledged.filter(name => !names.has(name)).length
  await service.stop()
  const doctor = await command(['doctor'], environment)
  report(
    `after freeing space, ${kind}`,
    'writes without a restart within 5 s, none lost, the database valid',
    `${lost} of ${acknowledged.length} lost, writes after ${ms(took)}, litfeed doctor ends with ${doctor.code}`,
    lost === 0 && took <= 5000 && doctor.code === 0
  )
}

/** Fills the disk of the embedded database by writes, then by another program in one step. */
async function embedded (): Promise<void> {
  const directory = mountSmallDisk(200)
  const environment = { DATA_DIR: `${directory}/data` }
  let service = await serve(environment)
  const { key, project, token } = await reader(environment, service)
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const { items } = await callTool(service.url, key, 'feed_get', { project_id: project })
  const pdf = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(60 * 1024 * 1024)])
  const upload = await answer(`${service.url}/api/papers/${items[0].paper.id}/pdf`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/pdf' },
    body: pdf
  })
  report(
    'one write larger than the remaining space, embedded',
    'rejected, and the service continues',
    `${upload.status} ${upload.text.slice(0, 90)}; /readyz ${(await answer(`${service.url}/readyz`)).status}`,
    isClear([upload])
  )
  const acknowledged: string[] = []
  await reportRejections('embedded', service, headers, acknowledged)
  await service.kill()
  service = await serve(environment)
  const again = await namesIn(service, headers)
  report(
    'killed and restarted while the disk is full',
    'serves the stored data',
    `${again.size} of ${acknowledged.length} can be read`,
    acknowledged.every(name => again.has(name))
  )

  run('sh', '-c', `head -c 1G /dev/zero > ${directory}/other || true`)
  const rejected = await writeUntilRejected(20, service, headers, acknowledged)
  await service.stop()
  const start = await command(['serve'], environment)
  report(
    'the remaining disk filled by another program',
    'a clear error, also on start',
    `${describe(rejected)}; the start: ${start.stderr.trim()}`,
    isClear(rejected) && start.code === 1 && /MiB left/.test(start.stderr)
  )

  rmSync(`${directory}/other`)
  service = await serve(environment)
  enlargeDisk(directory)
  await reportRecovery('embedded', environment, service, headers, acknowledged)
}

/** Fills a tablespace of PostgreSQL, which must run on this machine. */
async function postgresql (): Promise<void> {
  const directory = mountSmallDisk(60)
  const tablespace = `litfeed_torture_${process.pid}`
  run('chown', 'postgres', directory)
  await administer(`create tablespace ${tablespace} location '${directory}'`)
  atEnd(async () => await administer(`drop tablespace ${tablespace}`))
  const databaseUrl = await emptyDatabase()
  await administer(`alter database ${new URL(databaseUrl).pathname.slice(1)} set tablespace ${tablespace}`, postgresUrl)
  const environment = { DATA_DIR: temporaryDirectory(), DATABASE_URL: databaseUrl }
  const service = await serve(environment)
  const { headers } = await account(environment, service)
  const acknowledged: string[] = []
  await reportRejections('PostgreSQL', service, headers, acknowledged)
  enlargeDisk(directory)
  await reportRecovery('PostgreSQL', environment, service, headers, acknowledged)
}

/** Runs both trials, each on a small file system that is enlarged afterwards. */
export async function fullDisk (): Promise<void> {
  for (const trial of [embedded, postgresql]) {
    try {
      await trial()
    } catch (error) {
      if (!/mount|chown|tablespace/.test((error as Error).message)) throw error
      skip(`the disk full under write load, ${trial.name}`, 'clear errors, no corruption', (error as Error).message.split('\n')[0]!)
    }
  }
}
