import { statfs } from 'node:fs/promises'
import { readiness } from '../operations/readiness.js'
import type { Command, Terminal } from './command.js'
import { withService } from './with-service.js'

interface Check { name: string, ok: boolean, detail: string }

const lowOnDisk = 500 * 1024 * 1024

export const doctor: Command = {
  name: 'doctor',
  summary: 'check settings, database and disk',
  async run (terminal) {
    const checks = [settingsCheck(terminal), await databaseCheck(terminal), await diskCheck(terminal)]
    terminal.print({ ok: checks.every(({ ok }) => ok), checks }, checks.map(({ name, ok, detail }) => `${ok ? 'ok    ' : 'FAULT '} ${name}: ${detail}`).join('\n'))
    return checks.every(({ ok }) => ok) ? 0 : 1
  }
}

const settingsCheck = ({ settings: { host, port, baseUrl, databaseUrl } }: Terminal): Check => ({
  name: 'settings',
  ok: true,
  detail: `listen on ${host}:${port}, ${baseUrl === undefined ? 'no BASE_URL' : `known as ${baseUrl}`}, ${databaseUrl === undefined ? 'embedded database' : 'PostgreSQL'}`
})

async function databaseCheck (terminal: Terminal): Promise<Check> {
  try {
    return await withService(terminal, async ({ context, connection }) => {
      const { ready, version } = await readiness.run(context, {})
      return { name: 'database', ok: ready, detail: `${connection.kind}, at version ${version}` }
    })
  } catch (error) {
    return { name: 'database', ok: false, detail: (error as Error).message }
  }
}

async function diskCheck ({ settings: { dataDir } }: Terminal): Promise<Check> {
  try {
    const { bavail, bsize } = await statfs(dataDir)
    const free = bavail * bsize
    return { name: 'disk', ok: free >= lowOnDisk, detail: `${Math.round(free / 1024 / 1024)} MB free at ${dataDir}` }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    return code === 'ENOENT' ? { name: 'disk', ok: true, detail: `${dataDir} is made at the first start` } : { name: 'disk', ok: false, detail: `${dataDir} cannot be read: ${code}` }
  }
}
