/**
 * Packages without dependencies that consist of hundreds of small modules, of which the build makes a few. Node.js takes about a
 * millisecond and 30 kB of memory for each module, in every process and in every thread that needs the package.
 */
export const joinedPackages: readonly string[] = ['kysely', 'typebox']
