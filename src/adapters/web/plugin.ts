import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import type { FastifyPluginAsync, FastifyRequest } from 'fastify'
import { InvalidArguments, NotFound, PayloadTooLarge } from '../../errors/operation-errors.js'
import type { ServiceContext } from '../../operations/context.js'
import { readFileForms } from '../../server/file-forms.js'
import { removeReceivedFiles } from '../../server/received-files.js'
import { errorOfRequest, sendError } from '../../server/errors.js'
import assets from './assets.js'
import manifest from './manifest.js'
import serviceWorker from './service-worker.js'
import { parseForm } from './fields.js'
import { pages } from './pages.js'
import { addPage, sendErrorPage, uploadLimitOf } from './routes.js'

/** Fields of a form of a mail program, which has one. */
const maxMailFields = 5

/** Parses a form of a mail program, which was read whole since it is small. @throws InvalidArguments, PayloadTooLarge */
async function parseMailForm ({ headers }: FastifyRequest, body: Buffer): Promise<Record<string, string>> {
  const sent = new Response(new Uint8Array(body), { headers: { 'content-type': headers['content-type']! } })
  const form = await sent.formData().catch((cause: unknown) => {
    throw new InvalidArguments('The form is malformed. Send it as multipart/form-data with its boundary.', { cause })
  })
  const fields = [...form].filter((field): field is [string, string] => typeof field[1] === 'string')
  if (fields.length > maxMailFields) throw new PayloadTooLarge(`The form has more than ${maxMailFields} fields.`)
  return Object.fromEntries(fields)
}

/** Web pages: rendered on the server, with browser sessions, and without third-party content. */
const web: FastifyPluginAsync<{ context: ServiceContext }> = async (fastify, { context }) => {
  await fastify.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        fontSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        manifestSrc: ["'self'"],
        workerSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"]
      }
    },
    xFrameOptions: { action: 'deny' },
    // Hides addresses from other sites. "no-referrer" would make browsers send our own forms with "Origin: null".
    referrerPolicy: { policy: 'same-origin' },
    // Only the reverse proxy knows whether https is permanent.
    strictTransportSecurity: false
  })
  await fastify.register(cookie)
  // Pages accept forms only.
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: unknown, body: string) =>
    parseForm(body)
  )
  fastify.decorateRequest('visitor', undefined)

  fastify.setErrorHandler(async (thrown, request, reply) => {
    const error = errorOfRequest(thrown, request)
    // htmx accepts anything and shows HTML.
    const acceptsHtml = request.headers['hx-request'] === 'true' || /\btext\/html\b/.test(request.headers.accept ?? '')
    const isBrowser = !request.url.startsWith('/api/') && acceptsHtml
    return await (isBrowser ? sendErrorPage(context, error, request, reply) : sendError(error, reply))
  })

  await fastify.register(assets)
  await fastify.register(manifest, context)
  await fastify.register(serviceWorker)
  // Only pages with an upload form accept files. Mail programs may send one-click forms in the same format, without a file.
  for (const page of pages) {
    const fileSize = uploadLimitOf(page)
    if (page.oneClick !== undefined) {
      await fastify.register(async forms => {
        forms.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, parseMailForm)
        addPage(forms, context, page)
      })
    } else if (fileSize === 0) addPage(fastify, context, page)
    else {
      await fastify.register(async uploads => {
        await readFileForms(uploads, { files: context.files, maxBytes: fileSize, maxFields: 10, maxFieldBytes: 10_000 })
        uploads.addHook('onSend', removeReceivedFiles)
        addPage(uploads, context, page)
      })
    }
  }
  fastify.get('/*', { schema: { hide: true } }, async (request, reply) => {
    if (request.url.startsWith('/api/')) return reply.callNotFound()
    throw new NotFound(`There is no page at ${request.url.split('?', 1)[0]!.slice(0, 200)}.`)
  })
}

export default web
