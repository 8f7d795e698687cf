import { createCluster } from './prepared-cluster.js'

/* The child process that creates the embedded database in the directory of its argument. It ends with its parent. */

process.on('disconnect', () => process.exit(1))
await createCluster(process.argv[2]!)
process.exit()
