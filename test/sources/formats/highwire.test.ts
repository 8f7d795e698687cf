import t from 'tap'
import { readHighwire } from '../../../src/sources/formats/highwire.js'
import { plainParagraphs } from '../../../src/sources/formats/plain-text.js'
import { takesLess } from '../../support/event-loop.js'

const read = (text: string) => plainParagraphs(readHighwire(text))

t.test('marks of HighWire', async t => {
  await t.test('become labels of paragraphs, and the heading of the whole is left out', async t => {
    t.equal(
      read('Abstract/SummaryO_ST_ABSBackgroundC_ST_ABSA study. O_ST_ABSMethodsC_ST_ABSWe asked.'),
      'Background: A study.\n\nMethods: We asked.'
    )
    t.equal(read('AO_SCPLOWBSTRACTC_SCPLOWAgentic systems'), 'Agentic systems')
    t.equal(read('AbstractWe show'), 'We show')
    t.equal(read('Abstract reasoning is hard'), 'Abstract reasoning is hard')
  })

  await t.test('of small capitals, items and figures are removed', async t => {
    t.equal(read('MO_SCPLOWETAC_SCPLOWMO_SCPLOWUSEC_SCPLOW is'), 'METAMUSE is')
    t.equal(read('O_LIFirst item.C_LIO_LISecond item.C_LI'), 'First item.\n\nSecond item.')
    t.equal(read('Text. O_FIG O_LINKSMALLFIG WIDTH=200 SRC="x.gif"> View larger M_FIG C_FIG End'), 'Text. End')
    t.equal(read('The list FOO_LIST stays'), 'The list FOO_LIST stays')
  })

  await t.test('of characters are those, but not in formulas', async t => {
    t.equal(
      read('{beta}-catenin at 37{degrees}C, {varepsilon} = 0.05 ([&ge;]500, 0.33 [-&gt;] 0.63)'),
      'β-catenin at 37°C, ε = 0.05 (≥500, 0.33 → 0.63)'
    )
    t.equal(read('$\\mathrm{beta}$, x^{beta}, {unknown} and [a]'), '$\\mathrm{beta}$, x^{beta}, {unknown} and [a]')
  })

  await t.test('are read in linear time', async t => {
    const units = ['O_FIG', 'C_FIG', 'O_ST_ABS', 'O_LI', '{', '[&', '[', 'Abstract', ' ', '\n', '\\a{', '\\aaaaaaaaaaaaaaaaaaaa{beta}']
    for (const unit of units) {
      const text = unit.repeat(100_000 / unit.length)
      await takesLess(t, 100, () => readHighwire(text), JSON.stringify(unit))
    }
  })
})
