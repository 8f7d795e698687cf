import { clusterArchive, createCluster } from './prepared-cluster.js'

/* The child process that creates the embedded database in the directory of its argument. It ends with its parent. */

process.on('disconnect', () => process.exit(1))
const damage = await createCluster(process.argv[2]!)
if (damage === undefined) process.exit()
process.stderr.write(`${clusterArchive} is damaged and was not used; install Litfeed again. ${damage.message}\n`, () => process.exit())
