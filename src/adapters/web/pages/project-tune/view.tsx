import type { Static } from 'typebox'
import type { FeedItem } from '../../../../../schemas/feed.js'
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
  { kind: 'follow', source: ProjectSource, found: NewProjectPreviewResult }

interface TuneProps {
  project: Project
  item: FeedItem
  choices: Static<typeof PaperTuningResult>
  previewed?: Previewed
  /** The change that was just made. */
  done?: { kind: string, value: string }
}

/** The page that tunes a project from one of its papers. */
export function Tune ({ project, item, choices: { words, authors, journal }, previewed, done }: TuneProps) {
  const { to } = useView()
  const feed = `/projects/${project.id}?item=${item.short_id}`
  const followed = [...authors, ...(journal === null || journal.queries.length === 0 ? [] : [journal])]
  return (
    <>
      <p class='overline'><a href={to(feed)}>Back to the paper</a></p>
      <h1>Tune the feed</h1>
      <RichText as='p' class='lead after-title' text={item.paper_title} />
      {done !== undefined && <Done project={project} item={item} done={done} />}
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
      {followed.length > 0 && (
        <section aria-labelledby='follow'>
          <h2 id='follow'>Follow an author or the journal</h2>
          <p class='section-text'>
            Adds a custom query to the project’s sources. Names are not unique: a query finds everybody of that name. Papers still need the
            minimum score to enter the feed.
          </p>
          <Form action='follow' buttonActions={['preview_follow']} class='stack'>
            <input type='hidden' name='item' value={item.id} />
            {followed.map(({ name, queries }) => (
              <fieldset key={name} class='choices'>
                <legend dir='auto'>{name}</legend>
                {queries.map(({ name: source, title, query }) => (
                  <Choice
                    key={source}
                    name='follow'
                    value={`${source} ${query}`}
                    label={title}
                    checked={previewed?.kind === 'follow' && previewed.source.query === query && previewed.source.name === source}
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
              <NewProjectPreview preview={previewed.found} sources={[choiceOf(previewed.source)]} />
            </div>
          )}
        </section>
      )}
      <Messages />
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

/** Says what was changed, with a button that takes it back while the project still has it. */
function Done ({ project, item, done: { kind, value } }: Required<Pick<TuneProps, 'project' | 'item' | 'done'>>) {
  const isThere = kind === 'exclude'
    ? project.negative_keywords.includes(value)
    : kind === 'include'
      ? project.positive_keywords.includes(value)
      : project.sources.some(({ name, query }) => `${name} ${query}` === value)
  if (!isThere) return null
  const text = kind === 'exclude'
    ? `“${value}” is excluded. The feed will be rescored within a minute.`
    : kind === 'include'
      ? `“${value}” is a keyword now. The feed will be rescored within a minute.`
      : `${sourceTitle(value.slice(0, value.indexOf(' ')))} is searched for ${value.slice(value.indexOf(' ') + 1)}.`
  return (
    <Form action='undo' class='notice good tune-done'>
      <span role='status'>{text}</span>
      <input type='hidden' name='item' value={item.id} />
      <input type='hidden' name='kind' value={kind} />
      <input type='hidden' name='value' value={value} />
      <button class='secondary'>Undo</button>
    </Form>
  )
}
