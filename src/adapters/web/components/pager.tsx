import { useView } from '../view.js'
import { formatCount } from './figures.js'

interface PagerProps {
  offset: number
  limit: number
  has_more: boolean
  /** Entries on this page. */
  count: number
  /** Entries on all pages, where they are counted. */
  total?: number
  /** The address of the page that starts at an offset. */
  address: (offset: number) => string
  label?: string
  previous?: string
  next?: string
}

/** Links to the pages before and after this one of a list. Nothing if it is the only one. */
export function Pager (props: PagerProps) {
  const { offset, limit, has_more, count, total, address, label = 'Pages', previous = 'Previous', next = 'Next' } = props
  const { to } = useView()
  if (offset === 0 && !has_more) return null
  const range = `${formatCount(offset + 1)} to ${formatCount(offset + count)}${total === undefined ? '' : ` of ${formatCount(total)}`}`
  return (
    <nav class='pages' aria-label={label}>
      {offset > 0 ? <a href={to(address(Math.max(0, offset - limit)))} rel='prev'>{previous}</a> : <span />}
      <span class='quiet-text'>{count === 0 ? 'This page is past the end.' : range}</span>
      {has_more ? <a href={to(address(offset + limit))} rel='next'>{next}</a> : <span />}
    </nav>
  )
}
