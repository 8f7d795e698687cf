import t from 'tap'
import { limitText } from '../../src/fulltext/markdown/limit-text.js'
import { convert } from '../../src/fulltext/sandbox/formats.js'
import { maxTextCharacters } from '../../src/fulltext/limits.js'

const converted = (markdown: string) => ({ markdown, converter: 'test', pages: null, warnings: ['Page 3 has no text.'] })
const note = /\n\n\*The text ends here, because it is longer than 8,000,000 characters\.\*\n$/

t.test('a text within the limit stays as it is', async t => {
  const whole = converted('x'.repeat(maxTextCharacters))
  t.equal(limitText(whole), whole)
})

t.test('a longer text is cut after a paragraph, and says so', async t => {
  const { markdown, warnings } = limitText(converted('A paragraph of words.\n\n'.repeat(400_000)))
  t.match(markdown, note)
  t.match(markdown.replace(note, ''), /words\.$/)
  t.ok(markdown.length <= maxTextCharacters && markdown.length > maxTextCharacters - 200)
  t.strictSame(warnings, ['Page 3 has no text.', 'The document is longer than 8,000,000 characters; the rest was cut.'])
})

t.test('a text without paragraphs is cut between characters', async t => {
  for (const start of ['', 'x']) {
    const { markdown } = limitText(converted(`${start}${'😀'.repeat(maxTextCharacters)}`))
    t.match(markdown, note)
    t.ok(markdown.isWellFormed() && markdown.length <= maxTextCharacters)
  }
})

t.test('a text that lacks a part says so at its end', async t => {
  const losses = ['Page 7 could not be read.', 'Page 9 could not be read.']
  t.strictSame(limitText({ ...converted('Words.\n'), losses }), {
    ...converted('Words.\n\n*This text is incomplete. Page 7 could not be read. Page 9 could not be read.*\n'),
    warnings: [...losses, 'Page 3 has no text.']
  })
  const { markdown } = limitText({ ...converted('A paragraph of words.\n\n'.repeat(400_000)), losses })
  t.match(markdown, /words\.\n\n\*The text ends here.*\*\n\n\*This text is incomplete\. Page 7.*\*\n$/)
  t.ok(markdown.length <= maxTextCharacters)
})

t.test('converted documents are limited', async t => {
  const paragraphs = `<p>${'Words of a paragraph. '.repeat(50)}</p>`.repeat(7500)
  const { markdown } = await convert('jats', Buffer.from(`<article><body>${paragraphs}</body></article>`))
  t.match(markdown, note)
})
