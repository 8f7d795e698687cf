import t from 'tap'
import { createHash } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { readZip, writeZip } from '../../src/files/zip.js'
import type { Terminal } from '../../src/cli/command.js'
import { snapshotVerifyCommand } from '../../src/cli/snapshot.js'
import { snapshotVerify } from '../../src/operations/snapshots/snapshot-verify.js'
import { verifySnapshot } from '../../src/papers/snapshots/verify.js'
import { commandLine } from '../support/command-line.js'
import { testService } from '../support/service.js'
import { createReview, downloadSnapshot, freeze, ingestFrom, readBytes, work } from '../support/snapshots.js'

t.test('snapshots', async t => {
  const service = await testService(t)
  const user = await service.user()
  const project = await createReview(user)
  const snapshot = await freeze(user, project)
  const archive = await downloadSnapshot(user, project, snapshot)

  await t.test('are verified from their archive alone', async t => {
    const files = readZip(archive, 1e7)
    t.same([...files.keys()], ['README.txt', 'snapshot.json', 'SHA256SUMS', 'records.csv', 'records.ris', 'included.ris', 'prisma.csv'])
    t.equal(createHash('sha256').update(files.get('snapshot.json')!).digest('hex'), snapshot.sha256)
    t.match(snapshot.citation, new RegExp(`^Retina editing, snapshot of \\d{4}-\\d\\d-\\d\\d, sha256:${snapshot.sha256}, http`))
    t.match(String(files.get('README.txt')), `sha256:${snapshot.sha256}, ${new URL(snapshot.url).origin}/snapshots/${snapshot.sha256}\n`)
    t.match(String(files.get('prisma.csv')), 'Records excluded automatically (minimum score, excluded keyword or weekly limit)')
    t.match(String(files.get('records.csv')), /excluded,low_quality,downvote,/)
    t.match(String(files.get('records.ris')), /N1 {2}- Decision: excluded \(not relevant\)/)
    t.equal(String(files.get('included.ris')).match(/^TY/gm)!.length, 2)
    t.notMatch(String(files.get('snapshot.json')), 's3cret', 'without secrets of addresses')
    const verified = verifySnapshot(archive, `sha256:${snapshot.sha256}`)
    t.equal(verified.valid, true, JSON.stringify(verified.checks))
    t.same(verified.flow, snapshot.summary!.flow)
    t.equal(verifySnapshot(archive, 'sha256:00').valid, false, 'another hash was cited')

    const changed = async (change: (files: Map<string, string>) => void) => {
      const copy = new Map([...files].map(([name, bytes]) => [name, String(bytes)]))
      change(copy)
      return verifySnapshot(await readBytes(writeZip([...copy].map(([name, text]) => ({ name, parts: [text] })), new Date())))
    }
    const failing = async (change: (files: Map<string, string>) => void) =>
      (await changed(change)).checks.filter(({ outcome }) => outcome === 'failed').map(({ check }) => check)
    t.same(await failing(() => {}), [])
    const decide = (text: string) => text.replace('"decision":"excluded"', '"decision":"included"')
    t.same(await failing(files => files.set('snapshot.json', decide(files.get('snapshot.json')!))),
      ['hash', 'counts', 'flow table', 'records.csv', 'records.ris', 'included.ris'])
    t.same(await failing(files => files.set('records.csv', `${files.get('records.csv')}x`)), ['records.csv'])
    t.same(await failing(files => files.set('README.txt', 'of another version')), [], 'a README may name any address')
    t.same(await failing(files => files.set('prisma.csv', '')), ['flow table'])
    t.same(await failing(files => files.delete('included.ris')), ['included.ris'])
    t.same(await failing(files => files.set('snapshot.json', ` ${files.get('snapshot.json')}`)), ['hash', 'document'])
    const byAnother = async (change: (files: Map<string, string>) => void) => {
      const { valid, checks } = await changed(files => {
        const document = files.get('snapshot.json')!.replace(/"program":"[^"]*"/g, '"program":"0.0.1"')
        files.set('snapshot.json', document)
        files.set('SHA256SUMS', `${createHash('sha256').update(document).digest('hex')}  snapshot.json`)
        change(files)
      })
      return [valid, ...checks.filter(({ outcome }) => outcome === 'skipped').map(({ check }) => check)]
    }
    t.same(await byAnother(() => {}), [true], 'files of another version are checked if this one would write the same')
    t.same(await byAnother(files => files.set('records.csv', 'x')), [true, 'records.csv'])
    t.same(await byAnother(files => files.delete('records.csv')), [false])
    t.throws(() => verifySnapshot(Buffer.from('nothing')), /not a ZIP/)
    t.throws(() => verifySnapshot(archive.subarray(0, archive.length - 40)), Error)
    const damaged = Buffer.from(archive)
    damaged[200]! ^= 0xff
    t.throws(() => verifySnapshot(damaged), Error)
  })

  await t.test('are verified on the command line', async t => {
    const file = `${t.testdir()}/snapshot.zip`
    await writeFile(file, archive)
    const printed: string[] = []
    let failures = 0
    const terminal = { print: (_value: object, text: string) => { printed.push(text) }, fail: () => { failures++ } } as Terminal
    await snapshotVerifyCommand.run(terminal, {}, [file])
    t.equal(failures, 0)
    t.match(printed[0], `Valid: sha256:${snapshot.sha256}`)
    await snapshotVerifyCommand.run(terminal, { hash: `sha256:${'0'.repeat(64)}` }, [file])
    t.equal(failures, 1)
    t.match(printed[1], /FAILED.*NOT VALID/s)
  })

  await t.test('are verified without a database, which would know the sources', async t => {
    await ingestFrom('arxiv', user, project, [work('preprint')])
    const directory = t.testdir()
    await writeFile(`${directory}/snapshot.zip`, await downloadSnapshot(user, project, await freeze(user, project)))
    const { code, stdout } = await commandLine(directory).runProcess(['snapshot', 'verify', 'snapshot.zip'])
    t.equal(code, 0, stdout)
  })

  await t.test('reject files that are not archives, with the reason', async t => {
    const record = { decision: 'included', source: 'pubmed' }
    const about = { format: 'litfeed-snapshot', program: '', unlisted: [], version: 1 }
    const text = JSON.stringify({ about, records: [record], results: { identified: { sources: [] } } })
    const directory = t.testdir({ 'text.zip': 'text' })
    await writeFile(`${directory}/damaged.zip`, await readBytes(writeZip([{ name: 'snapshot.json', parts: [text] }], new Date())))
    const faults = { 'none.zip': /does not exist/, '': /a folder/, 'text.zip': /not a ZIP/, 'damaged.zip': /: it is damaged\./ }
    for (const [name, fault] of Object.entries(faults)) {
      await t.rejects(snapshotVerify.run({}, { file: `${directory}/${name}` }), { message: fault })
    }
  })
})
