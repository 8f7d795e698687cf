import { Type } from 'typebox'
import type { FeedItem } from '../../../../schemas/feed.js'
import type { ProjectSource } from '../../../../schemas/project.js'
import { InvalidArguments, PaperNotFound } from '../../../errors/operation-errors.js'
import type { Context } from '../../../operations/context.js'
import { feedbackClear } from '../../../operations/feed/feedback-clear.js'
import { feedbackPreview } from '../../../operations/feed/feedback-preview.js'
import { feedbackSet } from '../../../operations/feed/feedback-set.js'
import { paperTuning } from '../../../operations/feed/paper-tuning.js'
import { projectPaperGet } from '../../../operations/papers/project-paper-get.js'
import { followCreate } from '../../../operations/follows/follow-create.js'
import { followDelete } from '../../../operations/follows/follow-delete.js'
import { followPreview } from '../../../operations/follows/follow-preview.js'
import { followsList } from '../../../operations/follows/follows-list.js'
import { newProjectPreview } from '../../../operations/projects/new-project-preview.js'
import { projectPreview } from '../../../operations/projects/project-preview.js'
import { projectUpdate } from '../../../operations/projects/project-update.js'
import { projectsGet } from '../../../operations/projects/projects-get.js'
import { Messages } from '../components/messages.js'
import { accountPage, action, type PageContent } from '../page.js'
import { setVote, voteArguments } from './feed/changes.js'
import { voteValue } from './feed/vote.js'
import { type Done, followChoices, markValue, type Previewed, Tune, TunedWithoutPaper } from './project-tune/view.js'

const lists = { include: 'positive_keywords', exclude: 'negative_keywords' } as const
type Kind = keyof typeof lists
const isKind = (kind: string): kind is Kind => Object.hasOwn(lists, kind)

const fields = Type.Object({ item: Type.String(), kind: Type.String(), word: Type.String() })
const voteFields = Type.Object({ item: Type.String(), vote: Type.String() })
const followFields = Type.Object({ item: Type.String(), follow: Type.String() })

/** Tunes a project from one of its papers: words, votes, authors and the journal. */
export const projectTunePage = accountPage({
  url: '/projects/:project_id/tune',
  operations: [projectsGet, projectPaperGet, paperTuning, followsList],
  query: Type.Object({
    ...projectsGet.input.properties,
    item: projectPaperGet.input.properties.ref,
    done: Type.String(),
    value: Type.String(),
    followed: Type.String(),
    former: Type.String()
  }),
  async show (context, { project_id = '', item = '', done, value, followed, former }) {
    const isDone = done !== undefined && value !== undefined
    return await tunePage(context, project_id, item, isDone ? { done: { kind: done, value, followed, former } } : {})
  },
  actions: {
    preview: action({
      operations: [projectsGet, projectPreview],
      fields,
      async run (context, { project_id, item = '', kind = '', word }) {
        const { list, words } = await changedWords(context, project_id, kind, word)
        const preview = await projectPreview.run(context, { project_id, [list]: words })
        return { page: await tunePage(context, project_id, item, { previewed: { kind: kind as Kind, word: word!, preview } }) }
      }
    }),
    apply: action({
      operations: [projectsGet, projectPaperGet, projectUpdate],
      fields,
      async run (context, { project_id, item = '', kind = '', word }) {
        await projectPaperGet.run(context, { ref: item })
        const { list, words } = await changedWords(context, project_id, kind, word)
        await projectUpdate.run(context, { project_id, [list]: words })
        return { to: addressOf(project_id, item, { done: kind, value: word! }) }
      }
    }),
    preview_vote: action({
      operations: [feedbackPreview],
      fields: voteFields,
      async run (context, { project_id, item = '', vote = '' }) {
        const preview = await feedbackPreview.run(context, { paper_id: item, ...voteArguments(vote) })
        return { page: await tunePage(context, project_id, item, { previewed: { kind: 'vote', vote, preview } }) }
      }
    }),
    vote: action({
      operations: [projectPaperGet, feedbackSet, feedbackClear],
      fields: voteFields,
      async run (context, { project_id, item = '', vote = '' }) {
        const former = voteOf(await projectPaperGet.run(context, { ref: item }))
        if (vote === former) return { to: addressOf(project_id, item), notice: 'You already voted this way.' }
        await setVote(context, item, vote)
        return { to: addressOf(project_id, item, { done: 'vote', value: vote, former }) }
      }
    }),
    preview_follow: action({
      operations: [projectsGet, newProjectPreview, followPreview],
      fields: followFields,
      async run (context, { project_id, item = '', follow }) {
        const { source, target } = await offered(context, item, follow)
        const marked = await followPreview.run(context, { project_id, ...target })
        if (source === undefined) {
          return { page: await tunePage(context, project_id, item, { previewed: { kind: 'follow', value: follow!, marked } }) }
        }
        const project = await projectsGet.run(context, { project_id })
        const { interest_description, positive_keywords, negative_keywords, must_read_threshold, feed_threshold } = project
        const found = await newProjectPreview.run(context, {
          interest_description, positive_keywords, negative_keywords, must_read_threshold, feed_threshold, sources: [source]
        })
        return { page: await tunePage(context, project_id, item, { previewed: { kind: 'follow', value: follow!, source, found, marked } }) }
      }
    }),
    follow: action({
      operations: [projectsGet, projectUpdate, followsList, followCreate],
      fields: followFields,
      async run (context, { project_id, item = '', follow }) {
        const { sources } = await projectsGet.run(context, { project_id })
        // No undo: it would remove what was there before.
        if (sources.some(isQuery(follow))) {
          return { to: addressOf(project_id, item), notice: 'Already followed. The project has this query.' }
        }
        const { source, target } = await offered(context, item, follow)
        const { items: before } = await followsList.run(context, { project_id })
        const { id } = await followCreate.run(context, { project_id, ...target })
        if (source !== undefined) await projectUpdate.run(context, { project_id, sources: [...sources, source] })
        // Undoing takes back what was new alone.
        const followed: Record<string, string> = before.some(each => each.id === id) ? {} : { followed: id }
        return { to: addressOf(project_id, item, { done: 'follow', value: follow!, ...followed }) }
      }
    }),
    unfollow: action({
      operations: [followDelete],
      fields: Type.Object({ item: Type.String(), follow_id: followDelete.input.properties.follow_id }),
      async run (context, { project_id, item = '', follow_id }) {
        await followDelete.run(context, { project_id, follow_id })
        return { to: addressOf(project_id, item), notice: 'Unfollowed. The feed will be rescored within a minute.' }
      }
    }),
    undo_vote: action({
      operations: [projectPaperGet, feedbackSet, feedbackClear],
      fields: Type.Object({ item: Type.String(), value: Type.String(), former: Type.String() }),
      async run (context, { project_id, item = '', value, former = '' }) {
        if (voteOf(await projectPaperGet.run(context, { ref: item })) !== value) {
          return { to: addressOf(project_id, item), notice: 'Could not undo: the vote has changed since.' }
        }
        await setVote(context, item, former)
        return { to: addressOf(project_id, item), notice: 'Undone. The feed will be rescored within a minute.' }
      }
    }),
    undo: action({
      operations: [projectsGet, projectPaperGet, projectUpdate, followsList, followDelete],
      fields: Type.Object({ item: Type.String(), kind: Type.String(), value: Type.String(), followed: Type.String() }),
      async run (context, { project_id, item = '', kind = '', value = '', followed = '' }) {
        const project = await projectsGet.run(context, { project_id })
        const { items: follows } = await followsList.run(context, { project_id })
        const isFollowed = follows.some(({ id }) => id === followed)
        const has = isKind(kind) ? project[lists[kind]].includes(value) : isFollowed || project.sources.some(isQuery(value))
        // The change may have taken the paper out of the feed.
        await projectPaperGet.run(context, { ref: item }).catch(error => { if (!has || !(error instanceof PaperNotFound)) throw error })
        if (isFollowed) await followDelete.run(context, { project_id, follow_id: followed })
        const change = isKind(kind)
          ? { [lists[kind]]: project[lists[kind]].filter(word => word !== value) }
          : { sources: project.sources.filter(source => !isQuery(value)(source)) }
        await projectUpdate.run(context, { project_id, ...change })
        return { to: addressOf(project_id, item, { done: kind, value }), notice: 'Undone. The feed will be rescored within a minute.' }
      }
    })
  }
})

/** Whether a source is searched for a query, as forms name both. */
const isQuery = (value: string | undefined) => ({ name, query }: Pick<ProjectSource, 'name' | 'query'>) => `${name} ${query}` === value

const addressOf = (projectId: string, item: string, more: Record<string, string> = {}) =>
  `/projects/${projectId}/tune?${String(new URLSearchParams({ item, ...more }))}`

/** The vote of an item as forms name it, "clear" for none. */
const voteOf = ({ feedback }: FeedItem) => voteValue(feedback) || 'clear'

/** A list of the project's keywords with one word more. */
async function changedWords (context: Context, projectId: string, kind: string, word: string | undefined) {
  if (!isKind(kind) || word === undefined) throw new InvalidArguments('Choose a word.')
  const list = lists[kind]
  const words = (await projectsGet.run(context, { project_id: projectId }))[list]
  return { list, words: words.includes(word) ? words : [...words, word] }
}

/** One of the choices that the page offers: whom or what to follow, and the query to add, if any. */
async function offered (context: Context, item: string, follow: string | undefined) {
  for (const { kind, name, ids, queries } of followChoices(await paperTuning.run(context, { ref: item }))) {
    const target = { kind, name, ids }
    if (markValue(target) === follow) return { target, source: undefined }
    const found = queries.find(isQuery(follow))
    if (found !== undefined) return { target, source: { name: found.name, query: found.query } }
  }
  throw new InvalidArguments('Choose an author, a journal or an institution that the project does not follow yet.')
}

interface State { previewed?: Previewed, done?: Done }

async function tunePage (context: Context, projectId: string, ref: string, { previewed, done }: State): Promise<PageContent> {
  const project = await projectsGet.run(context, { project_id: projectId })
  const [paper, { items: follows }] = await Promise.all([
    paperOf(context, ref).catch(error => {
      if (error instanceof PaperNotFound && done !== undefined) return undefined
      throw error
    }),
    followsList.run(context, { project_id: projectId })
  ])
  return {
    title: `Tune ${project.name}`,
    project,
    content: (
      <>
        {paper !== undefined && <Tune project={project} {...paper} follows={follows} previewed={previewed} done={done} />}
        {paper === undefined && <TunedWithoutPaper project={project} itemRef={ref} follows={follows} done={done!} />}
        <Messages />
      </>
    )
  }
}

/** A change can take the paper from which it was made out of the feed. @throws PaperNotFound */
async function paperOf (context: Context, ref: string) {
  const [item, choices] = await Promise.all([projectPaperGet.run(context, { ref }), paperTuning.run(context, { ref })])
  return { item, choices }
}
