declare module 'fs-native-extensions' {
  /** False when another open file description holds the lock. */
  export function tryLock (fd: number): boolean
  export function unlock (fd: number): void
}
