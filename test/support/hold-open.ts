import t from 'tap'

/**
 * Keeps tap from ending this process. It does so once all tests are done for a few milliseconds, also while the next of several joined test
 * files is being loaded, and then removes the databases that the tests of that file were to share.
 * @returns a function that lets it end
 */
export function holdOpen (): () => void {
  Object.defineProperty(t, 'idle', { configurable: true, value: false })
  return () => {
    delete (t as { idle?: boolean }).idle
    t.emit('idle')
  }
}
