import { parse } from 'node:querystring'
import cookie from '@fastify/cookie'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import type { FastifyPluginAsync } from 'fastify'
import { NotFound } from '../../errors/operation-errors.js'
import type { ServiceContext } from '../../operations/context.js'
import { sendError, toPublicError } from '../../server/errors.js'
import assets from './assets.js'
import { pages } from './pages.js'
import { addPage, sendRefusal, uploadLimitOf } from './routes.js'

/** Pages for people: rendered here, in a browser's session, with nothing from outside. */
const web: FastifyPluginAsync<{ context: ServiceContext }> = async (fastify, { context }) => {
  await fastify.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'"],
        imgSrc: ["'self'"],
        connectSrc: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"]
      }
    },
    xFrameOptions: { action: 'deny' },
    // Other sites are told nothing; with "no-referrer" browsers would send our own forms as if from nowhere (Origin: null).
    referrerPolicy: { policy: 'same-origin' },
    // Only a reverse proxy knows whether the address is https for good.
    strictTransportSecurity: false
  })
  await fastify.register(cookie)
  // Forms are all that pages take.
  fastify.removeAllContentTypeParsers()
  fastify.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, async (_request: unknown, body: string) => parse(body, '&', '=', { maxKeys: 0 }))
  fastify.decorateRequest('visitor', undefined)

  fastify.setErrorHandler(async (thrown, request, reply) => {
    const error = toPublicError(thrown, request)
    const byBrowser = !request.url.startsWith('/api/') && /\btext\/html\b/.test(request.headers.accept ?? '')
    return await (byBrowser ? sendRefusal(context, error, request, reply) : sendError(error, reply))
  })

  await fastify.register(assets)
  // Files are taken only where there is a form for one, and somebody has signed in: they are held in memory.
  for (const page of pages) {
    const fileSize = uploadLimitOf(page)
    if (fileSize === 0) addPage(fastify, context, page)
    else {
      await fastify.register(async uploads => {
        await uploads.register(multipart, { attachFieldsToBody: 'keyValues', limits: { fileSize, files: 1, fields: 50 } })
        addPage(uploads, context, page)
      })
    }
  }
  fastify.get('/*', { schema: { hide: true } }, async request => {
    throw new NotFound(`There is nothing at ${request.url.split('?', 1)[0]!.slice(0, 200)}.`)
  })
}

export default web
