import t from 'tap'
import type { FastifyRequest } from 'fastify'
import { credentialOf } from '../../src/server/authentication.js'

const credential = (headers: Record<string, string | string[]>, query: object = {}) =>
  credentialOf({ headers, query } as unknown as FastifyRequest)

t.test('a key is read from the Authorization header, else from X-API-Key, else from the address', async t => {
  const everywhere = { authorization: 'Bearer first', 'x-api-key': 'second' }
  t.equal(credential(everywhere, { key: 'third' }), 'first')
  t.equal(credential({ 'x-api-key': ' second ' }, { key: 'third' }), 'second')
  t.equal(credential({}, { key: 'third' }), 'third')
  t.equal(credential({ 'x-api-key': ' ' }, { key: 'third' }), 'third', 'a blank field of a form')
  t.equal(credential({}), undefined)
  t.equal(credential({ 'x-api-key': ['a', 'b'] }, { key: ['a', 'b'] }), undefined, 'not one key')
  t.equal(credential({ authorization: 'Basic first', 'x-api-key': 'second' }), 'second')
})

t.test("a key of the service comes before another program's token", t => {
  const key = 'svcmcp_a_b'
  t.equal(credential({ authorization: 'Bearer $KEY' }, { key }), key)
  t.equal(credential({ authorization: 'Bearer another', 'x-api-key': key }), key)
  t.equal(credential({ 'x-api-key': 'another' }, { key }), key)
  t.equal(credential({ authorization: `Bearer ${key}` }, { key: 'svcmcp_c_d' }), key)
  t.end()
})

t.test('a bearer token is one word after the scheme, in any case', async t => {
  for (const valid of ['Bearer token', 'bearer token', 'BEARER   token', 'Bearer token \t']) {
    t.equal(credential({ authorization: valid }), 'token', valid)
  }
  for (const invalid of ['token', 'Bearer', 'Bearer ', 'Bearertoken', 'XBearer token', 'Bearer token and more', 'Bearer\ttoken']) {
    t.equal(credential({ authorization: invalid }), undefined, invalid)
  }
})
