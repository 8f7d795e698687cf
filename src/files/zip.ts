import { Readable } from 'node:stream'
import { createDeflateRaw, inflateRawSync } from 'node:zlib'

/*
 * ZIP archives below 4 GB, with deflated members and times in UTC, so that the same members always give the same bytes.
 * @see https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT
 */

/** A file in an archive. */
export interface ZipMember { name: string, parts: AsyncIterable<string> | Iterable<string> }

const signature = { local: 0x04034b50, descriptor: 0x08074b50, central: 0x02014b50, end: 0x06054b50 }
/** Sizes and checksum follow the data; names are UTF-8. */
const flags = 0x0808
const deflated = 8
const versionNeeded = 20

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit++) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

function crc32 (bytes: Uint8Array, before = 0): number {
  let crc = ~before
  for (const byte of bytes) crc = crcTable[(crc ^ byte) & 0xff]! ^ (crc >>> 8)
  return ~crc >>> 0
}

/** Yields an archive, compressed off the event loop. @param modified the time of its members */
export async function * writeZip (members: Iterable<ZipMember>, modified: Date): AsyncIterable<Buffer> {
  const directory: Buffer[] = []
  let offset = 0
  const time = (modified.getUTCHours() << 11) | (modified.getUTCMinutes() << 5) | (modified.getUTCSeconds() >> 1)
  const date = ((Math.max(1980, modified.getUTCFullYear()) - 1980) << 9) | ((modified.getUTCMonth() + 1) << 5) | modified.getUTCDate()
  for (const { name, parts } of members) {
    const nameBytes = Buffer.from(name)
    const common = (crc: number, compressed: number, size: number) => {
      const fields = Buffer.alloc(26)
      fields.writeUInt16LE(versionNeeded, 0)
      fields.writeUInt16LE(flags, 2)
      fields.writeUInt16LE(deflated, 4)
      fields.writeUInt16LE(time, 6)
      fields.writeUInt16LE(date, 8)
      fields.writeUInt32LE(crc, 10)
      fields.writeUInt32LE(compressed, 14)
      fields.writeUInt32LE(size, 18)
      fields.writeUInt16LE(nameBytes.length, 22)
      return fields
    }
    yield Buffer.concat([number(signature.local), common(0, 0, 0), nameBytes])
    let crc = 0
    let size = 0
    let compressed = 0
    const counted = async function * () {
      for await (const part of parts) {
        const bytes = Buffer.from(part)
        crc = crc32(bytes, crc)
        size += bytes.length
        yield bytes
      }
    }
    const source = Readable.from(counted(), { objectMode: false })
    const deflate = createDeflateRaw()
    source.on('error', error => deflate.destroy(error))
    try {
      for await (const bytes of source.pipe(deflate)) {
        compressed += (bytes as Buffer).length
        yield bytes as Buffer
      }
    } finally {
      // A download that is cancelled ends what it reads from.
      source.destroy()
    }
    const descriptor = Buffer.alloc(12)
    descriptor.writeUInt32LE(crc, 0)
    descriptor.writeUInt32LE(compressed, 4)
    descriptor.writeUInt32LE(size, 8)
    yield Buffer.concat([number(signature.descriptor), descriptor])
    const place = Buffer.alloc(14)
    place.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([number(signature.central), shortNumber(versionNeeded), common(crc, compressed, size), place, nameBytes]))
    offset += 30 + nameBytes.length + compressed + 16
  }
  const entries = Buffer.concat(directory)
  const end = Buffer.alloc(18)
  end.writeUInt16LE(directory.length, 4)
  end.writeUInt16LE(directory.length, 6)
  end.writeUInt32LE(entries.length, 8)
  end.writeUInt32LE(offset, 12)
  yield Buffer.concat([entries, number(signature.end), end])
}

const number = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const shortNumber = (value: number) => Buffer.from([value & 0xff, value >> 8])

/**
 * Reads an archive's members into memory and checks their checksums.
 * @param maxBytes of all members together @throws Error with a reason for people
 */
export function readZip (archive: Buffer, maxBytes: number): Map<string, Buffer> {
  const members = new Map<string, Buffer>()
  try {
    let remaining = maxBytes
    const end = archive.lastIndexOf(number(signature.end))
    if (end === -1) throw new Error('it is not a ZIP archive')
    let at = archive.readUInt32LE(end + 16)
    for (let left = archive.readUInt16LE(end + 10); left > 0; left--) {
      if (archive.readUInt32LE(at) !== signature.central) throw new Error('its directory is damaged')
      const [method, crc, compressed, size] =
        [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 16), archive.readUInt32LE(at + 20), archive.readUInt32LE(at + 24)]
      const [nameLength, extraLength, commentLength] =
        [archive.readUInt16LE(at + 28), archive.readUInt16LE(at + 30), archive.readUInt16LE(at + 32)]
      const local = archive.readUInt32LE(at + 42)
      const name = archive.toString('utf8', at + 46, at + 46 + nameLength)
      const begin = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28)
      const data = archive.subarray(begin, begin + compressed)
      if (method !== deflated && method !== 0) throw new Error(`${name} has an unknown compression method`)
      if (size > remaining) throw new Error('its content is too large')
      const bytes = method === 0 ? data : inflateRawSync(data, { maxOutputLength: Math.max(1, remaining) })
      if (bytes.length !== size || crc32(bytes) !== crc) throw new Error(`${name} is damaged`)
      remaining -= size
      members.set(name, bytes)
      at += 46 + nameLength + extraLength + commentLength
    }
  } catch (cause) {
    throw cause instanceof RangeError ? new Error('it is damaged or its content is too large', { cause }) : cause
  }
  return members
}
