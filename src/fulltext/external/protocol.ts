import { openAsBlob } from 'node:fs'
import type { HttpResponse, HttpClient } from '../../http/client.js'
import type { Document } from '../converter-result.js'
import type { Format } from '../sandbox/formats.js'

/** The answer of a converter, for the sandbox to convert to Markdown: it may have megabytes. */
export interface UnreadDocument { format: Format, bytes: Uint8Array }

/** The HTTP protocol of one kind of converter. */
export interface Protocol {
  /** Display name. */
  title: string
  /** @throws NotConvertible, HttpError, ConverterRefused */
  convert(client: HttpClient, url: string, pdf: Document, signal?: AbortSignal): Promise<UnreadDocument>
  /** Path of the health check, and the response of a healthy service. */
  health: { path: string, well: RegExp }
}

/** The converter returned an error. The message can quote it and is for the log only. */
export class ConverterRefused extends Error {}

/** Timeout per document, including the wait for others. Its job has five minutes, and the built-in converter may have to run too. */
export const convertTimeoutMs = 180_000
/** Maximum size of a response. */
export const maxAnswerBytes = 32 * 1024 * 1024

/** A PDF as part of a form. A file is read while it is sent. */
export const pdfFile = async (pdf: Document): Promise<Blob> =>
  pdf instanceof Uint8Array
    ? new Blob([pdf as Uint8Array<ArrayBuffer>], { type: 'application/pdf' })
    : await openAsBlob(pdf.path, { type: 'application/pdf' })

/** Converts an error response to an error. */
export const refusal = (name: string, { status, bytes }: HttpResponse): ConverterRefused =>
  new ConverterRefused(`${name} answered with status ${status}: ${bytes.toString('utf8').replace(/\s+/g, ' ').slice(0, 200)}`)
