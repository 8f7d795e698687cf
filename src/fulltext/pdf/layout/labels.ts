import type { Line } from './lines.js'

/** Matches a list label on a line of its own: "(1)", "12." */
const labelPattern = /^[[(]?\d{1,3}[\])]?[.:]?$/
/** Between a label and its text, in font sizes. */
const maxGapRatio = 3

/** Moves each list label before the text on its right. Some documents draw all labels of a column after its text. */
export function reorderLabels (lines: Line[]): Line[] {
  const isDetached = (line: Line, at: number) => labelPattern.test(line.text) && !isLabelOf(line, lines[at + 1])
  const detached = new Map<number, Line[]>()
  for (const [at, line] of lines.entries()) {
    if (isDetached(line, at)) detached.set(Math.round(line.y), [...(detached.get(Math.round(line.y)) ?? []), line])
  }
  if (detached.size === 0) return lines
  const moved = new Map<Line, Line>()
  for (const line of lines) {
    const near = [-1, 0, 1].flatMap(step => detached.get(Math.round(line.y) + step) ?? [])
    const own = near.find(each => isLabelOf(each, line) && !moved.has(each))
    if (own !== undefined) moved.set(own, line)
  }
  const labelOf = new Map([...moved].map(([own, line]) => [line, own]))
  return lines.flatMap(line => moved.has(line) ? [] : labelOf.has(line) ? [labelOf.get(line)!, line] : [line])
}

const isLabelOf = (line: Line, text: Line | undefined) =>
  text !== undefined &&
  Math.abs(text.y - line.y) < 0.3 * line.size &&
  text.x0 >= line.x1 - 1 &&
  text.x0 - line.x1 < maxGapRatio * line.size &&
  !labelPattern.test(text.text)
