import pLimit from 'p-limit'
import type { OutsideClient } from '../outside/client.js'
import type { PdfConverter } from './access.js'
import { docling } from './external/docling.js'
import { grobid } from './external/grobid.js'
import type { Protocol } from './external/protocol.js'

/** The converters that can be plugged in. Adding one is a file and a row here, and its name in the settings' schema. */
const protocols: Readonly<Record<'docling' | 'grobid', Protocol>> = { docling, grobid }

export interface ExternalOptions {
  /** Without a slash at its end. */
  url: string
  kind: keyof typeof protocols
  client: OutsideClient
}

/** Such services take minutes and all of a machine for a document: more at a time would only wait there. */
const atOnce = 2

/** A converter that runs as a service of its own; it is sent the PDF's bytes, so that it need not fetch anything. */
export function externalConverter ({ url, kind, client }: ExternalOptions): PdfConverter {
  const limit = pLimit(atOnce)
  return {
    convert: (bytes, signal) => limit(async () => {
      signal?.throwIfAborted()
      return await protocols[kind](client, url, bytes, signal)
    })
  }
}
