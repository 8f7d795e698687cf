import { Type } from 'typebox'
import type { AllFeedsItem } from '../../../../schemas/all-feeds.js'
import { feedsGet } from '../../../operations/feed/feeds-get.js'
import { paperChanges } from '../../../papers/notices.js'
import { originTitle } from '../../../sources/index.js'
import { ChangeBadges } from '../components/changes.js'
import { publishedOn } from '../../../papers/published-on.js'
import { RichText } from '../components/rich-text.js'
import { accountPage } from '../page.js'
import { useView } from '../view.js'
import { pageVersions } from './offline/versions.js'

/** Saved papers that a browser keeps. */
const maxKept = 100

/** The saved papers, which scripts keep in the browser. Without a connection, it stands in for pages that are not kept. */
export const offlinePage = accountPage({
  url: '/offline',
  operations: [feedsGet],
  query: Type.Object({}),
  async show (context) {
    const { items, total } = await feedsGet.run(context, { saved: true, sort: 'newest', limit: maxKept })
    const itemsOfPaper = new Map<string, AllFeedsItem[]>()
    for (const item of items) itemsOfPaper.set(item.paper.id, [...itemsOfPaper.get(item.paper.id) ?? [], item])
    const papers = [...itemsOfPaper.values()]
    return { title: 'Saved papers', content: <Offline papers={papers} versions={await pageVersions(papers)} total={total ?? 0} /> }
  }
})

interface OfflineProps {
  /** The items of each paper. */
  papers: readonly AllFeedsItem[][]
  /** The version of each paper's page. */
  versions: readonly string[]
  total: number
}

function Offline ({ papers, versions, total }: OfflineProps) {
  return (
    <>
      <h1>Saved papers</h1>
      <p class='lead after-title'>
        Saved papers are stored in this browser for reading offline. Signing out deletes them.
      </p>
      <p id='offline-reason' class='notice warn' role='status' hidden>
        No connection. You can read the papers stored in this browser.
      </p>
      <p id='offline-unsupported' class='notice plain' hidden>
        This browser cannot store pages. It needs HTTPS and service workers.
      </p>
      {papers.length === 0
        ? <p class='empty'>No saved papers yet. Select Save on a paper in a feed.</p>
        : (
          <ul id='offline-papers' class='shared-list'>
            {papers.map((items, at) => <SavedPaper key={items[0]!.id} items={items} version={versions[at]!} />)}
          </ul>
          )}
      {total > maxKept && <p class='quiet-text'>The {maxKept} most recently added of {total.toLocaleString('en')}.</p>}
    </>
  )
}

/** A paper with everything that an address can name it by, and what changes when its page does. */
function SavedPaper ({ items, version }: { items: readonly AllFeedsItem[], version: string }) {
  const { to } = useView()
  const { paper } = items[0]!
  const changes = paperChanges(paper.metadata)
  const { published_date, metadata } = paper
  const names = [
    paper.venue_name ?? originTitle(paper.source.name),
    published_date === null ? '' : publishedOn(published_date, metadata.published)
  ]
  return (
    <li
      data-paper={paper.id}
      data-refs={[paper.id, paper.short_id, ...items.flatMap(({ id, short_id }) => [id, short_id])].join(' ')}
      data-version={version}
    >
      <h2><a href={to(`/papers/${paper.id}`)}><RichText as='span' text={paper.title} /></a></h2>
      {changes.length > 0 && <p class='row-changes'><ChangeBadges changes={changes} /></p>}
      <p class='quiet-text'>
        {names.filter(name => name !== '').join(' · ')}
        <span class='kept-state' hidden> · <span>Not stored yet</span></span>
      </p>
    </li>
  )
}
