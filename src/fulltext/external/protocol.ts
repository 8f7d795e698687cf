import type { OutsideAnswer, OutsideClient } from '../../http/client.js'
import type { Converted } from '../converted.js'

/** How to ask one kind of converter. */
export interface Protocol {
  /** As people call it. */
  title: string
  /** @throws NotConvertible, OutsideError, ConverterRefused */
  convert (client: OutsideClient, url: string, pdf: Uint8Array, signal?: AbortSignal): Promise<Converted>
  /** Where it says that it is well, and what it says then. */
  health: { path: string, well: RegExp }
}

/** The converter answered, and made nothing of the document. */
export class ConverterRefused extends Error {}

/** Milliseconds for one document. Its job has five minutes, and the built-in converter may have to take over. */
export const patience = 180_000
/** Bytes of an answer. */
export const longestAnswer = 64 * 1024 * 1024

export const pdfFile = (pdf: Uint8Array): Blob => new Blob([pdf as Uint8Array<ArrayBuffer>], { type: 'application/pdf' })

export const refusal = (name: string, { status, bytes }: OutsideAnswer): ConverterRefused =>
  new ConverterRefused(`${name} answered with status ${status}: ${bytes.toString('utf8').replace(/\s+/g, ' ').slice(0, 200)}`)
