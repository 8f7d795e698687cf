import pLimit from 'p-limit'
import type { HttpClient } from '../../http/client.js'
import type { PdfConverter } from '../access.js'
import type { Sandbox } from '../sandbox/sandbox.js'
import { docling } from './docling.js'
import { grobid } from './grobid.js'
import { untilAborted } from '../../threads/until-aborted.js'
import { ConverterRefused, convertTimeoutMs, type Protocol } from './protocol.js'

/** The supported converters. Adding one is a file and a row here, and its name in the settings' schema. */
const protocols: Readonly<Record<'docling' | 'grobid', Protocol>> = { docling, grobid }

/** Type and address of the converter. */
export interface ExternalOptions {
  /** Without a trailing slash. */
  url: string
  kind: keyof typeof protocols
  client: HttpClient
  /** Converts what the converter returns, such as TEI. */
  sandbox: Pick<Sandbox, 'convert'>
  /** Milliseconds for one document, including the wait for others. */
  timeoutMs?: number
  /** Receives the converter's message about a document that failed. */
  onUnexpectedAnswer?: (detail: string) => void
}

/** Converters use a whole machine for minutes per document, so more requests would only queue there. */
const maxConcurrent = 2

/** A PDF converter that runs as a separate service. */
export interface ExternalConverter extends PdfConverter {
  /** Checks that the converter responds. @throws HttpError, ConverterRefused */
  check (signal?: AbortSignal): Promise<string>
}

/** Sends PDFs to a converter as bytes, so the converter fetches nothing. */
export function externalConverter (
  { url, kind, client, sandbox, timeoutMs = convertTimeoutMs, onUnexpectedAnswer = () => {} }: ExternalOptions
): ExternalConverter {
  const limit = pLimit(maxConcurrent)
  const { title, health, convert } = protocols[kind]
  return {
    async convert (document, caller) {
      const deadline = AbortSignal.timeout(timeoutMs)
      const signal = caller === undefined ? deadline : AbortSignal.any([caller, deadline])
      return await untilAborted(() => limit(async () => {
        signal.throwIfAborted()
        const { format, bytes } = await convert(client, url, document, signal)
        const converted = await sandbox.convert(format, bytes, signal)
        if (converted.detail !== undefined) onUnexpectedAnswer(converted.detail)
        return converted
      }), signal)
    },
    async check (signal) {
      const { status, bytes } = await client.fetch(url + health.path, { maxBytes: 64 * 1024, signal })
      if (status !== 200 || !health.well.test(bytes.toString('utf8'))) {
        throw new ConverterRefused(
          `No healthy ${title} responds at ${new URL(url).host} (status ${status} of ${health.path}). ` +
            'Check CONVERTER_URL and CONVERTER_KIND.'
        )
      }
      return `${title} is healthy`
    }
  }
}
