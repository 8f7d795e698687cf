import { open } from 'node:fs/promises'
import { SnapshotVerification, SnapshotVerifyInput } from '../../../schemas/snapshot.js'
import { InvalidArguments } from '../../errors/operation-errors.js'
import { verifySnapshot } from '../../papers/snapshots/verify.js'
import { operation } from '../operation.js'

/** Bytes of an archive; one of the largest snapshot has fewer. */
const maxArchiveBytes = 512 * 1024 * 1024

/** @throws InvalidArguments for a file that is no archive of a snapshot */
export const snapshotVerify = operation({
  name: 'snapshot_verify',
  title: 'Verify a snapshot',
  description: 'Checks the archive of a snapshot offline: hash, counts, and the tables and references that follow from its records.',
  input: SnapshotVerifyInput,
  output: SnapshotVerification,
  async handler (_context: object, { file, hash }) {
    try {
      return verifySnapshot(await readArchive(file), hash)
    } catch (cause) {
      throw new InvalidArguments(`${file} ${describeFault(cause as NodeJS.ErrnoException)}.`, { cause })
    }
  }
})

function describeFault (cause: NodeJS.ErrnoException): string {
  if (cause.code === 'ENOENT') return 'does not exist'
  if (cause.code === 'EACCES') return 'cannot be read: permission denied'
  if (cause.code === 'EISDIR') return 'cannot be read: it is a folder'
  // Errors of other classes, and of the runtime, come from content that no archive has.
  const isStated = cause.constructor === Error && cause.code === undefined
  return `is not the archive of a snapshot: ${isStated ? cause.message : 'it is damaged'}`
}

async function readArchive (file: string): Promise<Buffer> {
  const handle = await open(file)
  try {
    if ((await handle.stat()).size > maxArchiveBytes) throw new Error('it is too large')
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}
