/**
 * V8 flags for processes that live for seconds. V8 optimizes code on further threads as soon as it has run for some milliseconds; a test
 * ends before that pays off. WebAssembly is the embedded database's. CPU time of a test file with one: 6.9 s without, 4.1 s with them.
 */
export const v8Flags = ['--wasm-tiering-budget=1000000000', ...hasInterruptBudget() ? ['--interrupt-budget=600000'] : []]

/** Later versions of V8 count invocations instead, and complain about the flag. */
function hasInterruptBudget (): boolean {
  return Number(process.versions.node.split('.')[0]) < 22
}
