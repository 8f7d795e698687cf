import type { Dispatcher } from 'undici'
import { mebibytes } from '../../schemas/mebibytes.js'
import { HttpError } from './client.js'

/** Pieces of a response of any size. */
const freePieces = 8192
/** Bytes that further pieces have, on average. Servers send kilobytes at a time. */
const minPieceBytes = 256
/** Compression makes a body that cannot be compressed longer by less. */
const maxCompressionOverhead = 1.01

/**
 * Limits a response as it arrives, before it is decompressed: its bytes, which can decompress to none, and the number of its pieces. Each
 * takes time of the event loop, 20 µs if it is compressed.
 * @param maxBytes of the decoded body
 * @param abort ends the request: an error that is thrown here is lost if the body is compressed and not read yet
 */
export const limitWire = (host: string, maxBytes: number, abort: (error: HttpError) => void): Dispatcher.DispatcherComposeInterceptor =>
  dispatch => (options, handler) => {
    let bytes = 0
    let pieces = 0
    return dispatch(options, {
      onRequestStart (...given) { handler.onRequestStart?.(...given) },
      onRequestUpgrade (...given) { handler.onRequestUpgrade?.(...given) },
      onResponseStart (...given) { handler.onResponseStart?.(...given) },
      onResponseData (controller, piece) {
        bytes += piece.length
        pieces++
        if (bytes > maxBytes * maxCompressionOverhead + minPieceBytes) abort(tooLarge(host, maxBytes))
        else if (pieces > freePieces + bytes / minPieceBytes) {
          abort(new HttpError('fragmented', `${host} sent its response in too many small pieces.`))
        } else handler.onResponseData?.(controller, piece)
      },
      onResponseEnd (...given) { handler.onResponseEnd?.(...given) },
      onResponseError (...given) { handler.onResponseError?.(...given) }
    })
  }

/** The error of a body that is longer than it may be. */
export const tooLarge = (host: string, maxBytes: number): HttpError =>
  new HttpError('too_large', `${host} sent more than ${mebibytes(maxBytes)}.`)
