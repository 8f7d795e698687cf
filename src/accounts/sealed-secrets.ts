import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** Encrypts secrets of accounts that the service must be able to use, such as keys of other services. */
export interface SealedSecrets {
  seal: (accountId: string, secret: string) => Buffer
  /** Undefined if it was sealed with another JWT_SECRET, or for another account. */
  open: (accountId: string, sealed: Uint8Array) => string | undefined
}

const algorithm = 'aes-256-gcm'
const [nonceBytes, tagBytes] = [12, 16]

/** AES-256-GCM, bound to the account. A sealed secret is nonce, tag and ciphertext. @param key 32 bytes */
export function sealedSecrets (key: Uint8Array): SealedSecrets {
  return {
    seal (accountId, secret) {
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce).setAAD(Buffer.from(accountId))
      const encrypted = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), encrypted])
    },
    open (accountId, sealed) {
      const bytes = Buffer.from(sealed)
      if (bytes.length < nonceBytes + tagBytes) return undefined
      const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes))
        .setAAD(Buffer.from(accountId))
        .setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
      try {
        return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
      } catch {
        return undefined
      }
    }
  }
}
