import type { OperationError } from '../../../errors/operation-errors.js'
import { useView } from '../view.js'

const titles: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  403: 'Not allowed',
  404: 'Page not found',
  413: 'Too large',
  429: 'Too many requests',
  503: 'Temporarily unavailable'
}

/** Names the kind of an error, in its heading and in the title of the window. */
export const errorTitle = ({ status }: OperationError): string => titles[status] ?? 'Something went wrong'

/** The page for an error: what failed and what to do. */
export function ErrorPage ({ error, message }: { error: OperationError, message: string }) {
  const { to, account } = useView()
  return (
    <div class='narrow'>
      <h1>{errorTitle(error)}</h1>
      <p class='lead'>{message}</p>
      <p><a href={to('/')}>{account === undefined ? 'Go to Litfeed' : 'Go to your projects'}</a></p>
    </div>
  )
}
