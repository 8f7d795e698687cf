import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import type { View } from './page.js'

/** Passes the view to components. */
export const ViewContext = createContext<View | undefined>(undefined)

/** Returns the view of the page that contains the component. */
export function useView (): View {
  const view = useContext(ViewContext)
  if (view === undefined) throw new Error('A component was rendered outside a page.')
  return view
}
