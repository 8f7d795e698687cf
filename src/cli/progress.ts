import { clearScreenDown, moveCursor } from 'node:readline'
import type { Writable } from 'node:stream'

const redrawMs = 100
const barWidth = 40

/** Progress lines at the end of a terminal, redrawn in place. */
export interface ProgressLines {
  show (lines: readonly string[]): void
  /** Removes the lines, so later output takes their place. */
  clear (): void
}

/** Creates progress lines that redraw at most every 100 ms. */
export function progressLines (terminal: Writable & { columns?: number }): ProgressLines {
  let drawn = 0
  let lastDrawn = -Infinity
  const erase = () => {
    if (drawn === 0) return
    moveCursor(terminal, 0, -drawn)
    clearScreenDown(terminal)
    drawn = 0
  }
  return {
    show (lines) {
      if (performance.now() - lastDrawn < redrawMs) return
      lastDrawn = performance.now()
      erase()
      // A wrapped line would count as two when erased.
      const width = (terminal.columns || 80) - 1
      terminal.write(lines.map(line => `${line.slice(0, width)}\n`).join(''))
      drawn = lines.length
    },
    clear: erase
  }
}

/** Draws nothing. */
export const noProgress: ProgressLines = { show: () => {}, clear: () => {} }

/** Formats a share from 0 to 1 as a progress bar and a percentage. */
export function progressBar (share: number): string {
  const done = Math.round(Math.min(1, share) * barWidth)
  return `${'█'.repeat(done)}${'░'.repeat(barWidth - done)} ${Math.floor(Math.min(1, share) * 100)} %`
}
