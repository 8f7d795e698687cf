import { runAttack, type AttackInput } from './attack-thread.js'
import { accountAttacks } from './attacks-account.js'
import { anonymousAttacks } from './attacks-anonymous.js'

/* The thread of one attack on an ordinary service: an ordinary account, or nobody, sends as much as it can. */

const attacks = { ...anonymousAttacks, ...accountAttacks }

/** Input of an attack. */
export interface AttackData extends AttackInput {
  attack: keyof typeof attacks
  /** More keys of the attacker. */
  keys: readonly string[]
  /** A paper with a long full text. */
  paperId: string
  /** Papers that the attack prepared. */
  paperIds: readonly string[]
  projectId: string
  /** The server of journal feeds. */
  feedOrigin: string
  /** The server that the attack needs, which treats its clients badly. */
  foreignOrigin: string
  /** An address of this machine that is not a loopback address. */
  ownAddress: string
}

await runAttack(attacks)
