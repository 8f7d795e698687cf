import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import files from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { NotFound } from '../../errors/operation-errors.js'
import { packageRoot } from '../../settings/version.js'
import { firstFonts, fontFiles, fontRules, latinFonts } from './fonts.js'

const publicFile = (name: string) => new URL(`src/adapters/web/public/${name}`, packageRoot)
const read = (names: readonly string[]) => Buffer.concat(names.map(name => readFileSync(publicFile(name))))

/** Parts of the stylesheet, in order. */
const styles = ['base.css', 'layout.css', 'forms.css', 'project.css', 'feed.css', 'paper.css', 'administration.css']

/** Public name of a file, with a hash of its content. */
function servedName (name: string, body: Buffer): string {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 12)
  const dot = name.lastIndexOf('.')
  return `${name.slice(0, dot)}-${digest}${name.slice(dot)}`
}

/** The stylesheet with the public names of the fonts, which stand beside it. */
const stylesheet = Buffer.concat([
  Buffer.from(fontRules.replace(/url\("([^"]+)"\)/g, (_url, name: string) => `url("${servedName(name, fontFiles[name]!)}")`)),
  read(styles)
])

const contents = {
  'litfeed.css': stylesheet,
  'litfeed.js': read(['litfeed.js', 'outbox.js', 'marks.js', 'feed.js', 'progress.js', 'paper.js', 'threshold.js', 'offline.js']),
  'htmx.js': readFileSync(createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')),
  'icon.svg': read(['icon.svg']),
  'icon-192.png': read(['icon-192.png']),
  'icon-512.png': read(['icon-512.png'])
} as const
export type AssetName = keyof typeof contents

const allContents: Record<string, Buffer> = { ...contents, ...fontFiles }

/** Part of the compiled program, so a release contains it and can be read-only. */
const folder = new URL('dist/assets/', packageRoot)

/** Public name of each file. */
const servedNames: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(allContents).map(([name, body]) => [name, servedName(name, body)])
)

for (const [name, body] of Object.entries(allContents)) writeCompressed(servedNames[name]!, body)

/** Writes a file and its compressed variants, unless it exists. The file itself is written last, so its presence implies the variants. */
function writeCompressed (name: string, body: Buffer): void {
  const path = fileURLToPath(new URL(name, folder))
  if (existsSync(path)) return
  mkdirSync(folder, { recursive: true })
  // Fonts and pictures are compressed already.
  const variants = /\.(?:woff2|png)$/.test(name)
    ? { '': body }
    : { '.br': brotliCompressSync(body), '.gz': gzipSync(body, { level: 9 }), '': body }
  for (const [suffix, bytes] of Object.entries(variants)) {
    const temporary = `${path}${suffix}.${process.pid}`
    writeFileSync(temporary, bytes)
    renameSync(temporary, `${path}${suffix}`)
  }
}

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
