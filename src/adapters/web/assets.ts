import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { NotFound } from '../../errors/operation-errors.js'
import { packageRoot } from '../../settings/version.js'

/** Files that pages name. Fonts are named by the stylesheet as well. */
export type AssetName = 'litfeed.css' | 'litfeed.js' | 'htmx.js' | 'icon.svg' | 'icon-192.png' | 'icon-512.png'

/** Fonts that every page uses first. */
const firstFonts = ['source-sans-3-latin-wght-normal.woff2', 'source-serif-4-latin-400-normal.woff2']

/** Part of the compiled program, so a release contains it and can be read-only. */
const folder = new URL('dist/assets/', packageRoot)

/** Public name of each file, with a hash of its content; build-assets.ts writes them. */
const servedNames = JSON.parse(readFileSync(new URL('manifest.json', folder), 'utf8')) as Readonly<Record<string, string>>

/** Fonts for Latin script. */
const latinFonts = Object.keys(servedNames).filter(name => /-latin-(?:wght|\d)/.test(name))

/** Path of an asset. */
export const assetAddress = (name: AssetName): string => `/assets/${servedNames[name]!}`

/** Paths of the fonts that every page uses first. */
export const firstFontAddresses: readonly string[] = firstFonts.map(name => `/assets/${servedNames[name]!}`)

/** Changes with any asset. */
export const assetsVersion = createHash('sha256').update(Object.values(servedNames).join()).digest('base64url').slice(0, 12)

/** Paths of the assets that papers need without a connection. */
export const offlineAssets: readonly string[] = ['litfeed.css', 'litfeed.js', 'htmx.js', 'icon.svg', 'icon-192.png', ...latinFonts]
  .map(name => `/assets/${servedNames[name]!}`)

/** Serves styles, scripts, fonts and icons, precompressed and immutable. */
const serveAssets: FastifyPluginAsync = async fastify => {
  const known = new Set(Object.values(servedNames))
  await fastify.register(files, { root: fileURLToPath(folder), serve: false, preCompressed: true, immutable: true, maxAge: '365d' })
  fastify.get<{ Params: { name: string } }>('/assets/:name', { schema: { hide: true } }, async ({ params: { name } }, reply) => {
    if (!known.has(name)) throw new NotFound('This file belongs to another version of the service. Reload the page.')
    return await reply.header('vary', 'accept-encoding').sendFile(name)
  })
}

export default serveAssets
