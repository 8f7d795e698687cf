/** Number of bytes that are searched for a byte order mark or an XML declaration. */
const headLength = 256

/**
 * Decodes a file chunk by chunk: by its byte order mark, the encoding of its XML declaration, or else as UTF-8, with Windows-1252 if the
 * first non-ASCII characters are not valid UTF-8. Drops control characters such as NUL.
 */
export async function * decodeFile (bytes: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let head: Uint8Array = new Uint8Array()
  let decoder: Decoder | undefined
  for await (const chunk of bytes) {
    if (decoder === undefined) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
      if (head.length < headLength) continue
      decoder = decoderOf(head)
      yield removeControls(decoder.write(head))
    } else yield removeControls(decoder.write(chunk))
  }
  if (decoder === undefined) {
    decoder = decoderOf(head)
    yield removeControls(decoder.write(head))
  }
  yield removeControls(decoder.end())
}

/** Decodes a whole file, or its start, that is in memory. */
export async function decodeBytes (bytes: Uint8Array): Promise<string> {
  let text = ''
  for await (const part of decodeFile(onePiece(bytes))) text += part
  return text
}

async function * onePiece (bytes: Uint8Array): AsyncIterable<Uint8Array> {
  yield bytes
}

interface Decoder { write: (bytes: Uint8Array) => string, end: () => string }

function decoderOf (head: Uint8Array): Decoder {
  if (head[0] === 0xff && head[1] === 0xfe) return plain('utf-16le')
  if (head[0] === 0xfe && head[1] === 0xff) return plain('utf-16be')
  if (head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf) return plain('utf-8')
  const declared = /^\s*<\?xml[^>]*\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(
    Buffer.from(head.subarray(0, headLength)).toString('latin1')
  )?.[1]
  // A declaration that is readable as ASCII is not UTF-16, even if it says so.
  if (declared === undefined || /^(?:utf-?(?:8|16(?:le|be)?)|us-ascii)$/i.test(declared)) return utf8OrWindows()
  try {
    return plain(declared)
  } catch {
    return utf8OrWindows()
  }
}

function plain (encoding: string): Decoder {
  const decoder = new TextDecoder(encoding)
  return { write: bytes => decoder.decode(bytes, { stream: true }), end: () => decoder.decode() }
}

/** Decodes a file without a declared encoding: UTF-8, or Windows-1252 from old programs. */
function utf8OrWindows (): Decoder {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  let other: Decoder | undefined
  /** Bytes of a character that the last chunk cut. They are decoded again if the next chunk does not complete it. */
  let cut: Uint8Array = new Uint8Array()
  let isUtf8 = false
  return {
    write (bytes) {
      if (other !== undefined) return other.write(bytes)
      try {
        const text = utf8.decode(bytes, { stream: true })
        cut = cutCharacter(cut, bytes)
        isUtf8 ||= beyondAscii.test(text)
        return text
      } catch {
        const all = Buffer.concat([cut, bytes])
        // A broken byte in a UTF-8 file loses only that byte.
        other = plain(isUtf8 || looksLikeUtf8(all) ? 'utf-8' : 'windows-1252')
        return other.write(all)
      }
    },
    end () {
      if (other !== undefined) return other.end()
      try {
        return utf8.decode()
      } catch {
        return plain(isUtf8 ? 'utf-8' : 'windows-1252').write(cut)
      }
    }
  }
}

const beyondAscii = /[^\u0000-\u007f]/

/** Whether most non-ASCII characters are valid UTF-8. */
function looksLikeUtf8 (bytes: Uint8Array): boolean {
  const text = new TextDecoder('utf-8').decode(bytes)
  const broken = text.match(/\ufffd/g)?.length ?? 0
  return (text.match(/[\u0080-\ufffc]/g)?.length ?? 0) > broken
}

/** The incomplete UTF-8 character at the end. */
function cutCharacter (before: Uint8Array, bytes: Uint8Array): Uint8Array {
  const all = bytes.length >= 3 ? bytes.subarray(-3) : Buffer.concat([before, bytes]).subarray(-3)
  for (let back = 1; back <= all.length; back++) {
    const byte = all[all.length - back]!
    if (byte < 0x80) return new Uint8Array()
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? all.subarray(-back) : new Uint8Array()
    }
  }
  return new Uint8Array()
}

/** Characters that XML forbids. Vertical tab, form feed and the separator controls become spaces. */
const controls = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g
const separators = '\u000b\u000c\u001c\u001d\u001e\u001f'

/** Removes control characters that XML forbids; separators become spaces. */
export const removeControls = (text: string): string => text.replace(controls, control => separators.includes(control) ? ' ' : '')
