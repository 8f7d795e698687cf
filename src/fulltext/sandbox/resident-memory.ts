import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Resident memory of a process in bytes; null if it has ended or the system does not report it. */
export async function residentMemory (pid: number): Promise<number | null> {
  try {
    const kibibytes = process.platform === 'linux'
      ? /^VmRSS:\s+(\d+) kB/m.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]
      : (await run('ps', ['-o', 'rss=', '-p', String(pid)])).stdout.trim()
    return kibibytes === undefined || kibibytes === '' ? null : Number(kibibytes) * 1024
  } catch {
    return null
  }
}
