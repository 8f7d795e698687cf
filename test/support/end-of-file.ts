import type { Test } from 'tap'

/** Functions for the end of the running test file; undefined in a process of one file. */
let handlers: Array<() => unknown> | undefined

/**
 * Runs a function when a test ends, the last one first. For the test that stands for a whole process, the end is that of the file, so that
 * later files of the process find what it used free.
 */
export function atEnd (test: Test, handler: () => unknown): void {
  if (handlers === undefined || test.parent !== undefined) test.teardown(handler)
  else handlers.push(handler)
}

/** Runs test files one after another in this process. */
export async function runFiles (files: ReadonlyArray<{ name: string, load: () => Promise<unknown> }>): Promise<void> {
  // Imported here: trials and benchmarks use this module's callers, and tap makes a program that runs no test fail.
  const [{ default: t }, { holdOpen }] = await Promise.all([import('tap'), import('./hold-open.js')])
  const release = holdOpen()
  handlers = []
  for (const { name, load } of files) {
    try {
      await load()
    } finally {
      // It waits for the tests before it.
      await t.test(`end of ${name}`, async () => {
        for (let handler = handlers!.pop(); handler !== undefined; handler = handlers!.pop()) await handler()
      })
    }
  }
  release()
}
