import multipart from '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TemporaryFiles } from '../files/temporary-files.js'
import { receiveFile } from './received-files.js'

interface FileForms {
  files: TemporaryFiles
  /** Bytes of the file. */
  maxBytes: number
  /** Fields besides the file, and bytes of each. */
  maxFields: number
  maxFieldBytes: number
}

/** Reads forms with one file, which is written to disk as it arrives. Only the scope that calls this reads such forms. */
export async function readFileForms (scope: FastifyInstance, { files, maxBytes, maxFields, maxFieldBytes }: FileForms): Promise<void> {
  await scope.register(multipart, {
    attachFieldsToBody: 'keyValues',
    // One more byte than the maximum, which the file itself refuses with its own message.
    limits: { fileSize: maxBytes + 1, files: 1, fields: maxFields, fieldSize: maxFieldBytes, fieldNameSize: 100 },
    async onFile (this: FastifyRequest, part) {
      const value = await receiveFile(this, files, part.file, { maxBytes, sentName: part.filename })
      value.sentName = part.filename
      Object.assign(part, { value })
    }
  })
}
