import type { FeedItem } from '../../../../../schemas/feed.js'
import { maxNoteLength, maxTagLength, maxTags } from '../../../../../schemas/item-state.js'
import { Form } from '../../components/form.js'
import { Icon } from '../../components/icon.js'
import { useView } from '../../view.js'

/** An item with the marks of its owner. */
export type MarkedItem = Pick<FeedItem, 'id' | 'seen_at' | 'saved' | 'tags' | 'note'>

/** What was entered for an item in a form that was refused. */
function useEntered (action: 'tag' | 'note', item: string): { [field: string]: unknown } {
  const { refused, entered } = useView()
  return refused?.action === action && entered.item === item ? entered : {}
}

interface MarkProps {
  item: MarkedItem
  /** The page to return to, with the item open. */
  address: string
}

/** The buttons that save an item for later and mark it as seen or not. */
export function Marks ({ item: { id, seen_at, saved }, address }: MarkProps) {
  const isSeen = seen_at !== null
  return (
    <Form action='mark' address={address} class='marks' data-item={id} data-seen={String(isSeen)} data-saved={String(saved)}>
      <input type='hidden' name='item' value={id} />
      <button
        class='vote-button'
        name='saved'
        value={String(!saved)}
        aria-pressed={saved}
        data-mark='saved'
        data-on='Saved'
        data-off='Save'
      >
        <Icon name='saved' filled={saved} />
        <span class='mark-name'>{saved ? 'Saved' : 'Save'}</span>
      </button>
      <button class='vote-button' name='seen' value={String(!isSeen)} data-mark='seen' data-on='Mark as unseen' data-off='Mark as seen'>
        <span class='mark-name'>{isSeen ? 'Mark as unseen' : 'Mark as seen'}</span>
      </button>
    </Form>
  )
}

/** The tags of an item, each with a button that removes it, and a field that completes the account's tags. */
export function Tags ({ item: { id, tags }, address }: MarkProps) {
  const field = `tag-${id}`
  const { add = '' } = useEntered('tag', id)
  return (
    <Form action='tag' address={address} class='tags' data-item={id} data-tags={tags.join('\n')}>
      <input type='hidden' name='item' value={id} />
      {/* The first button is the one that Enter presses. */}
      <label class='unseen' for={field}>Add tag</label>
      <input
        id={field}
        class='tag-field'
        name='add'
        value={String(add)}
        list='known-tags'
        maxLength={maxTagLength}
        placeholder='Add tag'
        autocomplete='off'
      />
      <button class='secondary'>Add</button>
      <ul class='tag-list' aria-label='Tags' hidden={tags.length === 0}>
        {tags.map(tag => <Tag key={tag} tag={tag} />)}
      </ul>
    </Form>
  )
}

const Tag = ({ tag }: { tag: string }) => (
  <li class='tag'>
    <span dir='auto'>{tag}</span>
    <button class='quiet' name='remove' value={tag} aria-label={`Remove tag ${tag}`}>×</button>
  </li>
)

/** The tags that fields complete, and a tag without text, which scripts copy. */
export const TagParts = ({ known }: { known: ReadonlyArray<{ tag: string }> }) => (
  <>
    <datalist id='known-tags' data-max-tags={maxTags}>
      {known.map(({ tag }) => <option key={tag} value={tag} />)}
    </datalist>
    <template id='tag-part'><Tag tag='' /></template>
  </>
)

/** The owner's note on an item. Scripts save it during typing. */
export function Note ({ item: { id, note }, address }: MarkProps) {
  const field = `note-${id}`
  const { note: written = note ?? '', base = note ?? '' } = useEntered('note', id)
  return (
    <Form action='note' address={address} class='note-form' data-item={id} data-note={note ?? ''}>
      <input type='hidden' name='item' value={id} />
      <input type='hidden' name='base' value={String(base)} />
      <label for={field}>Your note</label>
      <textarea id={field} name='note' rows={note === null ? 2 : 4} maxLength={Math.max(maxNoteLength, note?.length ?? 0)} dir='auto'>
        {String(written)}
      </textarea>
      <div class='note-foot'>
        <button class='secondary'>Save note</button>
        <span class='quiet-text' role='status' />
      </div>
    </Form>
  )
}

const MarkSign = ({ mark, name }: { mark: 'saved' | 'noted', name: string }) => (
  <span class={`mark-sign ${mark}`} data-sign={mark} title={name}><span class='unseen'>{name}</span></span>
)

/** The signs of an item's marks in the list. */
export const MarkSigns = ({ saved, noted }: { saved: boolean, noted: boolean }) => (
  <span class='mark-signs'>
    {saved && <MarkSign mark='saved' name='Saved' />}
    {noted && <MarkSign mark='noted' name='Has a note' />}
  </span>
)

/** All signs of marks. Scripts copy them when a mark is set. */
export const MarkSignParts = () => <template id='mark-signs'><MarkSigns saved noted /></template>

/** The tags of an item in the list. */
export const RowTags = ({ tags }: { tags: readonly string[] }) => (
  <span class='row-tags' hidden={tags.length === 0}>
    {tags.map(tag => <span key={tag} class='row-tag' dir='auto'>{tag}</span>)}
  </span>
)
