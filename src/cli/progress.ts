import { clearScreenDown, moveCursor } from 'node:readline'
import type { WriteStream } from 'node:tty'

const redrawMs = 100
const barWidth = 40

/** Lines at a terminal's end that are drawn over one another. */
export interface ProgressLines {
  show (lines: readonly string[]): void
  /** Removes them; what is printed afterwards takes their place. */
  clear (): void
}

/** Draws at most ten times a second. */
export function progressLines (terminal: Pick<WriteStream, 'write' | 'columns'> & NodeJS.WritableStream = process.stderr): ProgressLines {
  let drawn = 0
  let last = -Infinity
  const erase = () => {
    if (drawn === 0) return
    moveCursor(terminal, 0, -drawn)
    clearScreenDown(terminal)
    drawn = 0
  }
  return {
    show (lines) {
      if (performance.now() - last < redrawMs) return
      last = performance.now()
      erase()
      // A line that wraps would be two when it is erased.
      const width = (terminal.columns || 80) - 1
      terminal.write(lines.map(line => `${line.slice(0, width)}\n`).join(''))
      drawn = lines.length
    },
    clear: erase
  }
}

/** A bar for a share from 0 to 1, with the percentage behind it. */
export function bar (share: number): string {
  const done = Math.round(Math.min(1, share) * barWidth)
  return `${'█'.repeat(done)}${'░'.repeat(barWidth - done)} ${Math.floor(Math.min(1, share) * 100)} %`
}
