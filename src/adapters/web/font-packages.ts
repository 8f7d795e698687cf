import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'

/** Stylesheets of the font packages, with the name that ours give their family. */
const faces = [
  { family: 'Litfeed Sans', sheets: ['@fontsource-variable/source-sans-3/wght.css', '@fontsource-variable/source-sans-3/wght-italic.css'] },
  {
    family: 'Litfeed Serif',
    sheets: ['@fontsource/source-serif-4/400.css', '@fontsource/source-serif-4/400-italic.css', '@fontsource/source-serif-4/600.css']
  }
] as const

/** Scripts that have a file. Browsers load those that a page uses. */
const scripts = /-(?:latin|latin-ext|greek|cyrillic|vietnamese)-(?:wght|\d)/
const modules = createRequire(import.meta.url)

/** The font files, by name. */
export const fontFiles: Record<string, Buffer> = {}

const rules: string[] = []
for (const { family, sheets } of faces) {
  for (const sheet of sheets) {
    const path = modules.resolve(sheet)
    for (const [rule] of readFileSync(path, 'utf8').matchAll(/@font-face \{[^}]+\}/g)) {
      const name = /\.\/files\/([\w-]+\.woff2)/.exec(rule)?.[1]
      if (name === undefined || !scripts.test(name)) continue
      fontFiles[name] = readFileSync(join(dirname(path), 'files', name))
      rules.push(rule
        .replace(/font-family: [^;]+/, `font-family: "${family}"`)
        // A font that comes late is used from the next page on: text that is being read stays where it is.
        .replace('font-display: swap', 'font-display: optional')
        .replace(/src: [^;]+/, `src: url("${name}") format("woff2")`)
        .replace(/\s+/g, ' '))
    }
  }
}

/** The `@font-face` rules, which name the files as the packages do. */
export const fontRules = `${rules.join('\n')}\n`

/** The licenses of the fonts, which ask to be passed on with them. */
export const fontLicenses: Record<string, Buffer> = Object.fromEntries(
  faces.map(({ sheets: [sheet] }) => dirname(modules.resolve(sheet)))
    .map(folder => [`${basename(folder)}-LICENSE.txt`, readFileSync(join(folder, 'LICENSE'))])
)
