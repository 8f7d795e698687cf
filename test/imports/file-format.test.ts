import { join } from 'node:path'
import t from 'tap'
import { detectionBytes, detectImportFormat, inspectFile } from '../../src/imports/file-format.js'
import { takesLess } from '../support/event-loop.js'

t.test('no text takes long to detect', async t => {
  const units = [
    ' ', '\t', '\n', '\r', '\u2028', '\u2028@', '\u2028@a%', '@', '@a', '@a%', '@a%\u2028', '@a%\n', '@\n', '%\n',
    'TY', ' TY  -', '\u2028TY', '{', '[', '{"', '[{', 'PMID', 'PMID\n', 'PMID- ', '-', '- ', '<', '<feed', '<feed ', '<opml',
    ',', ';', '"', '","', 'Title,', 'Title,Year\n', 'a\tb\n', 'PT J', 'PT J\nAU ', 'FN ', '<record', '<records>',
    'Record #1 of 1\n', 'ID: ',
    '#', '# Papers\n', '10.', '10.1000/', '%A', '%0 ', 'arXiv', 'http://', 'a', 'é', '長'
  ]
  for (const start of ['', 'x', '<', '{', '[', '@a']) {
    for (const unit of units) {
      const text = `${start}${unit.repeat(Math.ceil(detectionBytes / unit.length))}x`
      // TAP would take U+2028 for the end of the line.
      await takesLess(t, 50, () => detectImportFormat(text), `${start} and then ${encodeURI(unit)} repeated`)
    }
  }
})

t.test('the export of an account is no list of papers, and the error says what to import', async t => {
  const name = 'litfeed-account-2026-11-20.json'
  const path = join(t.testdir({ [name]: '{"litfeed_account":1,"program":"0.4.0","exported_at":"2026-11-20"\n,"projects":[' }), name)
  await t.rejects(inspectFile(path, { name }), {
    code: 'invalid_arguments',
    message: /^litfeed-account-2026-11-20\.json .* It is the export of an account.* the export of a feed.* litfeed backup/
  })
})

t.test('an export with tags of another database is no list of papers', t => {
  t.equal(detectImportFormat('<3001. >\nVN  - Ovid Technologies\nDB  - Embase\nUI  - 12345\n'), undefined)
  t.equal(detectImportFormat('35275808\n10.1000/x\n'), 'list')
  t.end()
})
