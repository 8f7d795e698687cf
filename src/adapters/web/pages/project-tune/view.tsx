import type { Static } from 'typebox'
import type { FeedItem } from '../../../../../schemas/feed.js'
import type { Follow, FollowPreviewResult, FollowTarget } from '../../../../../schemas/follow.js'
import type { NewProjectPreviewResult, Project, ProjectSource } from '../../../../../schemas/project.js'
import type { PaperTuningResult } from '../../../../../schemas/tuning.js'
import { findSource } from '../../../../sources/index.js'
import { Form } from '../../components/form.js'
import { Messages } from '../../components/messages.js'
import { NewProjectPreview } from '../../components/new-project-preview.js'
import { RichText } from '../../components/rich-text.js'
import { useView } from '../../view.js'
import { Vote } from '../feed/vote.js'
import { type Preview, SettingsPreview } from '../project-settings/preview.js'

/** What a change would do. */
export type Previewed =
  { kind: 'include' | 'exclude', word: string, preview: Preview } |
  { kind: 'follow', value: string, marked: Static<typeof FollowPreviewResult>, source?: ProjectSource, found?: NewProjectPreviewResult }

/** A change that was just made. `followed`: the new follow. */
export interface Done { kind: string, value: string, followed?: string | undefined }

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
  previewed?: Previewed
  done?: Done
}

/** The page that tunes a project from one of its papers. */
export function Tune ({ project, item, choices, follows, previewed, done }: TuneProps) {
  const { to } = useView()
  const feed = `/projects/${project.id}?item=${item.short_id}`
  const { words } = choices
  const offered = followChoices(choices)
  return (
    <>
      <p class='overline'><a href={to(feed)}>Back to the paper</a></p>
      <h1>Tune the feed</h1>
      <RichText as='p' class='lead after-title' text={item.paper_title} />
      {done !== undefined && <DoneNotice project={project} item={item} follows={follows} done={done} />}
      <section aria-labelledby='like'>
        <h2 id='like'>More or less like this</h2>
        <p class='section-text'>
          Similar papers score higher after an upvote or a star, and lower after a downvote. Change or remove the vote at any time.
        </p>
        <Vote item={item} address={feed} />
      </section>
      <Words
        item={item}
        words={words}
        kind='exclude'
        title='Exclude a word'
        text='Fetched papers that contain it leave the feed, and no others enter. Rated, saved and annotated papers stay.'
        verb='Exclude'
        previewed={previewed}
      />
      <Words
        item={item}
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
            Marks their papers in this feed and raises them; a source is also searched for more. Ids tell people of one name apart. Where no
            id is known, everybody of that name matches. Papers still need the minimum score to enter the feed.
          </p>
          <Form action='follow' buttonActions={['preview_follow']} class='stack'>
            <input type='hidden' name='item' value={item.id} />
            {offered.map(({ queries, followed, ...target }) => (
              <fieldset key={markValue(target)} class='choices'>
                <legend dir='auto'>{target.name} <span class='quiet-text'>{basis(target)}</span></legend>
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
      {follows.length > 0 && (
        <section aria-labelledby='followed'>
          <h2 id='followed'>Followed</h2>
          <ul class='plain'>
            {follows.map(follow => (
              <li key={follow.id}>
                <Form action='unfollow' class='buttons'>
                  <span><span dir='auto'>{follow.name}</span> <span class='quiet-text'>{basis(follow)}</span></span>
                  <input type='hidden' name='item' value={item.id} />
                  <input type='hidden' name='follow_id' value={follow.id} />
                  <button class='secondary'>Unfollow<span class='unseen'> {follow.name}</span></button>
                </Form>
              </li>
            ))}
          </ul>
        </section>
      )}
      <Messages />
    </>
  )
}

const basis = ({ ids }: Pick<FollowTarget, 'ids'>) => ids.length === 0 ? 'by name, namesakes match' : `by id ${ids[0]!}`

/** The papers of the feed that a follow would mark. */
function Marked ({ marked: { by_id, by_name, compared, papers } }: { marked: Static<typeof FollowPreviewResult> }) {
  if (papers.length === 0) return <p>None of the {compared.toLocaleString('en')} newest papers of this feed match.</p>
  const named = by_name === 0 ? '' : `, ${by_name.toLocaleString('en')} of them by name alone`
  return (
    <>
      <p>{(by_id + by_name).toLocaleString('en')} of the {compared.toLocaleString('en')} newest papers of this feed match{named}:</p>
      <ul>{papers.map(({ paper_id, title }) => <li key={paper_id}><RichText as='span' text={title} /></li>)}</ul>
    </>
  )
}

const choiceOf = ({ name }: ProjectSource) => ({ name, title: sourceTitle(name) })
const sourceTitle = (name: string) => findSource(name)?.title ?? name

interface WordsProps {
  item: FeedItem
  words: readonly string[]
  kind: 'include' | 'exclude'
  title: string
  text: string
  verb: string
  previewed: Previewed | undefined
}

/** A form that includes or excludes one word of the paper. */
function Words ({ item, words, kind, title, text, verb, previewed }: WordsProps) {
  if (words.length === 0) return null
  const shown = previewed?.kind === kind ? previewed : undefined
  return (
    <section aria-labelledby={kind}>
      <h2 id={kind}>{title}</h2>
      <p class='section-text'>{text}</p>
      <Form action='apply' buttonActions={['preview']} class='stack'>
        <input type='hidden' name='item' value={item.id} />
        <input type='hidden' name='kind' value={kind} />
        <fieldset class='choices'>
          <legend class='unseen'>{title}</legend>
          {words.map(word => <Choice key={word} name='word' value={word} label={word} id={kind} checked={shown?.word === word} />)}
        </fieldset>
        <div class='buttons'>
          <button class='secondary' name='action' value='preview'>Preview</button>
          <button name='action' value='apply'>{verb}</button>
        </div>
      </Form>
      {shown !== undefined && (
        <div class='preview tune-preview' role='status'>
          <p><strong>{verb === 'Exclude' ? 'Excluding' : 'Adding'} “{shown.word}”:</strong></p>
          <SettingsPreview preview={shown.preview} />
        </div>
      )}
    </section>
  )
}

interface ChoiceProps { name: string, value: string, label: string, checked: boolean, id?: string }

const Choice = ({ name, value, label, checked, id = name }: ChoiceProps) => (
  <span class='choice'>
    <input type='radio' id={`${id}-${value}`} name={name} value={value} checked={checked} required />
    <label for={`${id}-${value}`} dir='auto'>{label}</label>
  </span>
)

type DoneProps = Required<Pick<TuneProps, 'project' | 'item' | 'follows' | 'done'>>

/** Says what was changed, with a button that takes it back while the project still has it. */
function DoneNotice ({ project, item, follows, done: { kind, value, followed } }: DoneProps) {
  const follow = follows.find(({ id }) => id === followed)
  const isThere = kind === 'exclude'
    ? project.negative_keywords.includes(value)
    : kind === 'include'
      ? project.positive_keywords.includes(value)
      : follow !== undefined || project.sources.some(({ name, query }) => `${name} ${query}` === value)
  if (!isThere) return null
  const text = kind === 'exclude'
    ? `“${value}” is excluded. The feed will be rescored within a minute.`
    : kind === 'include'
      ? `“${value}” is a keyword now. The feed will be rescored within a minute.`
      : [
          ...(follow === undefined ? [] : [`${follow.name} is followed.`]),
          ...(value.startsWith('mark ')
            ? []
            : [`${sourceTitle(value.slice(0, value.indexOf(' ')))} is searched for ${value.slice(value.indexOf(' ') + 1)}.`])
        ].join(' ')
  return (
    <Form action='undo' class='notice good tune-done'>
      <span role='status'>{text}</span>
      <input type='hidden' name='item' value={item.id} />
      <input type='hidden' name='kind' value={kind} />
      <input type='hidden' name='value' value={value} />
      {followed !== undefined && <input type='hidden' name='followed' value={followed} />}
      <button class='secondary'>Undo</button>
    </Form>
  )
}
