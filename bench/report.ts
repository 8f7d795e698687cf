/** Prints a table row that compares a rate per second with the baseline of the same run. @param minRatio the target for their ratio */
export function report (subject: string, rate: number, baselineName: string, baselineRate: number, minRatio?: number): void {
  const ratio = rate / baselineRate
  const verdict = minRatio === undefined ? '' : ratio >= minRatio ? ` (at least ${minRatio}: yes)` : ` (at least ${minRatio}: NO)`
  process.stdout.write(
    `| ${subject} | ${Math.round(rate).toLocaleString('en')}/s | ${baselineName} | ${Math.round(baselineRate).toLocaleString('en')}/s | ${ratio.toFixed(2)}${verdict} |\n`
  )
}

/** Prints a table row that compares a value with its target. */
export function reportBound (subject: string, value: number, unit: string, bound: number, kind: 'at most' | 'at least'): void {
  const met = kind === 'at most' ? value <= bound : value >= bound
  process.stdout.write(
    `| ${subject} | ${value < 20 ? value.toFixed(2) : Math.round(value).toLocaleString('en')} ${unit} | ${kind} ${bound.toLocaleString('en')} ${unit}: ${met ? 'yes' : 'NO'} |\n`
  )
}
