import type { ComponentChildren } from 'preact'

interface Column {
  /** What it stands for, for a table and for whoever points at it. */
  name: string
  value: number
  strong?: boolean
}

interface ColumnsProps {
  /** What the picture says, in a sentence, for people who do not see it. */
  summary: string
  columns: readonly Column[]
  /** What the table's columns are. */
  heads: readonly [string, string]
  /** Texts under the picture, from its left to its right end. */
  axis: readonly string[]
  /** What its colours mean, where there are several. */
  legend?: ComponentChildren
}

const height = 100
const gap = 0.22

/** Values side by side as a picture, and the same as a table. It stretches to its place; its height is fixed, so that nothing moves. */
export function Columns ({ summary, columns, heads, axis, legend }: ColumnsProps) {
  const most = Math.max(...columns.map(({ value }) => value), 1)
  return (
    <figure class='columns'>
      <div class='columns-most' aria-hidden='true'>{most.toLocaleString('en')}</div>
      <svg viewBox={`0 0 ${columns.length} ${height}`} width='100%' height='160' preserveAspectRatio='none' role='img' aria-label={summary}>
        <line class='chart-grid' x1='0' x2={columns.length} y1='0.5' y2='0.5' vector-effect='non-scaling-stroke' />
        <line class='chart-grid' x1='0' x2={columns.length} y1={height / 2} y2={height / 2} vector-effect='non-scaling-stroke' />
        {columns.map(({ name, value, strong = false }, at) => {
          // What is there at all is seen, however little it is beside the others.
          const tall = value === 0 ? 0 : Math.max(height * value / most, 1.5)
          return (
            <g key={name}>
              <title>{`${name}: ${value.toLocaleString('en')}`}</title>
              <rect class='column-ground' x={at} y='0' width='1' height={height} />
              <rect class={strong ? 'column strong' : 'column'} x={at + gap / 2} y={height - tall} width={1 - gap} height={tall} />
            </g>
          )
        })}
        <line class='chart-base' x1='0' x2={columns.length} y1={height} y2={height} vector-effect='non-scaling-stroke' />
      </svg>
      <div class='columns-axis' aria-hidden='true'>{axis.map(text => <span key={text}>{text}</span>)}</div>
      {legend}
      <details class='fold'>
        <summary>Show as table</summary>
        <table class='plain-table'>
          <thead><tr><th scope='col'>{heads[0]}</th><th scope='col' class='number'>{heads[1]}</th></tr></thead>
          <tbody>{columns.map(({ name, value }) => <tr key={name}><th scope='row'>{name}</th><td class='number'>{value.toLocaleString('en')}</td></tr>)}</tbody>
        </table>
      </details>
    </figure>
  )
}
