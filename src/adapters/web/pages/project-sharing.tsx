import { Type } from 'typebox'
import type { Project } from '../../../../schemas/project.js'
import type { ShareLink } from '../../../../schemas/sharing.js'
import type { Context } from '../../../operations/context.js'
import { tagsList } from '../../../operations/feed/tags-list.js'
import { projectsGet } from '../../../operations/projects/projects-get.js'
import { shareLinkCreate } from '../../../operations/sharing/share-link-create.js'
import { shareLinkDelete } from '../../../operations/sharing/share-link-delete.js'
import { shareLinksList } from '../../../operations/sharing/share-links-list.js'
import { Confirm } from '../components/confirm.js'
import { Copy } from '../components/copy.js'
import { Checkbox, Field, Form, RefusalNotice, Select } from '../components/form.js'
import { Notice } from '../components/notice.js'
import { Time } from '../components/time.js'
import { boundsOf } from '../fields.js'
import { accountPage, action, type PageContent, resultOf } from '../page.js'

type Created = Awaited<ReturnType<typeof shareLinkCreate.run>>

/** A project's share links. */
export const projectSharingPage = accountPage({
  url: '/projects/:project_id/sharing',
  operations: [projectsGet, shareLinksList, tagsList],
  query: projectsGet.input,
  show: async (context, { project_id = '' }) => await sharingPage(context, project_id),
  actions: {
    create: action({
      operations: [shareLinkCreate],
      fields: Type.Pick(shareLinkCreate.input, ['title', 'tag', 'all_projects', 'expires_at']),
      // Only this response contains the address.
      run: async (context, { project_id, title, tag, all_projects, expires_at }) => ({
        page: resultOf(await sharingPage(
          context,
          project_id,
          await shareLinkCreate.run(context, { project_id, title, tag, all_projects, expires_at })
        ))
      })
    }),
    revoke: action({
      operations: [shareLinkDelete],
      fields: Type.Pick(shareLinkDelete.input, ['link_id']),
      async run (context, { project_id, link_id }) {
        await shareLinkDelete.run(context, { project_id, link_id })
        return { to: `/projects/${project_id}/sharing`, notice: 'Link revoked. It no longer works.' }
      }
    })
  }
})

async function sharingPage (context: Context, project_id: string, created?: Created): Promise<PageContent> {
  const project = await projectsGet.run(context, { project_id })
  const [{ items: links }, { items: tags }] = await Promise.all([
    shareLinksList.run(context, { project_id }),
    tagsList.run(context, {})
  ])
  return {
    title: `Share ${project.name}`,
    project,
    content: <Sharing project={project} links={links} tags={tags.map(({ tag }) => tag)} created={created} />
  }
}

interface SharingProps { project: Project, links: readonly ShareLink[], tags: readonly string[], created: Created | undefined }

function Sharing ({ project, links, tags, created }: SharingProps) {
  const path = `/projects/${project.id}/sharing`
  return (
    <>
      <h1>Share</h1>
      <p class='lead page-lead'>
        Anyone with the link can see titles, authors, abstracts and links, including those of imported papers. Votes, notes, tags and
        scores stay private. A whole feed includes the papers that you downvoted: to share a selection, give it a tag and share that.
      </p>
      {created !== undefined && <NewLink link={created} />}
      <section aria-labelledby='links'>
        <h2 id='links'>Links</h2>
        <RefusalNotice actions={['revoke']} />
        {links.length === 0
          ? <p class='quiet-text'>No links yet.</p>
          : <ul class='alert-list'>{links.map(link => <LinkRow key={link.id} link={link} address={path} />)}</ul>}
      </section>
      <section aria-labelledby='new-link'>
        <h2 id='new-link'>New link</h2>
        <Form action='create' address={path} class='stack form-column'>
          <Field
            name='title'
            label='Title'
            value={project.name}
            hint='Shown above the papers.'
            {...boundsOf(shareLinkCreate.input.properties.title)}
          />
          <Select
            name='tag'
            label='Papers'
            value=''
            options={[{ value: '', label: 'Whole feed' }, ...tags.map(tag => ({ value: tag, label: `Tag: ${tag}` }))]}
          />
          {tags.length > 0 && (
            <Checkbox
              name='all_projects'
              label='From all projects'
              hint='Requires a tag. A paper in several projects appears once.'
            />
          )}
          <Field
            name='expires_at'
            label='Expires'
            type='date'
            hint='The link stops working at the start of this day (UTC). Leave empty for a link that does not expire.'
          />
          <button>Create link</button>
        </Form>
      </section>
    </>
  )
}

const NewLink = ({ link: { url, atom_url } }: { link: Created }) => (
  <section aria-labelledby='created' class='stack'>
    <h2 id='created'>Your new link</h2>
    <Notice kind='good'>Copy the address now: it is shown only once.</Notice>
    <Copy text={url} label='the address of the page' />
    <p class='quiet-text'>For feed readers:</p>
    <Copy text={atom_url} label='the address of the Atom feed' />
  </section>
)

function LinkRow ({ link, address }: { link: ShareLink, address: string }) {
  const { id, title, tag, all_projects, created_at, expires_at, expired, last_opened_at } = link
  return (
    <li>
      <div class='alert-text'>
        <p class='alert-target'>
          <strong dir='auto'>{title}</strong>{' '}
          <span class='badge'>
            {tag === null ? 'whole feed' : <><span dir='auto'>{tag}</span>{all_projects && ', all projects'}</>}
          </span>
          {expired && <> <span class='badge bad'>expired</span></>}
        </p>
        <p class='quiet-text'>
          Created <Time at={created_at} /> · {expired ? 'expired' : 'expires'} <Time at={expires_at} zone='UTC' /> · last opened{' '}
          <Time at={last_opened_at} precise />
        </p>
      </div>
      <Confirm label='Revoke' about={title} small>
        <p class='quiet-text'>The page and its Atom feed stop working at once.</p>
        <Form action='revoke' address={address} inRow>
          <input type='hidden' name='link_id' value={id} />
          <button class='danger small'>Revoke <span class='unseen'>{title}</span></button>
        </Form>
      </Confirm>
    </li>
  )
}
