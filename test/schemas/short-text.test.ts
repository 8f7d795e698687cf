import t from 'tap'
import { shortText } from '../../schemas/short-text.js'

t.test('a long text ends after a word, within the limit', async t => {
  t.equal(shortText('one two three', 13), 'one two three')
  t.equal(shortText('one two three', 12), 'one two …')
  t.equal(shortText('one two three', 9), 'one two …')
  t.equal(shortText('one two three', 8), 'one …')
})

t.test('a text without spaces near the limit is cut anywhere, but not within a character', async t => {
  t.equal(shortText('睡眠'.repeat(10), 5), '睡眠睡眠…')
  t.equal(shortText(`one ${'a'.repeat(100)}`, 60), `one ${'a'.repeat(55)}…`)
  t.equal(shortText('a😀😀', 4), 'a😀…')
  t.equal(shortText('a😀😀b', 5), 'a😀…')
})
