import type { FastifyRequest } from 'fastify'
import { DiskFull, FileTooLarge, type ReceiveOptions, type TemporaryFile, type TemporaryFiles } from '../files/temporary-files.js'
import { NotWritable, PayloadTooLarge } from '../errors/operation-errors.js'

/** Files of a request, which end with it. */
const filesOf = new WeakMap<FastifyRequest, TemporaryFile[]>()

/**
 * Writes a stream of a request to a temporary file, which lasts until `removeReceivedFiles`.
 * @throws PayloadTooLarge, NotWritable, and the stream's errors
 */
export async function receiveFile (
  request: FastifyRequest,
  files: TemporaryFiles,
  stream: AsyncIterable<Buffer>,
  options: ReceiveOptions
): Promise<TemporaryFile> {
  try {
    const file = await files.receive(stream, options)
    filesOf.set(request, [...filesOf.get(request) ?? [], file])
    return file
  } catch (cause) {
    if (cause instanceof FileTooLarge) throw new PayloadTooLarge(cause.message, { cause })
    if (cause instanceof DiskFull) throw new NotWritable({ cause })
    throw cause
  }
}

/** A hook that removes the files of a request when its handler has ended or failed. */
export async function removeReceivedFiles (request: FastifyRequest): Promise<void> {
  const files = filesOf.get(request)
  if (files === undefined) return
  filesOf.delete(request)
  await Promise.all(files.map(async file => await file.remove()))
}
