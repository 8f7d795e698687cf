/** A line of a trial: what was wanted, what was seen, and whether that is enough. A miss makes the whole run fail. */
export function verdict (what: string, wanted: string, seen: string | number, ok: boolean): void {
  process.stdout.write(`${ok ? 'ok    ' : 'MISSED'}  ${what}: wanted ${wanted}, seen ${seen}\n`)
  if (!ok) process.exitCode = 1
}

/** A line that says how the trial went, and wants nothing. */
export const note = (what: string): void => { process.stdout.write(`        ${what}\n`) }
