import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import t from 'tap'
import { CaselessPattern } from '../../../src/input/criteria/caseless-pattern.js'
import { isLess } from '../../support/event-loop.js'

t.test('a pattern matches words in any case, and gives them as they were written', async t => {
  const pattern = new CaselessPattern('(?<!\\p{L})(?<verb>skip|avoid)s? (?:all )?(?<rest>[^)]+)', 'du')
  t.strictSame({ ...pattern.exec('İ Please AVOID all RNA')?.groups }, { verb: 'AVOID', rest: 'RNA' })
  t.equal(pattern.exec('İ Please AVOID all RNA')?.[0], 'AVOID all RNA')
  t.equal('Skip (Mice), then SKIP Rats'.replace(new CaselessPattern('skip (?:\\(mice\\)|rats)', 'gu'), '-'), '-, then -')
  t.strictSame('Mice OR Rats or Pigs'.split(new CaselessPattern('\\sor\\s', 'u')), ['Mice', 'Rats', 'Pigs'])
  t.equal(new CaselessPattern(/^[a-z)]+(?:\))$/u, 'u').test('Ab))'), true)
})

/** Prints the milliseconds of CPU that the first description of a process takes. */
const script = `
  const { wantedCriteria } = await import(process.argv[1])
  const before = process.cpuUsage()
  wantedCriteria('Trials of exercise in older adults. Exclude animal studies. No reviews. Avoid: case reports.')
  const { user, system } = process.cpuUsage(before)
  console.log((user + system) / 1000)`

t.test('the first description that a process reads takes little time, although all patterns are compiled for it', async t => {
  const module = fileURLToPath(new URL('../../../src/input/criteria/wanted-criteria.js', import.meta.url))
  await isLess(t, 70, async () => {
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script, module], {
      env: { ...process.env, NODE_V8_COVERAGE: '' }
    })
    return Number(stdout)
  })
})
