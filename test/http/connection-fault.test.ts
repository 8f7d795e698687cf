import t from 'tap'
import { connectionFault } from '../../src/http/connection-fault.js'

t.test('a server that cannot be reached is said to be so in plain words, with the code', async t => {
  const faultOf = (code: string) => connectionFault(Object.assign(new Error('the words of a server'), { code }))
  t.equal(faultOf('ENOTFOUND'), 'the host name does not exist (ENOTFOUND)')
  t.equal(faultOf('ENETUNREACH'), 'there is no route to it (ENETUNREACH)')
  t.equal(faultOf('DEPTH_ZERO_SELF_SIGNED_CERT'), 'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)')
  t.equal(faultOf('EOTHER'), 'the connection failed (EOTHER)')
  t.equal(faultOf('other words'), 'the connection failed')
  t.equal(connectionFault(new Error('the words of a server')), 'the connection failed')
})
