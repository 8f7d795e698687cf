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

/** The stylesheet's parts, in order. */
const styles = ['base.css', 'layout.css', 'forms.css', 'project.css', 'feed.css', 'paper.css', 'administration.css']

const contents = {
  'litfeed.css': read(styles),
  'litfeed.js': read(['litfeed.js', 'feed.js']),
  'htmx.js': readFileSync(createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')),
  'icon.svg': read(['icon.svg'])
} as const
export type AssetName = keyof typeof contents

/** Beside the compiled program, so that a release brings them and may be read-only. */
const folder = new URL('dist/assets/', packageRoot)

/** Name of each file as it is served; it changes with the content. */
const servedNames = Object.fromEntries(Object.entries(contents).map(([name, body]) => {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 12)
  const dot = name.lastIndexOf('.')
  return [name, `${name.slice(0, dot)}-${digest}${name.slice(dot)}`]
})) as Record<AssetName, string>

for (const name of Object.keys(contents) as AssetName[]) writeCompressed(servedNames[name], contents[name])

/** Writes a file and its compressed forms, unless they are there. The file itself comes last: where it is, the others are. */
function writeCompressed (name: string, body: Buffer): void {
  const path = fileURLToPath(new URL(name, folder))
  if (existsSync(path)) return
  mkdirSync(folder, { recursive: true })
  const forms = { '.br': brotliCompressSync(body), '.gz': gzipSync(body, { level: 9 }), '': body }
  for (const [suffix, bytes] of Object.entries(forms)) {
    const unfinished = `${path}${suffix}.${process.pid}`
    writeFileSync(unfinished, bytes)
    renameSync(unfinished, `${path}${suffix}`)
  }
}

/** Path of a file of the pages. */
export const assetAddress = (name: AssetName): string => `/assets/${servedNames[name]}`

/** Serves styles, scripts and the icon, compressed beforehand; browsers keep them for good. */
const serveAssets: FastifyPluginAsync = async fastify => {
  const known = new Set(Object.values(servedNames))
  await fastify.register(files, { root: fileURLToPath(folder), serve: false, preCompressed: true, immutable: true, maxAge: '365d' })
  fastify.get<{ Params: { name: string } }>('/assets/:name', { schema: { hide: true } }, async ({ params: { name } }, reply) => {
    if (!known.has(name)) throw new NotFound('This file belongs to another version of the service. Load the page again.')
    return await reply.header('vary', 'accept-encoding').sendFile(name)
  })
}

export default serveAssets
