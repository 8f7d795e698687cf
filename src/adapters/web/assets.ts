import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { FastifyPluginAsync } from 'fastify'
import { NotFound } from '../../errors/operation-errors.js'

const publicFile = (name: string) => new URL(`../../../../src/adapters/web/public/${name}`, import.meta.url)
const read = (names: readonly string[]) => Buffer.concat(names.map(name => readFileSync(publicFile(name))))

/** The stylesheet's parts, in order. */
const styles = ['base.css', 'layout.css', 'forms.css', 'project.css', 'feed.css', 'paper.css', 'administration.css']

const contents = {
  'litfeed.css': { type: 'text/css; charset=utf-8', body: read(styles) },
  'litfeed.js': { type: 'text/javascript; charset=utf-8', body: read(['litfeed.js', 'feed.js']) },
  'htmx.js': { type: 'text/javascript; charset=utf-8', body: readFileSync(createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')) },
  'icon.svg': { type: 'image/svg+xml', body: read(['icon.svg']) }
} as const
export type AssetName = keyof typeof contents

interface Asset { address: string, type: string, encodings: { br: Buffer, gzip: Buffer, identity: Buffer } }

const assets = Object.fromEntries(Object.entries(contents).map(([name, { type, body }]) => {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 12)
  const dot = name.lastIndexOf('.')
  const encodings = { br: brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }), gzip: gzipSync(body, { level: 9 }), identity: body }
  return [name, { address: `/assets/${name.slice(0, dot)}-${digest}${name.slice(dot)}`, type, encodings }]
})) as Record<AssetName, Asset>

/** Where a file of the pages is; the address changes with what is in it. */
export const assetAddress = (name: AssetName): string => assets[name].address

/** Styles, scripts and the icon: compressed once, kept by browsers for good. */
const serveAssets: FastifyPluginAsync = async fastify => {
  const byAddress = new Map(Object.values(assets).map(asset => [asset.address, asset]))
  fastify.get('/assets/:name', { schema: { hide: true } }, async (request, reply) => {
    const asset = byAddress.get(request.url.split('?', 1)[0]!)
    if (asset === undefined) throw new NotFound('This file belongs to another version of the service. Load the page again.')
    const accepted = request.headers['accept-encoding'] ?? ''
    const encoding = (['br', 'gzip'] as const).find(each => new RegExp(`\\b${each}\\b`).test(String(accepted))) ?? 'identity'
    if (encoding !== 'identity') reply.header('content-encoding', encoding)
    return await reply.type(asset.type).header('cache-control', 'public, max-age=31536000, immutable').header('vary', 'accept-encoding').send(asset.encodings[encoding])
  })
}

export default serveAssets
