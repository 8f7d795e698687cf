import pLimit from 'p-limit'
import type { HttpClient } from '../../http/client.js'
import type { PdfConverter } from '../access.js'
import { docling } from './docling.js'
import { grobid } from './grobid.js'
import { ConverterRefused, type Protocol } from './protocol.js'

/** The supported converters. Adding one is a file and a row here, and its name in the settings' schema. */
const protocols: Readonly<Record<'docling' | 'grobid', Protocol>> = { docling, grobid }

/** Which converter to use, and where it runs. */
export interface ExternalOptions {
  /** Without a slash at its end. */
  url: string
  kind: keyof typeof protocols
  client: HttpClient
}

/** Such services use a whole machine for minutes per document; more at a time would only queue there. */
const atOnce = 2

/** A PDF converter that runs as a service of its own. */
export interface ExternalConverter extends PdfConverter {
  /** Checks that the converter answers. @throws HttpError, ConverterRefused */
  check (signal?: AbortSignal): Promise<string>
}

/** Sends PDFs to a converter as bytes, so that it need not fetch anything. */
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
