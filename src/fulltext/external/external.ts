import pLimit from 'p-limit'
import type { OutsideClient } from '../../http/client.js'
import type { PdfConverter } from '../access.js'
import { docling } from './docling.js'
import { grobid } from './grobid.js'
import { ConverterRefused, type Protocol } from './protocol.js'

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

export interface ExternalConverter extends PdfConverter {
  /** @returns what was found. @throws OutsideError, ConverterRefused where no such converter answers */
  check (signal?: AbortSignal): Promise<string>
}

/** A converter that runs as a service of its own; it is sent the PDF's bytes, so that it need not fetch anything. */
export function externalConverter ({ url, kind, client }: ExternalOptions): ExternalConverter {
  const limit = pLimit(atOnce)
  const { title, health, convert } = protocols[kind]
  return {
    convert: (bytes, signal) => limit(async () => {
      signal?.throwIfAborted()
      return await convert(client, url, bytes, signal)
    }),
    async check (signal) {
      const { status, bytes } = await client.fetch(url + health.path, { maxBytes: 64 * 1024, signal })
      if (status !== 200 || !health.well.test(bytes.toString('utf8'))) throw new ConverterRefused(`No ${title} that is well answers at ${new URL(url).host} (status ${status} of ${health.path}). Are CONVERTER_URL and CONVERTER_KIND right?`)
      return `${title} is well`
    }
  }
}
