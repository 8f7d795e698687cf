/** One row of the table: the trial, the expected and the actual result. */
export interface Figure { what: string, wanted: string, seen: string, state: 'ok' | 'MISSED' | 'skipped' }

const figures: Figure[] = []

/** Reports a result. A missed one makes the process exit with 1. */
export function report (what: string, wanted: string, seen: string, ok: boolean): void {
  add({ what, wanted, seen, state: ok ? 'ok' : 'MISSED' })
}

/** Reports a trial that cannot run on this machine. */
export const skip = (what: string, wanted: string, reason: string): void => add({ what, wanted, seen: reason, state: 'skipped' })

function add (figure: Figure): void {
  figures.push(figure)
  if (figure.state === 'MISSED') process.exitCode = 1
  process.stdout.write(`${line(figure)}\n`)
  process.send?.(figure)
}

/** The result as a line of text. */
export const line = ({ what, wanted, seen, state }: Figure): string => `${state.padEnd(8)}${what}: ${seen} (expected: ${wanted})`

/** The quantile of the values; NaN without values. */
export function quantile (values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

/** Milliseconds as text, in ms or s. */
export const ms = (milliseconds: number): string =>
  milliseconds < 1000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(2)} s`
