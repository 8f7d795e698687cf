import t from 'tap'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/settings/version.js'

const root = fileURLToPath(packageRoot)
const pages = [
  ...readdirSync(root),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(name => join('docs', name))
].filter(path => path.endsWith('.md'))

/** Text outside of code blocks and code spans, where brackets are no links and # begins no heading. */
const proseOf = (path: string) =>
  readFileSync(join(root, path), 'utf8').replace(/^```[^]*?^```$/gm, '').replace(/^ {4}.*$/gm, '').replace(/`[^`\n]*`/g, '')

/** Anchors of the headings of a page, as GitHub derives them. */
function anchorsOf (path: string): Set<string> {
  const headings = readFileSync(join(root, path), 'utf8').replace(/^```[^]*?^```$/gm, '').matchAll(/^#+ (.+)$/gm)
  return new Set([...headings].map(([, heading]) => heading!.toLowerCase().replace(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-')))
}

t.test('links between the pages of the documentation lead to a file and a heading', async t => {
  t.ok(pages.length > 20)
  for (const path of pages) {
    for (const [, target] of proseOf(path).matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target!)) continue
      const [file, anchor] = target!.split('#')
      const linked = file === '' ? path : relative(root, join(root, dirname(path), file!))
      t.ok(existsSync(join(root, linked)), `${path}: ${target}`)
      if (anchor !== undefined) t.ok(anchorsOf(linked).has(anchor), `${path}: ${target}`)
    }
  }
})

t.test('every page of docs/research is listed there and linked from the documentation', async t => {
  const research = pages.filter(path => path.startsWith('docs/research/') && !path.endsWith('README.md'))
  t.ok(research.length > 0)
  const linksTo = (path: string, from: string) => proseOf(from).includes(`](${relative(dirname(from), path)}`)
  for (const path of research) {
    t.ok(linksTo(path, 'docs/research/README.md'), path)
    t.ok(pages.some(page => !page.startsWith('docs/research/') && linksTo(path, page)), path)
  }
})
