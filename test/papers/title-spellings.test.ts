import t from 'tap'
import { withoutMarks } from '../../src/papers/retraction-marks.js'
import { soughtTitles, titleLetters, titleSpellings } from '../../src/papers/title-spellings.js'
import { markInTitle } from '../../src/sources/notices/title-marks.js'
import { takesLess } from '../support/event-loop.js'

t.test('long runs of spaces in a title take little time', async t => {
  for (const space of [' ', '\n', '\t', '\u2003']) {
    const run = space.repeat(20_000)
    for (const text of [run, `Sleep${run}in adults`, `RETRACTED${run}Sleep`, `Retracted]${run}Sleep`, `Sleep (retracted article)${run}in adults`]) {
      const name = JSON.stringify([text.replace(run, ''), space])
      for (const work of [soughtTitles, titleSpellings, titleLetters, withoutMarks, markInTitle]) {
        await takesLess(t, 25, () => work(text), `${work.name} of ${name}`)
      }
    }
  }
})

t.test('the letters of a title are the same for any run of spaces', async t => {
  const titles = ['RETRACTED: Sleep & memory', 'Sleep in adults (Retracted)', 'Retracted - Sleep', 'Notice of retraction: $\\alpha$ waves']
  for (const title of titles) {
    t.strictSame(soughtTitles(` ${title.replaceAll(' ', ' \n\t ')}`), soughtTitles(title))
    t.equal(titleLetters(title.replaceAll(' ', '\n\n')), titleLetters(title))
  }
  t.equal(withoutMarks('Sleep in adults \n (Retracted article. See vol. 12, pg. 345, 2014)'), 'Sleep in adults')
})
