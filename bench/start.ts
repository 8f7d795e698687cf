import { startProcess, stopProcess, temporaryDirectory } from './process.js'
import { litfeed } from '../test/support/shipped-options.js'
import { reportBound } from './report.js'

/** Seconds from the start of the process to the first response of /readyz. */
async function startToFirstResponse (dataDir: string): Promise<number> {
  const began = performance.now()
  const starting = startProcess(litfeed, ['serve'], { DATA_DIR: dataDir, PORT: '8793', LOG_LEVEL: 'warn' }, 'Litfeed is at')
  for (;;) {
    try {
      const response = await fetch('http://127.0.0.1:8793/readyz')
      if (response.ok) break
    } catch {
      await new Promise(resolve => setTimeout(resolve, 10))
    }
  }
  const took = (performance.now() - began) / 1000
  await stopProcess((await starting).child)
  return took
}

/** Measures the start on a new and on an existing embedded database. Prints a table row for each. */
export async function measureStart (): Promise<void> {
  const dataDir = temporaryDirectory()
  reportBound('start to first response, new embedded database', await startToFirstResponse(dataDir), 's', 8, 'at most')
  const again = [await startToFirstResponse(dataDir), await startToFirstResponse(dataDir), await startToFirstResponse(dataDir)].sort()
  reportBound('start to first response, existing embedded database (median of 3)', again[1]!, 's', 2, 'at most')
}
