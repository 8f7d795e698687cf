import type { ComponentChildren } from 'preact'

interface Column {
  /** Label in the table and in the tooltip. */
  name: string
  value: number
  strong?: boolean
  /** Where the papers of the column are listed. */
  href?: string
}

interface ColumnsProps {
  /** The chart in one sentence, for screen readers. */
  summary: string
  columns: readonly Column[]
  /** Headings of the table. */
  heads: readonly [string, string]
  /** Labels below the chart, from left to right. */
  axis: readonly string[]
  /** Explains the colors, if there are several. */
  legend?: ComponentChildren
}

const height = 100
const gap = 0.22

/** A column chart, and the same values as a table. Its width is flexible, its height fixed. */
export function Columns ({ summary, columns, heads, axis, legend }: ColumnsProps) {
  const maxValue = Math.max(...columns.map(({ value }) => value), 1)
  return (
    <figure class='columns'>
      <div class='columns-most' aria-hidden='true'>{maxValue.toLocaleString('en')}</div>
      <p class='unseen'>{summary}</p>
      {/* The table has the same links for the keyboard. */}
      <svg viewBox={`0 0 ${columns.length} ${height}`} width='100%' height='160' preserveAspectRatio='none' aria-hidden='true'>
        <line class='chart-grid' x1='0' x2={columns.length} y1='0.5' y2='0.5' vector-effect='non-scaling-stroke' />
        <line class='chart-grid' x1='0' x2={columns.length} y1={height / 2} y2={height / 2} vector-effect='non-scaling-stroke' />
        {columns.map(({ name, value, strong = false, href }, at) => {
          // Small values stay visible.
          const columnHeight = value === 0 ? 0 : Math.max(height * value / maxValue, 1.5)
          const column = (
            <g key={name}>
              <title>{`${name}: ${value.toLocaleString('en')}`}</title>
              <rect class='column-ground' x={at} y='0' width='1' height={height} />
              <rect
                class={strong ? 'column strong' : 'column'}
                x={at + gap / 2}
                y={height - columnHeight}
                width={1 - gap}
                height={columnHeight}
              />
            </g>
          )
          return href === undefined || value === 0 ? column : <a key={name} href={href} tabIndex={-1}>{column}</a>
        })}
        <line class='chart-base' x1='0' x2={columns.length} y1={height} y2={height} vector-effect='non-scaling-stroke' />
      </svg>
      <div class='columns-axis' aria-hidden='true'>{axis.map(text => <span key={text}>{text}</span>)}</div>
      {legend}
      <details class='fold'>
        <summary>Show as table</summary>
        <table class='plain-table'>
          <thead>
            <tr>
              <th scope='col'>{heads[0]}</th>
              <th scope='col' class='number'>
                {heads[1]}
              </th>
            </tr>
          </thead>
          <tbody>
            {columns.map(({ name, value, href }) => (
              <tr key={name}>
                <th scope='row'>{href === undefined || value === 0 ? name : <a href={href}>{name}</a>}</th>
                <td class='number'>{value.toLocaleString('en')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </figure>
  )
}
