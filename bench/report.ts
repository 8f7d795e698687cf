/** A line of the table: what was measured, the baseline of the same run, their ratio, and the least that is wanted. */
export function report (what: string, ours: number, baselineName: string, baseline: number, least?: number): void {
  const ratio = ours / baseline
  const verdict = least === undefined ? '' : ratio >= least ? ` (at least ${least}: yes)` : ` (at least ${least}: NO)`
  process.stdout.write(`| ${what} | ${Math.round(ours).toLocaleString('en')}/s | ${baselineName} | ${Math.round(baseline).toLocaleString('en')}/s | ${ratio.toFixed(2)}${verdict} |\n`)
}

/** A figure against a bound. */
export function reportBound (what: string, value: number, unit: string, bound: number, kind: 'at most' | 'at least'): void {
  const met = kind === 'at most' ? value <= bound : value >= bound
  process.stdout.write(`| ${what} | ${value < 20 ? value.toFixed(2) : Math.round(value).toLocaleString('en')} ${unit} | ${kind} ${bound.toLocaleString('en')} ${unit}: ${met ? 'yes' : 'NO'} |\n`)
}
