import { createHash } from 'node:crypto'
import type { PrismaFlow, SnapshotVerification } from '../../../schemas/snapshot.js'
import { readZip } from '../../files/zip.js'
import { version } from '../../settings/version.js'
import { archiveNames, derivedFiles, flowTable } from './archive.js'
import { canonicalJson } from './canonical-json.js'
import { type SnapshotDocument, decisions, formatVersions } from './document.js'
import { FlowCounter } from './flow.js'

/** Bytes of an archive's files together: the largest document, and what follows from it. */
const maxContentBytes = 1024 * 1024 * 1024

/**
 * Checks an archive by itself: the hash of its document against the stated one and an expected one, the form of the document, its counts
 * against its records, and the files that follow from it. A file that another version of Litfeed wrote otherwise is not checked.
 * @throws Error for a file that is no archive of a snapshot
 */
export function verifySnapshot (archive: Buffer, expected?: string): SnapshotVerification {
  const files = readZip(archive, maxContentBytes)
  const bytes = files.get(archiveNames.document)
  if (bytes === undefined) throw new Error(`it has no ${archiveNames.document}`)
  const checks: SnapshotVerification['checks'] = []
  const check = (name: string, passed: boolean, detail: string) => {
    checks.push({ check: name, outcome: passed ? 'passed' : 'failed', detail })
  }
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const stated = files.get(archiveNames.hash)?.toString('utf8').split(/\s/, 1)[0]
  check('hash', stated === sha256, `SHA-256 ${sha256}${stated === sha256 ? '' : `; ${archiveNames.hash} states ${stated ?? 'none'}`}`)
  if (expected !== undefined) {
    const cited = expected.toLowerCase().replace(/^sha256:/, '')
    check('cited hash', cited === sha256, cited === sha256 ? 'equal to the cited one' : `the cited one is ${cited}`)
  }
  const document = parse(bytes)
  check('document', document !== undefined, document === undefined ? 'not a snapshot in canonical JSON' : 'canonical JSON')
  let flow: PrismaFlow | null = null
  if (document !== undefined) {
    const { about, records, results } = document
    const counter = new FlowCounter(about.unlisted)
    for (const record of records) counter.add(record)
    const titles = new Map(results.identified.sources.map(({ name, title }) => [name, title]))
    flow = counter.flow(name => titles.get(name) ?? name)
    const isEqual = canonicalJson(flow) === canonicalJson(results)
    check('counts', isEqual, isEqual
      ? `${records.length} records counted again`
      : 'the counts of the records differ from those that the document states')
    // The hash does not cover the README, so what it says excuses nothing.
    const writer = /^Written by Litfeed (\S+)$/m.exec(files.get(archiveNames.readme)?.toString('utf8') ?? '')?.[1] ?? version
    const checkWritten = (name: string, file: string, isSame: boolean, detail: string) => {
      if (!isSame && files.has(file) && about.program !== version) {
        const reason = `not checked: Litfeed ${about.program} froze it, and version ${version} writes it otherwise`
        checks.push({ check: name, outcome: 'skipped', detail: reason })
      } else check(name, isSame, isSame || writer === version ? detail : `verify it with Litfeed ${writer}, which wrote it`)
    }
    const isSameFlow = files.get(archiveNames.flow)?.equals(Buffer.from(flowTable(flow))) === true
    checkWritten('flow table', archiveNames.flow, isSameFlow, archiveNames.flow)
    for (const [name, { begin, piece }] of Object.entries(derivedFiles)) {
      const file = files.get(name)
      const hash = createHash('sha256').update(begin)
      for (const record of records) hash.update(piece(record))
      const isSame = file !== undefined && hash.digest('hex') === createHash('sha256').update(file).digest('hex')
      checkWritten(name, name, isSame, 'written again from the records')
    }
  }
  return { valid: checks.every(({ outcome }) => outcome !== 'failed'), sha256, checks, flow }
}

/** A document whose bytes are those that its content gives; undefined for anything else. */
function parse (bytes: Buffer): SnapshotDocument | undefined {
  try {
    const text = bytes.toString('utf8')
    const document = JSON.parse(text) as SnapshotDocument
    const { format, version, unlisted } = document.about
    const isDocument = format === 'litfeed-snapshot' && formatVersions.includes(version) && Array.isArray(unlisted) &&
      document.records.every(({ decision }) => decisions.includes(decision)) && Array.isArray(document.results.identified.sources)
    return isDocument && canonicalJson(document) === text ? document : undefined
  } catch {
    return undefined
  }
}
