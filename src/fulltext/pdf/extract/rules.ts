import { OPS } from 'pdfjs-dist/legacy/build/pdf.mjs'
import type { Rule } from './page.js'

/** A stroke along one of the axes: from and to along it, at a place across it. */
export interface Stroke { from: number, to: number, at: number }

/** Straight strokes of a page by direction. */
export interface Strokes { horizontal: Stroke[], vertical: Stroke[] }

type Matrix = number[]

/** Shorter ones are marks in drawings. */
const shortest = 8
/** Thicker ones are boxes. */
const thickest = 2.5
/** More on one page are a drawing. */
const mostStrokes = 20_000
/** Pieces of one rule are this near to each other. */
const [across, along] = [1.6, 4]

/** pdf.js's instructions of a path, with how many numbers follow, of which the last two are the point that it ends in. */
const moveTo = 0
const numbersOf = [2, 2, 6, 4, 0]

/** The straight strokes that a page draws; `toPage` turns its coordinates into the page's. */
export function strokesOf (operators: { fnArray: number[], argsArray: unknown[] }, toPage: Matrix): Strokes {
  const strokes: Strokes = { horizontal: [], vertical: [] }
  const saved: Matrix[] = []
  let matrix = toPage
  for (const [at, operator] of operators.fnArray.entries()) {
    const args = operators.argsArray[at] as unknown[] | null
    if (operator === OPS.save) saved.push(matrix)
    else if (operator === OPS.restore || operator === OPS.paintFormXObjectEnd) matrix = saved.pop() ?? matrix
    else if (operator === OPS.transform) matrix = multiplied(matrix, args as Matrix)
    else if (operator === OPS.paintFormXObjectBegin) {
      saved.push(matrix)
      if (Array.isArray(args?.[0])) matrix = multiplied(matrix, args[0] as Matrix)
    } else if (operator === OPS.constructPath && args?.[0] !== OPS.endPath) {
      const path = (args?.[1] as ArrayLike<number>[] | null)?.[0]
      if (path !== undefined && path !== null && typeof path.length === 'number') addPath(strokes, path, matrix)
    }
    if (strokes.horizontal.length + strokes.vertical.length > mostStrokes) break
  }
  return strokes
}

/** Adds each part of a path that is as flat as a rule. */
function addPath (strokes: Strokes, path: ArrayLike<number>, [a, b, c, d, e, f]: Matrix): void {
  let box = [Infinity, Infinity, -Infinity, -Infinity]
  const end = () => {
    const [x0, y0, x1, y1] = box as [number, number, number, number]
    if (x1 - x0 > shortest && y1 - y0 < thickest) strokes.horizontal.push({ from: x0, to: x1, at: (y0 + y1) / 2 })
    else if (y1 - y0 > shortest && x1 - x0 < thickest) strokes.vertical.push({ from: y0, to: y1, at: (x0 + x1) / 2 })
    box = [Infinity, Infinity, -Infinity, -Infinity]
  }
  for (let at = 0; at < path.length;) {
    const instruction = path[at++]!
    const numbers = numbersOf[instruction]
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

/** Rules from strokes: pieces that touch, as of a table drawn cell by cell, are one. */
export function rulesOf (strokes: Stroke[]): Rule[] {
  const rules: Rule[] = []
  const sorted = [...strokes].sort((a, b) => a.at - b.at)
  for (let first = 0; first < sorted.length;) {
    let next = first
    while (next < sorted.length && sorted[next]!.at - sorted[first]!.at < across) next++
    let open: Rule | null = null
    for (const { from, to, at } of sorted.slice(first, next).sort((a, b) => a.from - b.from)) {
      if (open !== null && from <= open.x1 + along) open.x1 = Math.max(open.x1, to)
      else rules.push(open = { x0: from, x1: to, y: at })
    }
    first = next
  }
  return rules
}

/** The product of two transformation matrices. */
export function multiplied (m: Matrix, n: Matrix): Matrix {
  return [
    m[0]! * n[0]! + m[2]! * n[1]!, m[1]! * n[0]! + m[3]! * n[1]!,
    m[0]! * n[2]! + m[2]! * n[3]!, m[1]! * n[2]! + m[3]! * n[3]!,
    m[0]! * n[4]! + m[2]! * n[5]! + m[4]!, m[1]! * n[4]! + m[3]! * n[5]! + m[5]!
  ]
}
