import type { HttpResponse, HttpClient } from '../../http/client.js'
import type { Converted } from '../converted.js'

/** The HTTP protocol of one kind of converter. */
export interface Protocol {
  /** Name for people. */
  title: string
  /** @throws NotConvertible, HttpError, ConverterRefused */
  convert (client: HttpClient, url: string, pdf: Uint8Array, signal?: AbortSignal): Promise<Converted>
  /** Address of its health check, and its answer when healthy. */
  health: { path: string, well: RegExp }
}

/** The converter answered with an error. */
export class ConverterRefused extends Error {}

/** For one document. Its job has five minutes, and the built-in converter may have to take over. */
export const convertTimeoutMs = 180_000
/** Answers are read up to this size. */
export const maxAnswerBytes = 64 * 1024 * 1024

/** A PDF as part of a form. */
export const pdfFile = (pdf: Uint8Array): Blob => new Blob([pdf as Uint8Array<ArrayBuffer>], { type: 'application/pdf' })

/** The error for an answer that is not a conversion. */
export const refusal = (name: string, { status, bytes }: HttpResponse): ConverterRefused =>
  new ConverterRefused(`${name} answered with status ${status}: ${bytes.toString('utf8').replace(/\s+/g, ' ').slice(0, 200)}`)
