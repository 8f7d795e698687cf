import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { type GuardedRequest, getFreeBytes, guardDiskSpace } from './disk-guard.js'
import { postgresOptions } from './postgres-options.js'
import { getLogBytes, limitLog } from './wal-limit.js'
import { serveDatabase } from './wire-protocol-server.js'

/** The thread of the embedded database: a long query blocks only this event loop. */
const { dataDir, socket } = workerData as { dataDir: string, socket: string }

const database = await PGlite.create({ dataDir, ...postgresOptions })
const guardDisk = guardDiskSpace(database, () => getFreeBytes(dataDir))
const checkLog = limitLog(database, () => getLogBytes(dataDir))
const beforeRequest = async (request: GuardedRequest) => {
  await guardDisk(request)
  await checkLog(request)
}
const server = await serveDatabase(database, socket, beforeRequest)

parentPort!.on('message', async (message: 'stop' | 'connections') => {
  if (message === 'connections') {
    parentPort!.postMessage({ connections: server.connections() })
    return
  }
  await server.stop()
  await database.close()
  parentPort!.close()
})
parentPort!.postMessage('ready')
