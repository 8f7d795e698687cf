import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { serverInfoOf } from '../../../src/adapters/mcp/server-info.js'
import { themeColor } from '../../../src/adapters/web/manifest.js'
import { packageRoot } from '../../../src/settings/version.js'

const folder = new URL('src/adapters/web/public/', packageRoot)
const css = readdirSync(folder)
  .filter(name => name.endsWith('.css'))
  .map(name => readFileSync(new URL(name, folder), 'utf8'))
  .join('\n')
  .replace(/\/\*[\s\S]*?\*\//g, '')
const declarations = [...css.matchAll(/[{;]\s*([\w-]+):\s*([^;{}]+)/g)].map(([, property, value]) => ({ property: property!, value: value!.trim() }))

t.test('text has six sizes', async t => {
  const sizes = declarations.filter(({ property }) => property.startsWith('--size-'))
  t.equal(new Set(sizes.map(({ value }) => value)).size, 6)
  t.equal(sizes.length, 6)
  const used = declarations.filter(({ property }) => property === 'font-size' || property === 'font')
  t.ok(used.length > 50)
  t.strictSame(used.filter(({ value }) => !/^(?:var\(--size-[1-6]\)|inherit)$/.test(value)), [])
})

t.test('spaces are on one scale', async t => {
  const used = declarations.filter(({ property }) => /^(?:scroll-)?(?:margin|padding)(?:-|$)|^(?:row-|column-)?gap$/.test(property))
  t.ok(used.length > 200)
  const step = String.raw`var\(--space-[0-6]\)`
  const allowed = new RegExp(String.raw`^(?:0|auto|${step}|calc\(-1 \* ${step}\)|env\([\w-]+\))$`)
  const parts = (value: string) => value.match(/(?:[^\s(]|\((?:[^()]|\([^()]*\))*\))+/g)!
  t.strictSame(used.filter(({ value }) => !parts(value).every(part => allowed.test(part))), [])
})

t.test('amber marks stars and must-reads only', async t => {
  const rules = [...css.matchAll(/([^{}]+)\{([^{}]*var\(--amber[^{}]*)\}/g)].map(([, selector]) => selector!.trim())
  t.ok(rules.length > 2)
  t.strictSame(rules.filter(selector => !/star|must-read/.test(selector)), [])
})

t.test('pages, icons and the manifest have one accent', async t => {
  const accent = /--accent: light-dark\((#[\da-f]{6}),/.exec(css)![1]!
  t.equal(themeColor, accent)
  t.match(readFileSync(new URL('icon.svg', folder), 'utf8'), `rx="7" fill="${accent}"`)
  const icon = serverInfoOf('https://litfeed.example.org').icons[0]!.src
  t.match(Buffer.from(icon.slice(icon.indexOf(',')), 'base64').toString(), `rx="7" fill="${accent}"`)
})
