import type { OperationError } from '../../../errors/operation-errors.js'
import { useView } from '../view.js'

const titles: Readonly<Record<number, string>> = {
  400: 'That cannot be read',
  403: 'You may not do that',
  404: 'There is nothing here',
  413: 'That is too large',
  429: 'Too many requests',
  503: 'The database is away'
}

/** An error, for people: what is wrong and what to do. */
export function Refusal ({ error }: { error: OperationError }) {
  const { to } = useView()
  return (
    <div class='narrow'>
      <h1>{titles[error.status] ?? 'That did not work'}</h1>
      <p class='lead'>{error.message}</p>
      <p><a href={to('/')}>To your projects</a></p>
    </div>
  )
}
