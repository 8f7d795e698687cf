import { readdirSync } from 'node:fs'
import type { AnyOperation } from '../../src/operations/operation.js'

const folder = new URL('../../src/operations/', import.meta.url)

const isOperation = (value: unknown): value is AnyOperation =>
  typeof value === 'object' && value !== null && ['name', 'input', 'output', 'check', 'authorize', 'run'].every(member => member in value)

/** Every operation that a file of src/operations exports. */
export const operations: readonly AnyOperation[] = (await Promise.all(
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.js'))
    .sort()
    .map(async path => Object.values(await import(new URL(path, folder).href) as object).filter(isOperation))
)).flat()
