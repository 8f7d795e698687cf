import type { SnapshotVerification } from '../../schemas/snapshot.js'
import { snapshotVerify } from '../operations/snapshots/snapshot-verify.js'
import { flowRows } from '../papers/snapshots/flow.js'
import { registerSources } from '../papers/source-traits.js'
import { sources } from '../sources/index.js'
import type { Command } from './command.js'

export const snapshotVerifyCommand: Command = {
  name: 'snapshot verify',
  summary: 'check the archive of a snapshot offline: hash, counts and tables',
  operations: [snapshotVerify],
  declare: program => program
    .argument('<file>', 'archive of a snapshot (.zip)')
    .option('--hash <sha256>', 'the hash that was cited: sha256:…'),
  async run (terminal, { hash }, [file]) {
    // No service is opened, which would register them: the files of an archive depend on them.
    registerSources(sources)
    const result = await snapshotVerify.run({}, { file: file!, ...(hash === undefined ? {} : { hash }) })
    terminal.print(result, describe(result))
    if (!result.valid) terminal.fail()
  }
}

const marks = { passed: 'ok', failed: 'FAILED', skipped: 'skipped' } as const

const describe = ({ valid, checks, flow, sha256 }: SnapshotVerification) => [
  ...checks.map(({ check, outcome, detail }) => `${marks[outcome].padEnd(8)} ${check}: ${detail}`),
  ...(flow === null ? [] : ['', ...flowRows(flow).map(([, box, records]) => `${String(records ?? 'unknown').padStart(9)}  ${box}`)]),
  '',
  !valid
    ? 'NOT VALID'
    : checks.some(({ outcome }) => outcome === 'skipped')
      ? `Valid but for the skipped files: sha256:${sha256}`
      : `Valid: sha256:${sha256}`
].join('\n')
