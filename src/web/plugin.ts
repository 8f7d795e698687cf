import helmet from '@fastify/helmet'
import type { FastifyPluginAsync } from 'fastify'
import type { ServiceContext } from '../operations/operation.js'
import { stylesheet } from './layout.js'
import { pages } from './pages.js'

/** Pages for people: rendered here, no script, nothing from outside. */
const web: FastifyPluginAsync<{ context: ServiceContext }> = async (fastify, { context }) => {
  await fastify.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { defaultSrc: ["'none'"], styleSrc: ["'self'"], imgSrc: ["'self'", 'data:'], formAction: ["'self'"], frameAncestors: ["'none'"], baseUri: ["'none'"] }
    },
    referrerPolicy: { policy: 'no-referrer' },
    // Only a reverse proxy knows whether the address is https for good.
    strictTransportSecurity: false
  })
  fastify.get('/style.css', { schema: { hide: true } }, async (_request, reply) => await reply.type('text/css; charset=utf-8').header('cache-control', 'public, max-age=3600').send(stylesheet))
  for (const { url, render } of pages) {
    fastify.get(url, { schema: { hide: true } }, async (_request, reply) => await reply.type('text/html; charset=utf-8').send(await render(context)))
  }
}

export default web
