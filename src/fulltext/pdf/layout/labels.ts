import type { Line } from './lines.js'

/** A number of a list's entry that stands by itself: "(1)", "12." */
const label = /^[[(]?\d{1,3}[\])]?[.:]?$/
/** From a label to its text at most, in heights of the font. */
const widestGap = 3

/** A page's lines with each label in front of the text on its right: some documents draw all the labels of a column after its text. */
export function withLabels (lines: Line[]): Line[] {
  const isApart = (line: Line, at: number) => label.test(line.text) && !isLabelOf(line, lines[at + 1])
  const apart = new Map<number, Line[]>()
  for (const [at, line] of lines.entries()) if (isApart(line, at)) apart.set(Math.round(line.y), [...apart.get(Math.round(line.y)) ?? [], line])
  if (apart.size === 0) return lines
  const moved = new Map<Line, Line>()
  for (const line of lines) {
    const near = [-1, 0, 1].flatMap(step => apart.get(Math.round(line.y) + step) ?? [])
    const own = near.find(each => isLabelOf(each, line) && !moved.has(each))
    if (own !== undefined) moved.set(own, line)
  }
  const labelOf = new Map([...moved].map(([own, line]) => [line, own]))
  return lines.flatMap(line => moved.has(line) ? [] : labelOf.has(line) ? [labelOf.get(line)!, line] : [line])
}

const isLabelOf = (line: Line, text: Line | undefined) => text !== undefined && Math.abs(text.y - line.y) < 0.3 * line.size && text.x0 >= line.x1 - 1 && text.x0 - line.x1 < widestGap * line.size && !label.test(text.text)
