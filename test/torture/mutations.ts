import fc from 'fast-check'

type Mutation = Array<{ at: number, byte: number, kind: number }>

/** Changes of a request body: none for most, otherwise up to three bytes replaced, inserted or deleted. */
export const mutations: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Mutation>([]) },
  fc.array(fc.record({ at: fc.nat(100_000), byte: fc.nat(255), kind: fc.nat(2) }), { maxLength: 3 })
)

/** Applies a mutation to a text. */
export function applyMutation (text: string, mutation: Mutation): Buffer {
  let bytes = Buffer.from(text)
  for (const { at, byte, kind } of mutation) {
    const place = bytes.length === 0 ? 0 : at % bytes.length
    bytes = Buffer.concat([
      bytes.subarray(0, place),
      kind === 1 ? Buffer.alloc(0) : Buffer.from([byte]),
      bytes.subarray(kind === 2 ? place : place + 1)
    ])
  }
  return bytes
}
