import type { Static } from 'typebox'
import type { FeedItem } from '../../../../../schemas/feed.js'
import type { Follow, FollowPreviewResult, FollowTarget } from '../../../../../schemas/follow.js'
import type { NewProjectPreviewResult, Project, ProjectSource } from '../../../../../schemas/project.js'
import type { PaperTuningResult } from '../../../../../schemas/tuning.js'
import { findSource } from '../../../../sources/index.js'
import { formatCount, formatPapers } from '../../components/figures.js'
import { basisOf, Followed } from '../../components/followed.js'
import { Form } from '../../components/form.js'
import { NewProjectPreview } from '../../components/new-project-preview.js'
import { RichText } from '../../components/rich-text.js'
import { useView } from '../../view.js'
import { votedAs, voteValue } from '../feed/vote.js'
import { type Preview, SettingsPreview } from '../project-settings/preview.js'
import { Choice, previewOnChoice, TunePreview } from './choice.js'
import { type PreviewedVote, Votes } from './votes.js'

/** A change, with a preview of its effect. */
export type Previewed =
  { kind: 'include' | 'exclude', word: string, preview: Preview } |
  PreviewedVote |
  { kind: 'follow', value: string, marked: Static<typeof FollowPreviewResult>, source?: ProjectSource, found?: NewProjectPreviewResult }

/** A change that was just made. `followed`: the new follow; `former`: the vote before. */
export interface Done { kind: string, value: string, followed?: string | undefined, former?: string | undefined }

type FollowChoice = Static<typeof PaperTuningResult>['authors'][number]

/** Whom and what the page offers to follow. */
export const followChoices = ({ authors, journal, institutions }: Static<typeof PaperTuningResult>): FollowChoice[] =>
  [...authors, ...(journal === null ? [] : [journal]), ...institutions].filter(({ followed, queries }) => !followed || queries.length > 0)

/** The value of the choice that adds no query. */
export const markValue = ({ kind, name, ids }: FollowTarget): string => `mark ${kind} ${ids[0] ?? name}`

interface TuneProps {
  project: Project
  item: FeedItem
  choices: Static<typeof PaperTuningResult>
  follows: readonly Follow[]
  previewed: Previewed | undefined
  done: Done | undefined
}

/** The page that tunes a project from one of its papers. */
export function Tune ({ project, item, choices, follows, previewed, done }: TuneProps) {
  const { to } = useView()
  const feed = `/projects/${project.id}?item=${item.short_id}`
  const { words } = choices
  const offered = followChoices(choices)
  const address = `/projects/${project.id}/tune?item=${item.id}`
  return (
    <div class='tune' data-item={item.id} data-voted={voteValue(item.feedback)}>
      <p class='overline'><a href={to(feed)}>Back to the paper</a></p>
      <h1>Tune the feed</h1>
      <RichText as='p' class='lead after-title' text={item.paper_title} />
      {done !== undefined && <DoneNotice project={project} itemRef={item.id} item={item} follows={follows} done={done} />}
      <Votes item={item} address={address} previewed={previewed?.kind === 'vote' ? previewed : undefined} />
      <Words
        item={item}
        address={address}
        words={words}
        kind='exclude'
        title='Exclude a word'
        text='Removes fetched papers that contain it from the feed and keeps new ones out. Rated, saved and annotated papers stay.'
        verb='Exclude'
        previewed={previewed}
      />
      <Words
        item={item}
        address={address}
        words={words}
        kind='include'
        title='Add a keyword'
        text='Papers that contain it score higher, and sources are searched for it.'
        verb='Add'
        previewed={previewed}
      />
      {offered.length > 0 && (
        <section aria-labelledby='follow'>
          <h2 id='follow'>Follow an author, the journal or an institution</h2>
          <p class='section-text'>
            Marks and boosts their papers. Without an id, matches by name. Choose a source to search it for more; papers still need the
            minimum score.
          </p>
          <Form action='follow' buttonActions={['preview_follow']} class='stack'>
            <input type='hidden' name='item' value={item.id} />
            {offered.map(({ queries, followed, ...target }) => (
              <fieldset key={markValue(target)} class='choices'>
                <legend dir='auto'>{target.name} <span class='quiet-text'>{basisOf(target)}</span></legend>
                {!followed && (
                  <Choice
                    name='follow'
                    value={markValue(target)}
                    label='In this feed'
                    checked={previewed?.kind === 'follow' && previewed.value === markValue(target)}
                  />
                )}
                {queries.map(({ name: source, title, query }) => (
                  <Choice
                    key={source}
                    name='follow'
                    value={`${source} ${query}`}
                    label={title}
                    checked={previewed?.kind === 'follow' && previewed.value === `${source} ${query}`}
                  />
                ))}
              </fieldset>
            ))}
            <div class='buttons'>
              <button class='secondary' name='action' value='preview_follow'>Preview</button>
              <button name='action' value='follow'>Follow</button>
            </div>
          </Form>
          {previewed?.kind === 'follow' && (
            <div class='preview tune-preview' role='status'>
              <Marked marked={previewed.marked} />
              {previewed.source !== undefined && previewed.found !== undefined && (
                <NewProjectPreview preview={previewed.found} sources={[choiceOf(previewed.source)]} />
              )}
            </div>
          )}
        </section>
      )}
      <Followed follows={follows}><input type='hidden' name='item' value={item.id} /></Followed>
    </div>
  )
}

/** The papers of the feed that a follow would mark. */
function Marked ({ marked: { by_id, by_name, compared, papers } }: { marked: Static<typeof FollowPreviewResult> }) {
  if (compared === 0) return <p>The feed has no papers yet.</p>
  if (papers.length === 0) return <p>None of the newest {formatPapers(compared)} of this feed match.</p>
  const named = by_name === 0 ? '' : `, ${formatCount(by_name)} of them by name alone`
  return (
    <>
      <p>{formatCount(by_id + by_name)} of the newest {formatPapers(compared)} of this feed match{named}:</p>
      <ul>{papers.map(({ paper_id, title }) => <li key={paper_id}><RichText as='span' text={title} /></li>)}</ul>
    </>
  )
}

const choiceOf = ({ name }: ProjectSource) => ({ name, title: sourceTitle(name) })
const sourceTitle = (name: string) => findSource(name)?.title ?? name

interface WordsProps {
  item: FeedItem
  address: string
  words: readonly string[]
  kind: 'include' | 'exclude'
  title: string
  text: string
  verb: string
  previewed: Previewed | undefined
}

/** A form that includes or excludes one word of the paper. */
function Words ({ item, address, words, kind, title, text, verb, previewed }: WordsProps) {
  const { to } = useView()
  if (words.length === 0) return null
  const shown = previewed?.kind === kind ? previewed : undefined
  return (
    <section aria-labelledby={kind}>
      <h2 id={kind}>{title}</h2>
      <p class='section-text'>{text}</p>
      <Form action='apply' buttonActions={['preview']} class='stack'>
        <input type='hidden' name='item' value={item.id} />
        <input type='hidden' name='kind' value={kind} />
        <fieldset class='choices' {...previewOnChoice(kind, { address: to(address), action: 'preview' })}>
          <legend class='unseen'>{title}</legend>
          {words.map(word => <Choice key={word} name='word' value={word} label={word} id={kind} checked={shown?.word === word} />)}
        </fieldset>
        <div class='buttons'>
          <button class='secondary' name='action' value='preview'>Preview</button>
          <button name='action' value='apply'>{verb}</button>
        </div>
      </Form>
      <TunePreview kind={kind} action='preview'>
        {shown !== undefined && (
          <>
            <p><strong>{verb === 'Exclude' ? 'Excluding' : 'Adding'} “{shown.word}”:</strong></p>
            <SettingsPreview preview={shown.preview} />
          </>
        )}
      </TunePreview>
    </section>
  )
}

interface DoneProps {
  project: Project
  /** How the address names the paper. */
  itemRef: string
  /** The paper while it is in the feed. */
  item?: FeedItem
  follows: readonly Follow[]
  done: Done
}

/** Whether the project still has a change. */
function hasChange ({ project, item, follows, done: { kind, value, followed, former } }: DoneProps): boolean {
  switch (kind) {
    case 'vote': return former !== undefined && item !== undefined && voteValue(item.feedback) === value
    case 'exclude': return project.negative_keywords.includes(value)
    case 'include': return project.positive_keywords.includes(value)
    default: return follows.some(({ id }) => id === followed) || project.sources.some(({ name, query }) => `${name} ${query}` === value)
  }
}

/** The page of a change that took its paper out of the feed. */
export function TunedWithoutPaper (props: DoneProps) {
  const { to } = useView()
  const returns = hasChange(props)
    ? 'If you undo the change, it returns with the next rescoring.'
    : 'It returns with the next rescoring if it matches.'
  return (
    <div class='tune'>
      <p class='overline'><a href={to(`/projects/${props.project.id}`)}>Back to the feed</a></p>
      <h1>Tune the feed</h1>
      <DoneNotice {...props} />
      <p>The paper is no longer in the feed. {returns}</p>
    </div>
  )
}

/** Says what was changed, with a button that takes it back while the project still has it. */
function DoneNotice (props: DoneProps) {
  if (!hasChange(props)) return null
  const { itemRef, item, follows, done: { kind, value, followed, former } } = props
  const follow = follows.find(({ id }) => id === followed)
  const rescored = 'The feed will be rescored within a minute.'
  const text = kind === 'vote'
    ? `Your vote: ${votedAs(item!.feedback!).toLowerCase()}. ${rescored}`
    : kind === 'exclude'
      ? `“${value}” is excluded. ${rescored}`
      : kind === 'include'
        ? `“${value}” was added to the keywords. ${rescored}`
        : [
            ...(follow === undefined ? [] : [`Following ${follow.name}.`]),
            ...(value.startsWith('mark ')
              ? []
              : [`${sourceTitle(value.slice(0, value.indexOf(' ')))} is searched for ${value.slice(value.indexOf(' ') + 1)}.`])
          ].join(' ')
  return (
    <Form action={kind === 'vote' ? 'undo_vote' : 'undo'} class='notice good tune-done'>
      <span role='status'>{text}</span>
      <input type='hidden' name='item' value={itemRef} />
      <input type='hidden' name='kind' value={kind} />
      <input type='hidden' name='value' value={value} />
      {followed !== undefined && <input type='hidden' name='followed' value={followed} />}
      {former !== undefined && <input type='hidden' name='former' value={former} />}
      <button class='secondary'>Undo</button>
    </Form>
  )
}
