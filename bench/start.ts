import { litfeed, startProcess, stopProcess, temporaryDirectory } from './process.js'
import { reportBound } from './report.js'

/** From the start of the process to the first answer. */
async function startToAnswer (dataDir: string): Promise<number> {
  const began = performance.now()
  const starting = startProcess(litfeed, ['serve'], { DATA_DIR: dataDir, PORT: '8793', LOG_LEVEL: 'warn' }, 'Litfeed is at')
  for (;;) {
    try {
      const answer = await fetch('http://127.0.0.1:8793/readyz')
      if (answer.ok) break
    } catch {
      await new Promise(resolve => setTimeout(resolve, 10))
    }
  }
  const took = (performance.now() - began) / 1000
  await stopProcess((await starting).child)
  return took
}

export async function measureStart (): Promise<void> {
  const dataDir = temporaryDirectory()
  reportBound('start to first answer, new embedded database', await startToAnswer(dataDir), 's', 8, 'at most')
  const again = [await startToAnswer(dataDir), await startToAnswer(dataDir), await startToAnswer(dataDir)].sort()
  reportBound('start to first answer, existing embedded database (median of 3)', again[1]!, 's', 2, 'at most')
}
