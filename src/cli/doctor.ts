import { statfs } from 'node:fs/promises'
import { listFileRisks } from '../../db/embedded/data-directory.js'
import { bytesPerMebibyte, mebibytes } from '../../schemas/mebibytes.js'
import { errorCodeOf, messageOf } from '../../schemas/thrown.js'
import { memoryProblem } from '../fulltext/sandbox/resident-memory.js'
import { jobsList } from '../operations/jobs/jobs-list.js'
import { readiness } from '../operations/administration/readiness.js'
import type { ExternalCheck } from '../composition/external-checks.js'
import type { Service } from '../service.js'
import type { Command, Terminal } from './command.js'
import { unexpectedText } from './error-text.js'
import { withService } from './with-service.js'

/** `required` checks decide the exit code. */
interface Check { name: string, ok: boolean, required: boolean, detail: string }

const minFreeBytes = 500 * bytesPerMebibyte

export const doctor: Command = {
  name: 'doctor',
  summary: 'check settings, database, disk, files, sources, Zotero, mail, converter and jobs',
  operations: [readiness, jobsList],
  async run (terminal) {
    const own = [settingsCheck(terminal), await diskCheck(terminal), filesCheck(terminal), await sandboxCheck()]
    const checks = [...own, ...await serviceChecks(terminal)]
    const healthy = checks.every(({ ok, required }) => ok || !required)
    terminal.print(
      { ok: healthy, checks },
      checks.map(({ name, ok, required, detail }) => `${ok ? 'ok   ' : required ? 'FAIL ' : 'WARN '} ${name}: ${detail}`).join('\n')
    )
    if (!healthy) terminal.fail()
  }
}

const settingsCheck = ({ settings: { host, port, baseUrl, databaseUrl } }: Terminal): Check => ({
  name: 'settings',
  ok: true,
  required: true,
  detail: `listens on ${host}:${port}, ${baseUrl === undefined ? 'no BASE_URL' : `BASE_URL ${baseUrl}`}, ` +
    `${databaseUrl === undefined ? 'embedded database' : 'PostgreSQL'}`
})

async function serviceChecks (terminal: Terminal): Promise<Check[]> {
  try {
    return await withService(
      terminal,
      async service => [await databaseCheck(service), await jobsCheck(service), ...await Promise.all(service.externalChecks.map(runCheck))]
    )
  } catch (error) {
    return [{ name: 'database', ok: false, required: true, detail: unexpectedText(error) }]
  }
}

async function databaseCheck ({ context, connection }: Service): Promise<Check> {
  const { ready, version } = await readiness.run(context, {})
  return { name: 'database', ok: ready, required: true, detail: `${connection.kind}, migrated to ${version}` }
}

async function jobsCheck ({ context }: Service): Promise<Check> {
  const failed = await jobsList.run(context, { state: 'failed' })
  const waiting = await jobsList.run(context, { state: 'waiting' })
  return {
    name: 'jobs',
    ok: true,
    required: false,
    detail: `${waiting.total} waiting, ${failed.total} failed${failed.total === 0 ? '' : ': litfeed jobs --state failed'}`
  }
}

async function runCheck ({ name, required, check }: ExternalCheck): Promise<Check> {
  try {
    return { name, ok: true, required, detail: await check() }
  } catch (error) {
    return { name, ok: false, required, detail: messageOf(error) }
  }
}

/** A shared directory can be intended, so that it does not fail the check. */
function filesCheck ({ settings: { dataDir } }: Terminal): Check {
  const risks = listFileRisks(dataDir)
  return { name: 'files', ok: risks.length === 0, required: false, detail: risks.length === 0 ? `private in ${dataDir}` : risks.join(' ') }
}

async function sandboxCheck (): Promise<Check> {
  const problem = await memoryProblem()
  return { name: 'sandbox', ok: problem === undefined, required: false, detail: problem ?? 'memory of converters is limited' }
}

async function diskCheck ({ settings: { dataDir } }: Terminal): Promise<Check> {
  try {
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    return { name: 'disk', ok: free >= minFreeBytes, required: true, detail: `${mebibytes(free)} free at ${dataDir}` }
  } catch (error) {
    const code = errorCodeOf(error)
    return code === 'ENOENT'
      ? { name: 'disk', ok: true, required: true, detail: `${dataDir} does not exist yet; the first start creates it` }
      : { name: 'disk', ok: false, required: true, detail: `cannot read ${dataDir}: ${code}` }
  }
}
