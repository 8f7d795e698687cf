import t from 'tap'
import { formats } from '../../schemas/formats.js'

const cases: Array<[format: string, accepted: string[], refused: string[]]> = [
  [
    'uuid',
    ['0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11', '0B54C2AB-6F2E-4D6C-9D0F-3A8F5B1F7A11'],
    ['urn:uuid:0b54c2ab-6f2e-4d6c-9d0f-3a8f5b1f7a11', '0b54c2ab6f2e4d6c9d0f3a8f5b1f7a11', '']
  ],
  [
    'email',
    ['ana@example.org', 'ana.b+feed@mail.example.org'],
    ['ana@localhost', '"a b"@example.org', 'ana@[127.0.0.1]', 'ana', 'ana@example.org, b@example.org', 'ana@example.org\n']
  ],
  ['date', ['2024-02-29'], ['2023-02-29', '2024-13-01', '2024-1-1']],
  ['date-time', ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00.123+01:00'], ['2026-11-20', '2026-11-20T10:00:00', '2026-11-20T25:00:00Z']],
  ['uri', ['https://example.org/a?b=c'], ['example.org', '/a', 'https://example.org/a b']]
]

for (const [format, accepted, refused] of cases) {
  t.test(`the format ${format}`, async t => {
    for (const value of accepted) t.ok(formats[format]!(value), `takes ${JSON.stringify(value)}`)
    for (const value of refused) t.notOk(formats[format]!(value), `refuses ${JSON.stringify(value)}`)
  })
}
