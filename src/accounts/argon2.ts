import argon2 from 'argon2'
import { Unavailable } from '../errors/operation-errors.js'
import { RoundRobin } from '../threads/round-robin.js'

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. A run takes about 25 ms. */
const parameters = { type: argon2.argon2id, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const

/** argon2 shares libuv's four threads with DNS and file access, so at most two runs are concurrent. */
const maxRuns = 2

/** Runs of one purpose. */
interface Lane { maxRuns: number, maxWaiting: number, runs: number, waiting: RoundRobin<Waiting> }

/** A run that waits for its turn. */
interface Waiting { start: () => void, refuse: (reason: Error) => void }

const lane = (maxRuns: number, maxWaiting: number): Lane => ({ maxRuns, maxWaiting, runs: 0, waiting: new RoundRobin() })

/**
 * Lanes in order of priority among those with equally many runs, so that each of two lanes gets one. Keys and known devices do not wait for
 * the logins of strangers, which take one of the two runs at most.
 */
const lanes = { key: lane(maxRuns, 100), known: lane(maxRuns, 100), stranger: lane(1, 1000) }

/** Purpose of a run. */
export interface Purpose {
  /** `key`: MCP keys; `known`: people on devices that signed in recently, and operators; `stranger`: everyone else. */
  lane: keyof typeof lanes
  /** Origin of the run, such as an address. Origins of a lane take turns, so one of them cannot delay the others by many runs. */
  origin?: string
}

const keyPurpose: Purpose = { lane: 'key' }

/** Hashes a secret. @returns the encoded hash with parameters and salt. @throws Unavailable if the lane is full */
export const hashSecret = async (secret: string, purpose = keyPurpose): Promise<string> =>
  await inTurn(purpose, async () => await argon2.hash(secret, parameters))

/** Compares a secret with an encoded hash. @throws Unavailable if the lane is full */
export const verifySecret = async (encoded: string, secret: string, purpose = keyPurpose): Promise<boolean> =>
  await inTurn(purpose, async () => await argon2.verify(encoded, secret))

async function inTurn<T> ({ lane: name, origin = '' }: Purpose, run: () => Promise<T>): Promise<T> {
  const lane = lanes[name]
  await new Promise<void>((resolve, reject) => {
    lane.waiting.add(origin, { start: resolve, refuse: reject })
    // If the lane is full, the origin with the longest queue loses its last run.
    if (lane.waiting.size > lane.maxWaiting) {
      lane.waiting.takeLastOfLongest()!.refuse(new Unavailable('Too many passwords and keys are waiting for verification.'))
    }
    startNext()
  })
  try {
    return await run()
  } finally {
    lane.runs--
    startNext()
  }
}

function startNext (): void {
  const all = Object.values(lanes)
  if (all.reduce((sum, { runs }) => sum + runs, 0) >= maxRuns) return
  const [next] = all.filter(({ waiting, runs, maxRuns }) => waiting.size > 0 && runs < maxRuns).sort((a, b) => a.runs - b.runs)
  if (next === undefined) return
  next.runs++
  next.waiting.take()!.start()
}
