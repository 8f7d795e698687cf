import type { ServiceContext } from '../operations/operation.js'
import { home } from './pages/home.js'

export interface Page {
  url: string
  /** @returns the whole page as HTML */
  render: (context: ServiceContext) => Promise<string>
}

/** Every page. */
export const pages: readonly Page[] = [
  { url: '/', render: home }
]
