import { deepEqual } from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import t from 'tap'
import { bibtex } from '../../../src/papers/citations/bibtex.js'
import { ris } from '../../../src/papers/citations/ris.js'
import { readRecords } from '../../support/readings.js'
import { paperOf, record } from '../../support/service.js'

/**
 * The entries of a file as BibTeX finds them: an entry ends where its braces balance, and a backslash changes nothing. Anything between
 * entries is a comment. @see bibtex.web, sections 222, 236 and 253
 */
function scan (file: string): Array<{ type: string, key: string, fields: string[] }> {
  const entries: Array<{ type: string, key: string, fields: string[] }> = []
  for (let at = file.indexOf('@'); at !== -1; at = file.indexOf('@', at)) {
    const [begin, type, key] = /^@\s*([a-z]+)\s*\{\s*([^\s,{}"#%'()=]+),/.exec(file.slice(at)) ?? []
    if (begin === undefined) throw new Error(`BibTeX complains about ${JSON.stringify(file.slice(at, at + 60))}`)
    const fields: string[] = []
    let depth = 1
    let field = ''
    for (at += begin.length; depth > 0; at++) {
      const character = file[at]
      if (character === undefined) throw new Error('The file ends within an entry.')
      if (character === '{') depth++
      if (character === '}') depth--
      if (depth <= 1 && (character === ',' || depth === 0)) fields.push(field.trim())
      field = depth <= 1 && character === ',' ? '' : field + character
    }
    for (const each of fields) {
      if (!/^[a-z]+ = (?:\{[^]*\}|[a-z]{3})$/.test(each)) throw new Error(`BibTeX complains about ${JSON.stringify(each)}`)
    }
    entries.push({ type: type!, key: key!, fields: fields.map(each => each.split(' ')[0]!) })
  }
  return entries
}

/** Every text field of a record with the same text. */
const filledWith = (text: string): Parameters<typeof paperOf>[0] => ({
  title: text,
  abstract: text,
  authors: [{ name: text }, { name: `Ada ${text}` }],
  venue_name: text,
  doi: text,
  url: text,
  pdf_url: text,
  external_ids: { arxiv: text, pmid: text, pmcid: text, openalex: text },
  metadata: {
    volume: text,
    issue: text,
    pages: text,
    issn: text,
    isbn: text,
    publisher: text,
    language: text,
    keywords: [text, `${text};`],
    citation_key: text,
    primary_category: text,
    type: text
  }
})
const hostileTexts = [
  '}', '{', '\\}', '\\{', '\\\\}', 'A}\n}\n@article{evil,\n  title = {Injected}', 'A\\}\\}@article{evil, title={Injected}}', '}}%',
  '"} # evil', '{\\}', '$\\}$'
]

t.test('formulas stay formulas in BibTeX', async t => {
  const title = 'Decay of $B^0_s\\to\\mu^+\\mu^-$ at $\\sqrt{s}=13$ TeV in DNA'
  const written = bibtex.write(paperOf({ title, abstract: 'At $10^{-3}$ and $5.' }), new Map())
  t.match(written, '  title = {Decay of {$B^0_s\\to\\mu^+\\mu^-$} at {$\\sqrt{s}=13$} {TeV} in {DNA}},')
  t.match(written, '  abstract = {At {$10^{-3}$} and \\$5.}')
  const [back] = await readRecords('bibtex', written)
  t.match(back, { title, abstract: 'At $10^{-3}$ and $5.' })

  t.test('unless a document that prints them would run a command', async t => {
    for (const formula of ['\\input{/etc/passwd}', 'a^^5cinput{x}', '\\def\\x{\\x}', '\\write18{id}', 'a}', '{a', '\\href{x}{y}', 'β']) {
      const title = `Of $${formula}$ and more`
      const written = bibtex.write(paperOf({ title }), new Map())
      t.match(written, /title = \{Of \\\$/, formula)
      t.equal((await readRecords('bibtex', written))[0]!.title, title)
    }
  })
})

t.test('no text escapes its BibTeX entry', async t => {
  const fieldsOf = (text: string) => scan(bibtex.write(paperOf(filledWith(text)), new Map()))
  const plain = fieldsOf('Text')
  for (const text of hostileTexts) {
    t.strictSame(
      fieldsOf(text).map(({ fields }) => fields),
      plain.map(({ fields }) => fields),
      text
    )
  }
  const anyText = fc
    .array(fc.constantFrom('{', '}', '\\', '"', '@', ',', '=', '#', '%', '$', '(', ')', '\n', ' ', 'a', 'B', 'and ', '@article{x,'), {
      minLength: 1
    })
    .map(parts => `T${parts.join('')}`)
  fc.assert(
    fc.property(anyText, text => {
      deepEqual(
        fieldsOf(text).map(({ fields }) => fields),
        plain.map(({ fields }) => fields)
      )
    }),
    { numRuns: 500 }
  )
})

t.test(
  'BibTeX itself finds one entry per record',
  { skip: spawnSync('bibtex', ['--version']).error === undefined ? false : 'bibtex is not installed' },
  async t => {
    const folder = t.testdir({
      'all.aux': '\\citation{*}\n\\bibstyle{list}\n\\bibdata{references}\n',
      'list.bst':
        'ENTRY { title author journal } {} {}\nFUNCTION { default.type } { cite$ write$ newline$ }\nFUNCTION { article } { cite$ " " * ' +
        'title * write$ newline$ }\nREAD\nITERATE { call.type$ }\n'
    })
    const taken = new Map<string, number>()
    writeFileSync(
      join(folder, 'references.bib'),
      hostileTexts.map(text => bibtex.write(paperOf({ ...filledWith(text), metadata: { type: 'article' } }), taken)).join('\n')
    )
    const { stdout, status } = spawnSync('bibtex', ['all'], {
      cwd: folder,
      encoding: 'utf8',
      env: { ...process.env, BSTINPUTS: '.', BIBINPUTS: '.' }
    })
    t.equal(status, 0, stdout)
    t.strictSame(
      readFileSync(join(folder, 'all.bbl'), 'utf8')
        .match(/^\S+/gm)!
        .filter(key => taken.has(key))
        .sort(),
      [...taken.keys()].sort()
    )
    t.notMatch(stdout, /evil|error/i)
  }
)

t.test('no text escapes its RIS record', async t => {
  for (const text of [
    ...hostileTexts,
    'A\nER  - \nTY  - JOUR\nTI  - Injected',
    'A\r\n\r\nER  - \r\n\r\nTY  - JOUR',
    'A\u2028ER  - \u2028TY  - JOUR',
    'A\u0085\u0085ER  - '
  ]) {
    const written = ris.write(paperOf(filledWith(text)), new Map())
    t.equal(written.split(/\r\n|[\n\r\u0085\u2028\u2029]/).filter(line => /^(?:TY|ER) {2}-/.test(line)).length, 2, encodeURI(text))
  }
})

t.test('keeps text that looks like a RIS end tag', async t => {
  const hostile = record({
    title: 'ER  - TY  - JOUR',
    abstract: 'One.\n\nER  - \n\nTY  - JOUR\n\nTI  - Another',
    authors: [{ name: 'TY  - X' }]
  })
  const back = await readRecords('ris', ris.write(paperOf(hostile), new Map()))
  t.equal(back.length, 1)
  t.match(back[0], { title: 'ER - TY - JOUR', abstract: 'One. ER - TY - JOUR TI - Another' })
})
