import { PassThrough } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import t from 'tap'
import { dropUnread, logTo } from '../../src/cli/log.js'

t.test('commands log only warnings and errors', async t => {
  const stderr = new PassThrough({ encoding: 'utf8' })
  const log = logTo(stderr)
  log.info({}, 'started')
  log.warn({}, 'slow')
  log.error({ err: new Error('refused') }, 'The database failed.')
  t.equal(stderr.read(), 'litfeed: slow\nlitfeed: The database failed. refused\n')
})

t.test('commands name the source of a warning and what it answered, on one line', async t => {
  const stderr = new PassThrough({ encoding: 'utf8' })
  const log = logTo(stderr)
  log.warn({ source: 'pubmed', fault: 'refused', detail: '400: field\n  is unknown' }, 'A source reported an error.')
  log.error({ source: 'arxiv', err: new Error('no title') }, 'A source\'s answer caused an unexpected error.')
  log.warn({ source: 'pubmed', detail: 'word '.repeat(1000) }, 'A source reported an error.')
  const [first, second, long] = stderr.read().split('\n')
  t.equal(first, 'litfeed: A source reported an error. pubmed: 400: field is unknown')
  t.equal(second, 'litfeed: A source\'s answer caused an unexpected error. arxiv: no title')
  t.ok(long.length < 600 && long.endsWith('…'), long)
})

t.test('lines that the reader of the log does not take are dropped beyond a limit, and counted when it goes on', async t => {
  const pipe = new PassThrough({ encoding: 'utf8', highWaterMark: 10 })
  const log = dropUnread(pipe, { maxBytes: 1000, onResume: lines => { log.write(`${lines} dropped\n`) } })
  const line = `${'x'.repeat(99)}\n`
  for (let count = 0; count < 500; count++) log.write(line)
  t.ok(pipe.writableLength <= 1100, `${pipe.writableLength} bytes`)
  let read = ''
  pipe.on('data', chunk => { read += chunk })
  await setImmediate()
  log.write('next\n')
  await setImmediate()
  const taken = read.split(line).length - 1
  t.ok(taken >= 10 && taken <= 12, `${taken} lines`)
  t.equal(read.slice(taken * line.length), `${500 - taken} dropped\nnext\n`)
})
