import type { Snapshot } from '../../../../../schemas/snapshot.js'
import { Confirm } from '../../components/confirm.js'
import { Copy } from '../../components/copy.js'
import { Form } from '../../components/form.js'
import { Time } from '../../components/time.js'
import { useView } from '../../view.js'

/** Publishes a snapshot, or takes that back. */
export const Publication = ({ snapshot }: { snapshot: Snapshot }) => (
  <section aria-labelledby='publish' class='stack'>
    <h2 id='publish'>Publish</h2>
    {snapshot.public_url === null
      ? <Offer snapshot={snapshot} />
      : <Published url={snapshot.public_url} publishedAt={snapshot.published_at} snapshot={snapshot} />}
  </section>
)

/** Only what is frozen becomes public; its owner can look at it in the archive. */
const Offer = ({ snapshot }: { snapshot: Snapshot }) => (
  <>
    <p class='section-text'>
      Publishing gives this page and its archive an address that anyone can open and cite, without signing in. Search engines are asked not
      to list it. Readers see, as of the snapshot:
    </p>
    <ul class='section-text'>
      <li>
        the project’s name, interest, keywords and thresholds, its sources with their queries and states, and the words learned from your
        votes;
      </li>
      <li>
        every paper of the snapshot, also excluded ones: title, authors, bibliographic data, web address, score, your vote with its reason
        and time, and when and how it was added. Papers that you imported and those of journal feeds are among them.
      </li>
    </ul>
    <p class='section-text'>
      Abstracts, notes, tags, full texts, your files, the addresses of journal feeds and your email address stay private. You can unpublish
      the snapshot at any time, but not take back copies that others have downloaded.
    </p>
    <Form action='publish' address={pathOf(snapshot)}>
      <button>Publish</button>
    </Form>
  </>
)

function Published ({ url, publishedAt, snapshot }: { url: string, publishedAt: string | null, snapshot: Snapshot }) {
  const { to } = useView()
  return (
    <>
      <p class='section-text'>
        Published <Time at={publishedAt} precise />. Anyone can open <a href={to(`/snapshots/${snapshot.sha256}`)}>the public page</a> and
        download the archive.
      </p>
      <Copy text={url} label='the public address' />
      <Confirm label='Unpublish'>
        <p class='quiet-text'>
          The address stops working at once, also where it is cited. Publishing again restores it. Copies that others have downloaded stay
          valid.
        </p>
        <Form action='unpublish' address={pathOf(snapshot)}>
          <button class='danger'>Unpublish</button>
        </Form>
      </Confirm>
    </>
  )
}

const pathOf = ({ project_id, id }: Snapshot) => `/projects/${project_id}/snapshots/${id}`
