import fc from 'fast-check'
import t from 'tap'
import { anchorAt, anchorsIn, passagesIn } from '../../../src/fulltext/parts/anchors.js'
import { maxBlockChars, readBlocks } from '../../../src/fulltext/parts/blocks.js'
import { findSection } from '../../../src/fulltext/parts/find-section.js'
import { divideText } from '../../../src/fulltext/parts/divide.js'
import { type PartRequest, readPart as readPartOf } from '../../../src/fulltext/parts/read-part.js'
import { dividedText } from '../../../src/fulltext/read-text.js'
import { staysResponsive, takesLess } from '../../support/event-loop.js'

const blocksOf = (text: string) => [...readBlocks(text)].map(({ start, end }) => text.slice(start, end))

/** Reads a part of a text that is stored in parts of so many characters. */
const readPart = async (text: string, request: PartRequest, storedChars = 100) =>
  await readPartOf(dividedText(text, await divideText(text, storedChars)), request)

/** Reads a text in parts, each where the one before ended. */
async function readAll (text: string, maxChars: number, section?: string) {
  const parts = []
  for (let offset: number | null | undefined; offset !== null; offset = parts.at(-1)!.nextOffset) {
    parts.push(await readPart(text, { offset, maxChars, section }))
  }
  return parts
}

const pieces = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '# Title\n',
        '## Methods\n',
        '### Data 2\n',
        '\n',
        '\n\n',
        '   \n',
        '```\ncode\n\n# no heading\n```\n',
        '~~~ts\nx\n',
        '$$\na\n\nb\n$$\n',
        '$$ x',
        '$$y$$\n',
        '| a | b |\n| --- | --- |\n| 1 | 2 |\n',
        '- item\n',
        '- item\n\n  continued\n',
        '1. one\n2. two\n',
        '> quoted\n>\n> more\n',
        '    indented\n\n    more\n',
        '\r\n',
        '😀',
        '\ud800'
      ),
      fc.string({ unit: 'grapheme', maxLength: 40 })
    ),
    { maxLength: 40 }
  )
  .map(texts => texts.join(''))

t.test('a text in parts', async t => {
  t.test('parts concatenate to the text at any length', async t => {
    await fc.assert(fc.asyncProperty(pieces, fc.integer({ min: 1, max: 300 }), async (text, maxChars) => {
      const parts = await readAll(text, maxChars)
      t.equal(parts.map(part => part.text).join(''), text)
      for (const part of parts) {
        t.equal(text.slice(part.offset, part.offset + part.text.length), part.text)
        t.equal(part.totalChars, text.length)
        t.ok(part.text.length <= maxChars || blocksOf(part.text).length === 1, 'more than max_chars is one block')
      }
    }), { numRuns: 500 })
  })

  t.test('each section matches the outline and ends at its end', async t => {
    await fc.assert(fc.asyncProperty(pieces, fc.integer({ min: 1, max: 300 }), async (text, maxChars) => {
      const { outline } = await readPart(text, { outline: true })
      for (const { number, offset, chars } of outline.slice(0, 5)) {
        const parts = await readAll(text, maxChars, String(number))
        t.equal(parts.map(part => part.text).join(''), text.slice(offset, offset + chars))
      }
    }), { numRuns: 200 })
  })

  t.test('how a text is stored makes no difference', async t => {
    await fc.assert(fc.asyncProperty(pieces, fc.nat(400), fc.integer({ min: 1, max: 300 }), async (text, offset, maxChars) => {
      for (const request of [{ maxChars }, { offset: Math.min(offset, text.length), maxChars }, { outline: true }]) {
        const whole = await readPart(text, request, Infinity)
        for (const storedChars of [1, 40, 200]) t.strictSame(await readPart(text, request, storedChars), whole)
      }
    }), { numRuns: 200 })
  })

  t.test('no part begins or ends within a table, a formula, a code block or a paragraph', async t => {
    const whole = [
      '| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n\n', '```\none\n\n# two\n\nthree\n```\n\n', '$$\nx =\n\ny\n$$\n\n',
      'A paragraph\nof two lines.\n\n', '- an item\n\n  of two paragraphs\n\n', '~~~~\n```\n~~~\n\n~~~~\n\n'
    ]
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...whole), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 60 }),
        async (texts, maxChars) => {
          const text = texts.join('')
          const starts = new Set(texts.map((_, at) => texts.slice(0, at).join('').length))
          for (const { offset } of await readAll(text, maxChars)) t.ok(starts.has(offset), `a part begins at ${offset}`)
        }
      )
    )
  })

  t.test('an offset within a block gives the part that begins with the block', async t => {
    const text = 'One one one.\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nLast.\n'
    const { offset, text: part } = await readPart(text, { offset: 30, maxChars: 5 })
    t.equal(offset, 14)
    t.match(part, /^\| a/)
    t.match(await readPart(text, { offset: text.length }), { text: '', nextOffset: null })
  })

  t.test('a part does not end with a heading', async t => {
    const text = '## One\n\nText of one.\n\n## Two\n\nText of two.\n'
    t.equal((await readPart(text, { maxChars: 32 })).text, '## One\n\nText of one.\n\n')
    t.equal((await readPart(text, { maxChars: 5 })).text, '## One\n\n')
  })

  t.test('a text without paragraphs is split at line ends, then spaces, never within a character', async t => {
    const lines = 'x '.repeat(40) + '\n'
    for (const text of [lines.repeat(2000), 'word '.repeat(30_000), '😀'.repeat(60_001), `\`\`\`\n${lines.repeat(2000)}`]) {
      const blocks = blocksOf(text)
      t.ok(blocks.length > 1 && blocks.every(block => block.length <= maxBlockChars && block.isWellFormed()))
      t.equal(blocks.join(''), text)
    }
  })
})

t.test('the outline', async t => {
  const text =
    '# A *title* of $x$\n\nAuthors.\n\n## Abstract\n\nShort.\n\n## 2. Methods\n\n```\n# not a heading\n```\n\n### Data\n\nRows.\n\n## ' +
    'Results \\& more\n\nDone.\n'

  t.test(
    'lists sections with number, level, plain title, offset and length; subsections count, and the title ends at the first section',
    async t => {
      const { outline, text: none, nextOffset, label } = await readPart(text, { outline: true })
      t.strictSame(
        outline.map(({ number, level, title }) => [number, level, title]),
        [
          [1, 1, 'A title of $x$'],
          [2, 2, 'Abstract'],
          [3, 2, '2. Methods'],
          [4, 3, 'Data'],
          [5, 2, 'Results & more']
        ]
      )
      t.equal(text.slice(outline[0]!.offset, outline[0]!.offset + outline[0]!.chars), '# A *title* of $x$\n\nAuthors.\n\n')
      t.match(text.slice(outline[2]!.offset, outline[2]!.offset + outline[2]!.chars), /^## 2\. Methods[\s\S]*### Data\n\nRows\.\n\n$/)
      t.strictSame([none, nextOffset, label], ['', 0, `Outline: 5 sections, ${text.length} characters`])
    }
  )

  t.test('a text without headings is one section, and an empty text none', async t => {
    t.match((await readPart('Words.\n', { outline: true })).outline, [{ number: 1, title: 'Beginning', offset: 0, chars: 7 }])
    t.match(await readPart('', {}), { text: '', outline: { length: 0 }, nextOffset: null, totalChars: 0 })
    t.match((await readPart('Preface.\n\n# One\n\nx', { outline: true })).outline, [{ title: 'Beginning', chars: 10 }, { title: 'One' }])
  })

  t.test('a section is found by number, title, title without numbering, or a part that only one title has', async t => {
    const find = async (section: string) => (await readPart(text, { section })).label
    for (const section of ['3', '2. Methods', ' METHODS ', 'methods:', 'metho']) {
      t.match(await find(section), /^3 of 5: 2\. Methods, \d+ of \d+ characters$/, section)
    }
    t.match(await find('data'), /^4 of 5: Data/)
  })

  t.test('of sections with one title, the one above the others is found', async t => {
    const paper = '# A paper\n\n## Abstract\n\n### Methods\n\nBriefly.\n\n## 2. Methods\n\nAt length.\n\n### 2.1 Data\n\nRows.\n\n' +
      '### Data\n\nMore.\n'
    t.match((await readPart(paper, { section: 'methods' })).text, /^## 2\. Methods/)
    t.match((await readPart(paper, { section: '2.1 Data' })).text, /^### 2\.1 Data/)
    await t.rejects(readPart(paper, { section: 'Data' }), { message: /Use a number: 5, 6\./ })
    await t.rejects(readPart('# A\n\n## Data use\n\nx\n\n### Data kept\n\ny\n', { section: 'data' }), { message: /Use a number: 2, 3\./ })
  })

  t.test('a missing or ambiguous section is an error with instructions', async t => {
    for (const section of ['Discussion', '0', '6', '999999999999999999', '   ', '!', 'x'.repeat(500)]) {
      await t.rejects(
        readPart(text, { section }),
        { code: 'invalid_arguments', message: /sections 1 to 5\. Call paper_markdown with "outline": true/ },
        section
      )
    }
    await t.rejects(readPart('# A\n\n## Same\n\nx\n\n## Same\n\ny\n', { section: 'same' }), { message: /Use a number: 2, 3\./ })
    await t.rejects(readPart('', { section: '1' }), { message: /has no sections/ })
  })

  t.test('a section is found in linear time', async t => {
    const title = `a${'.:'.repeat(20_000)}`
    const sections = [{ number: 1, title: `${title}b` }, { number: 2, title }].map(section => ({ ...section, level: 1, offset: 0, chars: 1 }))
    await takesLess(t, 50, () => t.equal(findSection(sections, 'A').number, 2))
  })

  t.test('an offset outside the text or section is rejected', async t => {
    await t.rejects(readPart(text, { offset: 10_000 }), {
      code: 'invalid_arguments',
      message: /offset is 10000, but the text has \d+ characters\. Use the next_offset/
    })
    await t.rejects(readPart(text, { offset: 0, section: 'Data' }), { message: /section 4 is at \d+ to \d+/ })
  })

  t.test('a part reports its sections, continuation and oversized blocks', async t => {
    const long = `## One\n\n${'a '.repeat(30)}\n\n${'b '.repeat(30)}\n\n## Two\n\n${'c '.repeat(600)}\n`
    const labels = (await readAll(long, 150)).map(({ label }) => label)
    t.strictSame(labels, [
      '1 of 2: One, 132 of 1,341 characters',
      '2 of 2: Two, 8 of 1,341 characters',
      '2 of 2: Two (continued), 1,201 of 1,341 characters (one block, longer than max_chars)'
    ])
    t.match(await readPart(long, {}), { label: '1 to 2 of 2: One to Two, 1,341 of 1,341 characters' })
  })

  t.test('has at most 300 sections', async t => {
    t.equal((await readPart('# x\n\n'.repeat(1000), { outline: true })).outline.length, 300)
  })
})

t.test('an anchor', async t => {
  const text = `# Title\n\n${'Sleep spindles and memory. '.repeat(20)}\n\n## Same\n\nFirst words here.\n\n## Same\n\nOther words there.\n`

  t.test('depends only on its own words', async t => {
    const [, paragraph] = [...anchorsIn(text)]
    t.equal(anchorAt(`Before.\n\n${text}`, 'Before.\n\n'.length + paragraph!.offset), paragraph!.anchor)
    t.match(paragraph!.anchor, /^p-[0-9a-f]{10}$/)
  })

  t.test('differs for equal headings', async t => {
    const anchors = [...anchorsIn(text)].map(({ anchor }) => anchor)
    t.equal(new Set(anchors).size, anchors.length)
  })

  t.test('is listed for each longer paragraph with its first words', async t => {
    const { offset, text: part } = await readPart(text, { section: '1' })
    t.strictSame(await passagesIn(text, offset, offset + part.length), [
      { anchor: anchorAt(text, 9), starts: 'Sleep spindles and memory. Sleep spindles and' }
    ])
  })
})

t.test('hostile texts are read in linear time', async t => {
  const size = 400_000
  for (const unit of ['$$', '$$\n', '```\n', '# \n', '- \n', '`', '\n', '$$ x\n', '[', '\\', '* a', '~~~x\n', '    x\n\n']) {
    const text = unit.repeat(size / unit.length)
    await takesLess(t, 2000, async () => await readPart(text, { outline: true }), JSON.stringify(unit))
  }
})

t.test('a part of a long text is read from the stored parts that have it', async t => {
  const text = 'A paragraph.\n\n'.repeat(100_000)
  const divided = dividedText(text, await divideText(text))
  let read = 0
  const counted: typeof divided = {
    ...divided,
    async read (from, to) {
      const parts = await divided.read(from, to)
      read += parts.reduce((sum, { markdown }) => sum + markdown.length, 0)
      return parts
    }
  }
  const part = await readPartOf(counted, { offset: 700_000, maxChars: 1000 })
  t.equal(part.text, text.slice(700_000, 700_000 + part.text.length))
  t.ok(read <= 200_000, `${read} characters`)
})

t.test('stored parts have whole blocks, and 100,000 characters at most', async t => {
  for (const unit of ['A paragraph.\n\n', '```\n# no heading\n\n', '- item\n', '😀', `${'word '.repeat(12_000)}\n\n`]) {
    const text = unit.repeat(Math.ceil(400_000 / unit.length))
    const { partStarts } = await divideText(text)
    const blocks = new Set([...readBlocks(text)].map(({ start }) => start))
    t.ok(partStarts.length >= 4 && partStarts.every(start => blocks.has(start)), JSON.stringify(unit.slice(0, 10)))
    const lengths = partStarts.map((start, at) => (partStarts[at + 1] ?? text.length) - start)
    t.ok(lengths.every(length => length > 0 && length <= 100_000), lengths.join(', '))
  }
  t.strictSame((await divideText('')).partStarts, [0])
  t.strictSame((await divideText('One.\n\nTwo.', 1)).partStarts, [0, 6], 'a block that is longer is a part')
})

t.test('hostile texts are read in slices', async t => {
  for (const unit of ['a\n', 'a\n\n', `# ${'['.repeat(1000)}\n\n`, `# x${' '.repeat(1000)}y\n\n`, `# ${'[]('.repeat(333)}\n\n`]) {
    const text = unit.repeat(1_000_000 / unit.length)
    const name = JSON.stringify(unit.slice(0, 10))
    await staysResponsive(t, name, async () => await readPart(text, { maxChars: 1_000_000 }))
    await staysResponsive(t, `passages of ${name}`, async () => await passagesIn(text, 0, text.length))
  }
})
