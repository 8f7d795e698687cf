import t from 'tap'
import { symbolReader } from '../../../src/fulltext/pdf/extract/symbol-fonts.js'

const readSymbols = (text: string, name: string, glyphNames?: readonly string[]) => symbolReader(name, glyphNames)(text)

t.test('fonts whose codes are not their characters', async t => {
  await t.test('Symbol has Greek letters and signs in the private use area', async t => {
    t.equal(readSymbols('25 \uf06dm, 5 \uf0b1 1 \uf0b0C', 'SymbolMT'), '25 μm, 5 ± 1 °C')
    t.equal(readSymbols('\uf06d', 'Wingdings'), '\uf06d', 'other fonts do not')
  })

  await t.test('fonts of 3B2 name signs by their place, and have ligatures of their own', async t => {
    const glyphNames: string[] = []
    glyphNames[1] = 'C0'
    glyphNames[3] = 'C14'
    t.equal(readSymbols('g\u00011, 100 \u0003C, M ¼ Co', 'AdvP4C4E74', glyphNames), 'g−1, 100 °C, M = Co')
    t.equal(readSymbols('speci\ue103cally re\ue104ects a\ue09der', 'AdvOT1ef757c0+e1'), 'specifically reflects after')
    t.equal(readSymbols('873e1173', 'AdvPS44A44B'), '873–1173')
    t.equal(readSymbols('lm', 'AdvPSMP13'), 'μm')
    t.equal(readSymbols('q', 'AdvPS4721B4'), 'θ')
  })

  await t.test('others are read as they are', async t => {
    t.equal(readSymbols('¼ of the C0 þ e', 'Times-Roman', ['C0']), '¼ of the C0 þ e')
  })
})
