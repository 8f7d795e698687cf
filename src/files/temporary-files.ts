import { constants } from 'node:fs'
import { type FileHandle, chmod, mkdir, open, readdir, statfs, unlink } from 'node:fs/promises'
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { tryLock } from 'fs-native-extensions'
import { bytesPerMebibyte, mebibytes } from '../../schemas/mebibytes.js'
import { ReceivedFile } from '../../schemas/received-file.js'
import { shortText } from '../../schemas/short-text.js'

/** Bytes that stay free on the disk. The embedded database on the same disk stops writing at this point, too. */
const reservedBytes = 64 * bytesPerMebibyte
/** Free space is checked whenever a file has grown by this much. */
const checkBytes = 8 * bytesPerMebibyte

/** Characters of a sent name that messages quote. */
const maxNameLength = 100

/** The file has more bytes than allowed. */
export class FileTooLarge extends Error {
  constructor ({ maxBytes, sentName = '' }: ReceiveOptions) {
    const file = sentName === '' ? 'The file' : `The file “${shortText(sentName, maxNameLength)}”`
    super(`${file} exceeds the maximum of ${mebibytes(maxBytes)}. Send a smaller one.`)
  }
}

/** The disk of the temporary files is too full. */
export class DiskFull extends Error {
  constructor (directory: string) {
    super(`The disk of ${directory} is nearly full.`)
  }
}

/** Size limits of a received file. */
export interface ReceiveOptions {
  maxBytes: number
  /** The size that the sender announced; 0: unknown. */
  announcedBytes?: number
  /** File name that the sender stated. */
  sentName?: string | undefined
}

/** Files that last for one piece of work. */
export interface TemporaryFiles {
  /** Creates an empty file. @param expectedBytes that must fit on the disk. @throws DiskFull */
  create: (expectedBytes?: number) => Promise<TemporaryFile>
  /**
   * Writes a stream to a new file. Leaves the stream open. @throws FileTooLarge, DiskFull, and the stream's errors; no file remains then
   */
  receive: (stream: AsyncIterable<Buffer>, options: ReceiveOptions) => Promise<TemporaryFile>
  /** Removes the files of processes that ended without removing them. @returns their number */
  removeAbandoned: () => Promise<number>
}

/** A file that only this process uses, until it removes it. */
export class TemporaryFile extends ReceivedFile {
  readonly path: string
  size = 0
  readonly #handle: FileHandle
  readonly #checkDisk: (size: number) => Promise<void>
  #checkedAt = 0
  #isOpen = true

  /** @param checkDisk throws DiskFull if a file of this size must not grow */
  constructor (path: string, handle: FileHandle, checkDisk: (size: number) => Promise<void>) {
    super()
    this.path = path
    this.#handle = handle
    this.#checkDisk = checkDisk
  }

  /** @throws DiskFull */
  async append (bytes: Uint8Array): Promise<void> {
    if (this.size - this.#checkedAt >= checkBytes) {
      this.#checkedAt = this.size
      await this.#checkDisk(this.size)
    }
    await this.#handle.appendFile(bytes)
    this.size += bytes.length
  }

  async readStart (bytes: number): Promise<Buffer> {
    return await this.#read(0, bytes)
  }

  async * parts (bytes: number): AsyncIterable<Buffer> {
    for (let at = 0; at < this.size; at += bytes) yield await this.#read(at, bytes)
  }

  async #read (at: number, bytes: number): Promise<Buffer> {
    const buffer = Buffer.allocUnsafeSlow(Math.min(bytes, this.size - at))
    const { bytesRead } = await this.#handle.read(buffer, 0, buffer.length, at)
    if (bytesRead < buffer.length) throw new Error(`The temporary file ${this.path} is shorter than its size.`)
    return buffer
  }

  /** Deletes the file. A second call does nothing. */
  async remove (): Promise<void> {
    if (!this.#isOpen) return
    this.#isOpen = false
    await unlink(this.path).catch(ignoreMissing)
    await this.#handle.close()
  }
}

/**
 * Opens the directory of temporary files. A file is locked while it is in use, and the kernel releases the lock when its process ends,
 * however it ends: an unlocked file is abandoned. Several processes may share the directory.
 * @param storedCopies how often a received file will be stored on the same disk: space for these is checked before it is, since a database
 * that stops in between cannot delete what it has
 */
export function openTemporaryFiles (directory: string, storedCopies = 0): TemporaryFiles {
  let made: Promise<void> | undefined
  const makeDirectory = async () => {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await chmod(directory, 0o700)
  }

  async function create (expectedBytes = 0, copies = 0): Promise<TemporaryFile> {
    made ??= makeDirectory().catch(cause => {
      made = undefined
      throw cause
    })
    await made
    await checkDisk(directory, expectedBytes * (1 + copies))
    for (;;) {
      const path = join(directory, randomUUID())
      const handle = await open(path, 'wx+', 0o600)
      // Another process may have taken the file for an abandoned one before it was locked.
      if (tryLock(handle.fd) && (await handle.stat()).nlink > 0) {
        return new TemporaryFile(path, handle, async size => await checkDisk(directory, size * copies))
      }
      await handle.close()
    }
  }

  return {
    create: async expectedBytes => await create(expectedBytes),
    async receive (stream, options) {
      const { maxBytes, announcedBytes = 0 } = options
      if (announcedBytes > maxBytes) throw new FileTooLarge(options)
      const file = await create(announcedBytes, storedCopies)
      try {
        for await (const chunk of stream) {
          if (file.size + chunk.length > maxBytes) throw new FileTooLarge(options)
          await file.append(chunk)
        }
        return file
      } catch (cause) {
        await file.remove()
        throw cause
      }
    },
    async removeAbandoned () {
      let removed = 0
      for (const name of await readdir(directory).catch(ignoreMissing) ?? []) {
        if (await removeIfAbandoned(join(directory, name))) removed++
      }
      return removed
    }
  }
}

async function removeIfAbandoned (path: string): Promise<boolean> {
  const handle = await open(path, constants.O_RDWR | constants.O_NOFOLLOW).catch(() => undefined)
  if (handle === undefined) return false
  try {
    if (!tryLock(handle.fd)) return false
    await unlink(path).catch(ignoreMissing)
    return true
  } finally {
    await handle.close()
  }
}

async function checkDisk (directory: string, expectedBytes: number): Promise<void> {
  const { bavail, bsize } = await statfs(directory)
  if (bavail * bsize < reservedBytes + expectedBytes) throw new DiskFull(directory)
}

function ignoreMissing (cause: NodeJS.ErrnoException): undefined {
  if (cause.code !== 'ENOENT') throw cause
}
