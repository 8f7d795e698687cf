import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyPluginAsync } from 'fastify'
import { packageRoot } from '../../settings/version.js'
import { assetsVersion, offlineAssets } from './assets.js'

const program = readFileSync(new URL('src/adapters/web/public/service-worker.js', packageRoot), 'utf8')
const source = `const version = ${JSON.stringify(assetsVersion)}\nconst assets = ${JSON.stringify(offlineAssets)}\n${program}`
const etag = `"${createHash('sha256').update(source).digest('base64url').slice(0, 16)}"`

/**
 * Serves the service worker, which starts with the names of the assets of this version: browsers install it anew when they change. Its
 * place limits it to the addresses of this service.
 */
const serveServiceWorker: FastifyPluginAsync = async fastify => {
  fastify.get('/service-worker.js', { schema: { hide: true } }, async (request, reply) => {
    reply.type('text/javascript; charset=utf-8').headers({ 'cache-control': 'no-cache', etag })
    if (request.headers['if-none-match'] === etag) return await reply.code(304).send()
    return await reply.send(source)
  })
}

export default serveServiceWorker
