/**
 * V8 flags for processes that live for seconds or a few minutes. V8 optimizes code on further threads as soon as it has run for some
 * milliseconds; most of a test's code ends before that pays off. WebAssembly is the embedded database's. CPU time of a process of 11 test
 * files: 83 s; 103 s if WebAssembly is never optimized, 113 s with V8's own budget for JavaScript.
 */
export const v8Flags = ['--wasm-tiering-budget=50000000', ...hasInterruptBudget() ? ['--interrupt-budget=600000'] : []]

/** Later versions of V8 count invocations instead, and complain about the flag. */
function hasInterruptBudget (): boolean {
  return Number(process.versions.node.split('.')[0]) < 22
}
