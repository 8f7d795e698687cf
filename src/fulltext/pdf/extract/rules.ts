import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Rule } from './page.js'

/** A stroke parallel to an axis: its ends along the axis, and its coordinate on the other axis. */
export interface Stroke { from: number, to: number, at: number }

/** The axis-parallel strokes of a page. */
export interface Strokes { horizontal: Stroke[], vertical: Stroke[] }

type Matrix = number[]

/** Shorter strokes belong to drawings. */
const minStrokePt = 8
/** Thicker strokes are filled boxes. */
const maxThicknessPt = 2.5
/** Bounds the work for a page with vector graphics. */
const maxStrokes = 20_000
/** Strokes this close together, in points, form one rule. */
const [maxOffsetPt, maxGapPt] = [1.6, 4]

/** Path instructions of pdf.js: the number of coordinates after each opcode. The last two are the end point. */
const moveTo = 0
const coordinateCounts = [2, 2, 6, 4, 0]

/** Finds the axis-parallel strokes of a page. `toPage` maps user space to page coordinates. */
export function findStrokes (operators: { fnArray: number[], argsArray: unknown[] }, toPage: Matrix): Strokes {
  const strokes: Strokes = { horizontal: [], vertical: [] }
  const saved: Matrix[] = []
  let matrix = toPage
  for (const [at, operator] of operators.fnArray.entries()) {
    const args = operators.argsArray[at] as unknown[] | null
    if (operator === OPS.save) saved.push(matrix)
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = saved.pop() ?? matrix
    else if (operator === OPS.transform) matrix = multiplyMatrices(matrix, args as Matrix)
    else if (operator === OPS.paintFormXObjectBegin) {
      saved.push(matrix)
      if (Array.isArray(args?.[0])) matrix = multiplyMatrices(matrix, args[0] as Matrix)
    } else if (operator === OPS.constructPath && args?.[0] !== OPS.endPath) {
      const path = (args?.[1] as ArrayLike<number>[] | null)?.[0]
      if (path !== undefined && path !== null && typeof path.length === 'number') addPath(strokes, path, matrix)
    }
    if (strokes.horizontal.length + strokes.vertical.length > maxStrokes) break
  }
  return strokes
}

/** Adds each subpath that is thin enough for a rule. */
function addPath (strokes: Strokes, path: ArrayLike<number>, [a, b, c, d, e, f]: Matrix): void {
  let box = [Infinity, Infinity, -Infinity, -Infinity]
  const end = () => {
    const [x0, y0, x1, y1] = box as [number, number, number, number]
    if (x1 - x0 > minStrokePt && y1 - y0 < maxThicknessPt) strokes.horizontal.push({ from: x0, to: x1, at: (y0 + y1) / 2 })
    else if (y1 - y0 > minStrokePt && x1 - x0 < maxThicknessPt) strokes.vertical.push({ from: y0, to: y1, at: (x0 + x1) / 2 })
    box = [Infinity, Infinity, -Infinity, -Infinity]
  }
  for (let at = 0; at < path.length;) {
    const instruction = path[at++]!
    const numbers = coordinateCounts[instruction]
    if (numbers === undefined) break
    if (instruction === moveTo) end()
    at += numbers
    if (numbers === 0) continue
    const [px, py] = [path[at - 2]!, path[at - 1]!]
    const [x, y] = [a! * px + c! * py + e!, b! * px + d! * py + f!]
    box = [Math.min(box[0]!, x), Math.min(box[1]!, y), Math.max(box[2]!, x), Math.max(box[3]!, y)]
  }
  end()
}

/** Merges touching strokes into rules. Tables are often drawn cell by cell. */
export function mergeStrokes (strokes: Stroke[]): Rule[] {
  const rules: Rule[] = []
  const sorted = [...strokes].sort((a, b) => a.at - b.at)
  for (let first = 0; first < sorted.length;) {
    let next = first
    while (next < sorted.length && sorted[next]!.at - sorted[first]!.at < maxOffsetPt) next++
    let open: Rule | null = null
    for (const { from, to, at } of sorted.slice(first, next).sort((a, b) => a.from - b.from)) {
      if (open !== null && from <= open.x1 + maxGapPt) open.x1 = Math.max(open.x1, to)
      else rules.push(open = { x0: from, x1: to, y: at })
    }
    first = next
  }
  return rules
}

/** Multiplies two affine transformation matrices. */
export function multiplyMatrices (m: Matrix, n: Matrix): Matrix {
  return [
    m[0]! * n[0]! + m[2]! * n[1]!, m[1]! * n[0]! + m[3]! * n[1]!,
    m[0]! * n[2]! + m[2]! * n[3]!, m[1]! * n[2]! + m[3]! * n[3]!,
    m[0]! * n[4]! + m[2]! * n[5]! + m[4]!, m[1]! * n[4]! + m[3]! * n[5]! + m[5]!
  ]
}
