import type { Line } from '../layout/lines.js'

/** Typographic metrics of a document's body text. Lengths are in points. */
export interface TextMetrics {
  /** The most frequent style by letters. */
  bodyStyle: string
  bodyFont: string
  bodySize: number
  /** Distance between baselines. */
  leading: number
  columnWidth: number
  lettersByStyle: Map<string, number>
  letters: number
}

/** Shorter lines do not indicate the column width. */
const longLine = 25

/** Measures the body text: its style, size, leading and column width. */
export function measureText (pages: Line[][]): TextMetrics {
  const lettersByStyle = new Map<string, number>()
  let letters = 0
  let body: Line | undefined
  for (const lines of pages) {
    for (const line of lines) {
      const sum = (lettersByStyle.get(line.style) ?? 0) + line.letters
      lettersByStyle.set(line.style, sum)
      letters += line.letters
      if (body === undefined || sum > lettersByStyle.get(body.style)!) body = line
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
  return {
    bodyStyle,
    bodyFont,
    bodySize,
    leading: median(steps) ?? bodySize * 1.2,
    columnWidth: median(widths) ?? 300,
    lettersByStyle,
    letters: Math.max(1, letters)
  }
}

/** Returns the upper median, or undefined for an empty list. */
export function median (values: number[]): number | undefined {
  return [...values].sort((a, b) => a - b)[values.length >> 1]
}
