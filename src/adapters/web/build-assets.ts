import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { buildSync, transformSync } from 'esbuild'
import { packageRoot } from '../../settings/version.js'
import { fontFiles, fontLicenses, fontRules } from './font-packages.js'

/*
 * A step of the build: joins and minifies styles, bundles scripts, names every file by its content, compresses it, and lists the names in
 * manifest.json.
 */

const publicFile = (name: string) => new URL(`src/adapters/web/public/${name}`, packageRoot)
const read = (names: readonly string[]) => Buffer.concat(names.map(name => readFileSync(publicFile(name))))

/** A module and all that it imports, as one minified script without globals. */
function bundle (entry: string): Buffer {
  const { outputFiles: [script] } =
    buildSync({ entryPoints: [fileURLToPath(publicFile(entry))], bundle: true, format: 'iife', minify: true, write: false })
  return Buffer.from(script!.contents)
}

/** Parts of the stylesheet, in order. */
const styles = [
  'base.css', 'layout.css', 'forms.css', 'project.css', 'feed.css', 'paper.css', 'administration.css', 'forced-colors.css'
]

/** Public name of a file, with a hash of its content. */
function servedName (name: string, body: Buffer): string {
  const digest = createHash('sha256').update(body).digest('base64url').slice(0, 12)
  const dot = name.lastIndexOf('.')
  return `${name.slice(0, dot)}-${digest}${name.slice(dot)}`
}

/** The stylesheet with the public names of the fonts, which stand beside it. */
const stylesheet = [
  fontRules.replace(/url\("([^"]+)"\)/g, (_url, name: string) => `url("${servedName(name, fontFiles[name]!)}")`),
  read(styles).toString()
].join('')

const contents: Record<string, Buffer> = {
  'litfeed.css': Buffer.from(transformSync(stylesheet, { loader: 'css', minify: true }).code),
  'litfeed.js': bundle('scripts/main.js'),
  'htmx.js': readFileSync(createRequire(import.meta.url).resolve('htmx.org/dist/htmx.min.js')),
  'icon.svg': read(['icon.svg']),
  'icon-192.png': read(['icon-192.png']),
  'icon-512.png': read(['icon-512.png']),
  ...fontFiles
}

const folder = new URL('dist/assets/', packageRoot)
const unfinished = new URL(`dist/assets-${process.pid}/`, packageRoot)

mkdirSync(unfinished, { recursive: true })
const names: Record<string, string> = {}
for (const [name, body] of Object.entries(contents)) {
  names[name] = servedName(name, body)
  const path = fileURLToPath(new URL(names[name], unfinished))
  writeFileSync(path, body)
  // Fonts and pictures are compressed already.
  if (/\.(?:woff2|png)$/.test(name)) continue
  writeFileSync(`${path}.br`, brotliCompressSync(body))
  writeFileSync(`${path}.gz`, gzipSync(body, { level: 9 }))
}
for (const [name, text] of Object.entries(fontLicenses)) writeFileSync(new URL(name, unfinished), text)
writeFileSync(new URL('manifest.json', unfinished), JSON.stringify(names))
rmSync(folder, { recursive: true, force: true })
renameSync(unfinished, folder)
