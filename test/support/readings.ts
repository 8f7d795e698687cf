import { readFileSync } from 'node:fs'
import type { PaperRecord } from '../../schemas/paper.js'
import { decodeFile } from '../../src/sources/formats/decode.js'
import type { Reading } from '../../src/sources/formats/format.js'
import { findFormat } from '../../src/sources/formats/index.js'
import { packageRoot } from '../../src/settings/version.js'

export const sample = (name: string): Buffer => readFileSync(new URL(`samples/${name}`, packageRoot))

/** Reads a document as the importer would, in pieces of a size. */
export async function readAll (format: string, content: string | Uint8Array, size = 64 * 1024): Promise<Reading[]> {
  const bytes = Buffer.from(content as never)
  async function * pieces () {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
  }
  const readings: Reading[] = []
  for await (const reading of findFormat(format)!.read(decodeFile(pieces()))) readings.push(reading)
  return readings
}

export async function readRecords (format: string, content: string | Uint8Array): Promise<PaperRecord[]> {
  return (await readAll(format, content)).map(reading => {
    if ('reason' in reading) throw new Error(`record ${reading.place}: ${reading.reason}`)
    return reading.record
  })
}
