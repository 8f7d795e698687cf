import { readFileSync } from 'node:fs'
import type { PaperRecord } from '../../schemas/paper.js'
import { decodeFile } from '../../src/sources/formats/decode.js'
import type { ParsedRecord } from '../../src/sources/formats/format.js'
import { findFormat } from '../../src/sources/formats/index.js'
import { packageRoot } from '../../src/settings/version.js'

/** Content of a file in samples/. */
export const sample = (name: string): Buffer => readFileSync(new URL(`samples/${name}`, packageRoot))

/** Parses a document as an import does, in chunks of `size` bytes. */
export async function readAll (format: string, content: string | Uint8Array, size = 64 * 1024): Promise<ParsedRecord[]> {
  const bytes = Buffer.from(content as never)
  async function * chunks () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  return await collect(findFormat(format)!.read(decodeFile(chunks())))
}

/** Collects all items of an iterable. */
export async function collect<T> (items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Parses a document of valid records. @throws Error at the first invalid record */
export async function readRecords (format: string, content: string | Uint8Array): Promise<PaperRecord[]> {
  return (await readAll(format, content)).map(parsed => {
    if ('reason' in parsed) throw new Error(`record ${parsed.place}: ${parsed.reason}`)
    return parsed.record
  })
}
