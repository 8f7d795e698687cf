/** Abandons work that ignores its signal, such as one that waits for its turn. @throws the signal's reason */
export async function untilAborted<T> (run: () => Promise<T>, signal: AbortSignal): Promise<T> {
  signal.throwIfAborted()
  let abandon = () => {}
  const aborted = new Promise<never>((_resolve, reject) => {
    abandon = () => reject(signal.reason)
    signal.addEventListener('abort', abandon)
  })
  try {
    return await Promise.race([run(), aborted])
  } finally {
    // Node.js keeps a signal made of others as long as it has a listener, and with it the result of the work.
    signal.removeEventListener('abort', abandon)
  }
}
