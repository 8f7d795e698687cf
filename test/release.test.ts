import t from 'tap'
import { readFileSync } from 'node:fs'
import { shippedPackages } from '../docs/licences.js'
import { packageRoot } from '../src/settings/version.js'

const text = (path: string) => readFileSync(new URL(path, packageRoot), 'utf8')

/** Licences that let anybody use, change and pass on, and ask for no more than to be named. */
const permissive = new Set(['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'BlueOak-1.0.0', 'CC0-1.0', 'ISC', 'MIT', 'MIT-0', 'PSF-2.0', 'Python-2.0', 'Unlicense', 'Zlib'])

t.test('every package that ships has a permissive licence, and stands in docs/licences.md', async t => {
  const shipped = shippedPackages()
  t.ok(shipped.length > 100)
  const listed = text('docs/licences.md')
  t.strictSame(shipped.filter(({ licence }) => !licence.replace(/[()]/g, '').split(' OR ').some(each => permissive.has(each))), [])
  t.strictSame(shipped.filter(({ name, version, licence }) => !listed.includes(`| ${name} | ${version} | ${licence} |`)), [])
})

t.test('the lockfile holds what is installed to its content, and names no address of a registry', async t => {
  const { packages } = JSON.parse(text('package-lock.json')) as { packages: Record<string, { integrity?: string, resolved?: string, inBundle?: boolean }> }
  const loose = Object.entries(packages).filter(([path, { integrity = '', resolved, inBundle }]) => path !== '' && (resolved !== undefined || (inBundle !== true && !integrity.startsWith('sha512-'))))
  t.strictSame(loose, [])
})

t.test('nothing has to be run or compiled to install it: native parts come with the packages', async t => {
  t.match(text('.npmrc'), /^ignore-scripts=true$/m)
  t.notOk(['preinstall', 'install', 'postinstall', 'prepare'].some(script => script in JSON.parse(text('package.json')).scripts))
})
