import { type Block, paragraph } from './document.js'

/** An item of a list with its own label. */
export interface LabeledItem {
  /** As in the document: "1.", "(a)", "[12]"; '' for none. */
  label: string
  blocks: Block[]
}

/**
 * A list of labeled items. It becomes a numbered list if the labels are consecutive numbers, or if it is ordered without labels. Other
 * labels start their items.
 */
export function numberedList (items: readonly LabeledItem[], counts: boolean): Block[] {
  const filled = items.filter(({ blocks }) => blocks.length > 0)
  if (filled.length === 0) return []
  const numbers = filled.map(({ label }) => Number(/^[[(]?(\d{1,8})[\])]?[.:)]?$/.exec(label.trim())?.[1] ?? NaN))
  const start = numbers[0]!
  const countsOn = numbers.every((number, at) => number === start + at)
  const unlabeled = filled.every(({ label }) => label === '')
  if (countsOn || (unlabeled && counts)) {
    return [{ kind: 'list', ordered: true, start: countsOn ? start : 1, items: filled.map(({ blocks }) => blocks) }]
  }
  return [{ kind: 'list', ordered: false, items: filled.map(({ label, blocks }) => label === '' ? blocks : labeled(label, blocks)) }]
}

function labeled (label: string, [first, ...more]: Block[]): Block[] {
  return first?.kind === 'paragraph'
    ? [paragraph(`${label} `, ...first.content), ...more]
    : [paragraph(label), ...(first === undefined ? [] : [first]), ...more]
}
