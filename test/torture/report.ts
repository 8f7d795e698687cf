/** One line of the table: what was tried, what was wanted of it, and what was seen. */
export interface Figure { what: string, wanted: string, seen: string, state: 'ok' | 'MISSED' | 'skipped' }

const figures: Figure[] = []

export function report (what: string, wanted: string, seen: string, ok: boolean): void {
  add({ what, wanted, seen, state: ok ? 'ok' : 'MISSED' })
}

/** For what this machine does not let anybody try. */
export const skip = (what: string, wanted: string, reason: string): void => add({ what, wanted, seen: reason, state: 'skipped' })

function add (figure: Figure): void {
  figures.push(figure)
  if (figure.state === 'MISSED') process.exitCode = 1
  process.stdout.write(`${line(figure)}\n`)
  process.send?.(figure)
}

export const line = ({ what, wanted, seen, state }: Figure): string => `${state.padEnd(8)}${what}: ${seen} (wanted: ${wanted})`

/** The value below which a share of the values is. */
export function quantile (values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export const ms = (milliseconds: number): string => milliseconds < 1000 ? `${milliseconds.toFixed(1)} ms` : `${(milliseconds / 1000).toFixed(2)} s`
