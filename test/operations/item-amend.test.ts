import t from 'tap'
import { maxNoteLength } from '../../schemas/item-state.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { itemAmend } from '../../src/operations/feed/item-amend.js'
import { itemUpdate } from '../../src/operations/feed/item-update.js'
import { projectWith, testService } from '../support/service.js'

t.test('changes of tags and notes', async t => {
  const { user } = await testService(t)
  const owner = await user()
  const { context } = owner
  const project_id = await projectWith(owner, [{ title: 'Grid cells' }])
  const item = async () => (await feedGet.run(context, { project_id })).items[0]!
  const { id: ref } = await item()
  const amend = async (change: object) => await itemAmend.run(context, { ref, ...change })
  const noteAfter = async (stored: string, change: object) => {
    await itemUpdate.run(context, { ref, note: stored })
    const amended = await amend(change)
    t.equal(amended.note, (await item()).note)
    return amended
  }

  await t.test('at the same time are all kept', async t => {
    const tags = Array.from({ length: 8 }, (_each, at) => `tag ${at}`)
    await Promise.all(tags.map(async tag => await amend({ tags: [tag] })))
    t.strictSame((await item()).tags.sort(), tags)
    await Promise.all(tags.slice(1).map(async tag => await amend({ removed_tags: [tag.toUpperCase()] })))
    t.strictSame((await item()).tags, ['tag 0'])
    await amend({ tags: ['TAG 0', ' '], removed_tags: ['missing'] })
    t.strictSame((await item()).tags, ['tag 0'], 'repeating one changes nothing')
  })

  await t.test('are limited like any tags and notes', async t => {
    for (let at = 1; at < 20; at++) await amend({ tags: [`tag ${at}`] })
    await t.rejects(amend({ tags: ['one more'] }), { code: 'invalid_arguments', message: /tags must have at most 20 items/ })
    await t.rejects(amend({ tags: ['x'.repeat(51)] }), { code: 'invalid_arguments', message: /at most 50 characters/ })
    await t.rejects(amend({ note: 'x'.repeat(maxNoteLength + 1) }), { code: 'invalid_arguments' })
    t.equal((await item()).tags.length, 20)
    await amend({ removed_tags: ['tag 3'] })
    await amend({ tags: ['one more'] })
    t.equal((await item()).tags.at(-1), 'one more')
    await t.rejects(itemAmend.run((await user()).context, { ref, tags: ['x'] }), { code: 'paper_not_found' })
  })

  await t.test('replace a note that they are based on', async t => {
    t.strictSame(await noteAfter('Before.', { note: 'After.', note_bases: ['Before. '] }), { note: 'After.', is_united: false })
    t.strictSame(await noteAfter('Before.', { note: '', note_bases: ['', 'Before.'] }), { note: null, is_united: false })
    t.strictSame(await noteAfter('', { note: 'After.', note_bases: ['Before.'] }), { note: 'After.', is_united: false })
    t.strictSame(await noteAfter('Before.', { note: 'After.' }), { note: 'After.', is_united: false }, 'any, if they do not say which')
  })

  await t.test('keep any other note', async t => {
    const united = { note: 'Theirs.\n\nMine.', is_united: true }
    t.strictSame(await noteAfter('Theirs.', { note: 'Mine.', note_bases: ['Before.'] }), united)
    t.strictSame(await noteAfter(united.note, { note: 'Mine.', note_bases: ['Before.'] }), united, 'also when repeated')
    t.strictSame(await noteAfter('Theirs.', { note: '', note_bases: ['Before.'] }), { note: 'Theirs.', is_united: true })
    const whole = { note: 'Theirs.\n\nMine too.', is_united: false }
    t.strictSame(await noteAfter('Theirs.', { note: whole.note, note_bases: ['Before.'] }), whole, 'paragraphs of both stand once')
  })

  await t.test('are refused once both versions together are too long', async t => {
    let stored = ''
    for (let at = 0; at < 9; at++) stored = (await noteAfter(stored, { note: String(at).repeat(maxNoteLength), note_bases: [] })).note!
    const change = { note: 'x'.repeat(maxNoteLength), note_bases: [] }
    await t.rejects(noteAfter(stored, change), { code: 'invalid_arguments', message: /at most 100000 characters/ })
    t.equal((await item()).note, stored)
  })
})
