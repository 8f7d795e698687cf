import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { messageOf } from '../../../schemas/thrown.js'

const run = promisify(execFile)

/** Resident memory of a process in bytes; null if it has ended. @throws if the system does not report it */
export async function residentMemory (pid: number): Promise<number | null> {
  try {
    const kibibytes = process.platform === 'linux'
      ? /^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
      : (await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout.trim()
    return kibibytes === undefined || kibibytes === '' ? null : Number(kibibytes) * 1024
  } catch (error) {
    if (hasEnded(error as { code?: unknown })) return null
    throw error
  }
}

/** Whether an error says that there is no such process. `ps` exits with 1 then. Without /proc, every process seems to have ended. */
const hasEnded = ({ code }: { code?: unknown }) => process.platform === 'linux' ? code === 'ENOENT' || code === 'ESRCH' : code === 1

/** Why the memory of processes cannot be read here, so that nothing limits that of converters; undefined if it can. */
export async function memoryProblem (): Promise<string | undefined> {
  const problem = 'The memory of converters cannot be read, and so is not limited'
  try {
    if (await residentMemory(process.pid) !== null) return undefined
    return `${problem}: ${process.platform === 'linux' ? '/proc is not mounted.' : '"ps" does not report it.'}`
  } catch (error) {
    return `${problem}: ${messageOf(error)}`
  }
}
