import { prepareCluster } from './prepared-cluster.js'

/* A step of the build. */

await prepareCluster()
process.exit()
