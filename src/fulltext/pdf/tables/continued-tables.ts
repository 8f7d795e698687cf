import type { Block, TableBlock } from '../layout/block.js'

/** Adds the rows of tables that go on with the table before to that one, without the header that they repeat. */
export function withContinuedTables (blocks: Block[]): Block[] {
  const whole: Block[] = []
  let open: TableBlock | null = null
  for (const block of blocks) {
    if (block.kind !== 'table') whole.push(block)
    else if (block.continues && open !== null) open.rows.push(...withoutHeader(open.rows, block.rows))
    else whole.push(open = block)
  }
  return whole
}

function withoutHeader (before: string[][], rows: string[][]): string[][] {
  const repeated = rows.findIndex((row, at) => row.join('|') !== before[at]?.join('|'))
  return repeated === -1 ? [] : rows.slice(repeated)
}
