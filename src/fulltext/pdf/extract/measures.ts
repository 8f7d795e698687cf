import type { Line } from '../layout/lines.js'

/** How a document is set, learned from itself. */
export interface Measures {
  /** The style of most of its letters, as the running text has it. */
  bodyStyle: string
  bodyFont: string
  bodySize: number
  /** From baseline to baseline. */
  leading: number
  columnWidth: number
  /** Letters in each style, and in all. */
  lettersIn: Map<string, number>
  letters: number
}

/** Lines with fewer letters say nothing of a column's width. */
const longLine = 25

/** Measures the running text: the style and size that most letters have, its leading and column width. */
export function measuresOf (pages: Line[][]): Measures {
  const lettersIn = new Map<string, number>()
  let letters = 0
  let body: Line | undefined
  for (const lines of pages) {
    for (const line of lines) {
      const sum = (lettersIn.get(line.style) ?? 0) + line.letters
      lettersIn.set(line.style, sum)
      letters += line.letters
      if (body === undefined || sum > lettersIn.get(body.style)!) body = line
    }
  }
  const [bodyStyle, bodyFont, bodySize] = [body?.style ?? '', body?.font ?? '', body?.size || 10]
  const widths: number[] = []
  const steps: number[] = []
  for (const lines of pages) {
    for (const [at, line] of lines.entries()) {
      if (line.style !== bodyStyle) continue
      if (line.letters > longLine) widths.push(line.x1 - line.x0)
      const before = lines[at - 1]
      if (before?.style !== bodyStyle || Math.abs(before.x0 - line.x0) >= 2 * bodySize) continue
      const step = line.y - before.y
      if (step > 2 && step < 3 * bodySize) steps.push(step)
    }
  }
  return { bodyStyle, bodyFont, bodySize, leading: median(steps) ?? bodySize * 1.2, columnWidth: median(widths) ?? 300, lettersIn, letters: Math.max(1, letters) }
}

/** The median of numbers; undefined for none. */
export function median (values: number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}
