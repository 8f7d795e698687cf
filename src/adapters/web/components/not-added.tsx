import { useView } from '../view.js'

/** Says why papers that sources found are not among the added ones. @param project path of the project */
export function NotAdded ({ project }: { project: string }) {
  const { to } = useView()
  return (
    <p class='quiet-text'>
      Found papers that were not added are already in the feed, or are listed under{' '}
      <a href={to(`${project}/candidates`)}>Not in the feed</a>: low score, excluded keyword or weekly limit.
    </p>
  )
}
