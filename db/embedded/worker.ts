import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { getFreeBytes, guardDiskSpace } from './disk-guard.js'
import { serveDatabase } from './wire-protocol-server.js'

/** The thread of the embedded database: a long query blocks only this event loop. */
const { dataDir, socket } = workerData as { dataDir: string, socket: string }

const database = await PGlite.create({ dataDir, extensions: { btree_gin } })
const server = await serveDatabase(database, socket, guardDiskSpace(database, () => getFreeBytes(dataDir)))

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
