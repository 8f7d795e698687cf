import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import files from '@fastify/static'
import type { FastifyPluginAsync } from 'fastify'
import { NotFound } from '../../errors/operation-errors.js'
import { packageRoot } from '../../settings/version.js'

const publicFile = (name: string) => new URL(`src/adapters/web/public/${name}`, packageRoot)
const read = (names: readonly string[]) => Buffer.concat(names.map(name => readFileSync(publicFile(name))))

/** Parts of the stylesheet, in order. */
const styles = ['base.css', 'layout.css', 'forms.css', 'project.css', 'feed.css', 'paper.css', 'administration.css']

const contents = {
  'litfeed.css': read(styles),
  'litfeed.js': read(['litfeed.js', 'outbox.js', 'marks.js', 'feed.js', 'paper.js', 'threshold.js']),
  'htmx.js': readFileSync(createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')),
  'icon.svg': read(['icon.svg']),
  'icon-192.png': read(['icon-192.png']),
  'icon-512.png': read(['icon-512.png'])
} as const
export type AssetName = keyof typeof contents

/** Part of the compiled program, so a release contains it and can be read-only. */
const folder = new URL('dist/assets/', packageRoot)

/** Public name of each file, with a hash of its content. */
const servedNames = Object.fromEntries(Object.entries(contents).map(([name, body]) => {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 12)
  const dot = name.lastIndexOf('.')
  return [name, `${name.slice(0, dot)}-${digest}${name.slice(dot)}`]
})) as Record<AssetName, string>

for (const name of Object.keys(contents) as AssetName[]) writeCompressed(servedNames[name], contents[name])

/** Writes a file and its compressed variants, unless it exists. The file itself is written last, so its presence implies the variants. */
function writeCompressed (name: string, body: Buffer): void {
  const path = fileURLToPath(new URL(name, folder))
  if (existsSync(path)) return
  mkdirSync(folder, { recursive: true })
  const variants = { '.br': brotliCompressSync(body), '.gz': gzipSync(body, { level: 9 }), '': body }
  for (const [suffix, bytes] of Object.entries(variants)) {
    const temporary = `${path}${suffix}.${process.pid}`
    writeFileSync(temporary, bytes)
    renameSync(temporary, `${path}${suffix}`)
  }
}

/** Path of an asset. */
export const assetAddress = (name: AssetName): string => `/assets/${servedNames[name]}`

/** Serves styles, scripts and the icon, precompressed and immutable. */
const serveAssets: FastifyPluginAsync = async fastify => {
  const known = new Set(Object.values(servedNames))
  await fastify.register(files, { root: fileURLToPath(folder), serve: false, preCompressed: true, immutable: true, maxAge: '365d' })
  fastify.get<{ Params: { name: string } }>('/assets/:name', { schema: { hide: true } }, async ({ params: { name } }, reply) => {
    if (!known.has(name)) throw new NotFound('This file belongs to another version of the service. Reload the page.')
    return await reply.header('vary', 'accept-encoding').sendFile(name)
  })
}

export default serveAssets
