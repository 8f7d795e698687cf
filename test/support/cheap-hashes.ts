import { isMainThread } from 'node:worker_threads'
import argon2 from 'argon2'

/*
 * Passwords and keys are hashed at a hundredth of the service's cost: a test creates several accounts, and a fifth of the CPU time of most
 * test files was argon2. A hash states its own cost, so whatever verifies it runs as it ships. The tests of argon2 itself ask for the cost
 * of the service.
 */
const { hash } = argon2

if (isMainThread) hashCheaply()

/** Hashes at the cost of the service from now on. @returns a function that ends it, for the end of the file */
export function hashAtServiceCost (): () => void {
  hashAtCost({})
  return hashCheaply
}

function hashCheaply (): void {
  hashAtCost({ memoryCost: 256, timeCost: 2 })
}

function hashAtCost (cost: { memoryCost?: number, timeCost?: number }): void {
  argon2.hash = (async (secret: string, options: object) => await hash(secret, { ...options, ...cost })) as typeof hash
}
