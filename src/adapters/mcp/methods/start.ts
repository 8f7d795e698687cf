import { INVALID_PARAMS, ProtocolError } from '../errors.js'
import type { Method } from '../method.js'
import { capabilities, instructions, serverInfoOf } from '../server-info.js'
import { newestLegacy, isLegacy, modernVersions } from '../versions.js'

/** Legacy: agrees on a revision. Answers an unsupported one with the newest of its era, as the protocol requires. */
export const initialize: Method = ({ context }, { protocolVersion }) => {
  if (typeof protocolVersion !== 'string') {
    throw new ProtocolError(INVALID_PARAMS, 'protocolVersion must be a string, such as "2025-11-25".')
  }
  return {
    protocolVersion: isLegacy(protocolVersion) ? protocolVersion : newestLegacy,
    capabilities,
    serverInfo: serverInfoOf(context.baseUrl()),
    instructions
  }
}

export const ping: Method = () => ({})

const discovery = Object.freeze({ supportedVersions: modernVersions, capabilities, instructions })

/** Modern: the revisions and capabilities of the service, without a session. */
export const discover: Method = () => discovery
