import { INVALID_PARAMS, ProtocolError } from '../errors.js'
import type { Method } from '../method.js'
import { instructionsFor } from '../instructions.js'
import { capabilities, serverInfoOf } from '../server-info.js'
import { newestLegacy, isLegacy, modernVersions } from '../versions.js'

/** Legacy: agrees on a revision. Answers an unsupported one with the newest of its era, as the protocol requires. */
export const initialize: Method = ({ context, toolSet }, { protocolVersion }) => {
  if (typeof protocolVersion !== 'string') {
    throw new ProtocolError(INVALID_PARAMS, 'protocolVersion must be a string, such as "2025-11-25".')
  }
  return {
    protocolVersion: isLegacy(protocolVersion) ? protocolVersion : newestLegacy,
    capabilities,
    serverInfo: serverInfoOf(context.baseUrl()),
    instructions: instructionsFor(toolSet, context.key?.scope ?? 'read')
  }
}

/** `ping`. */
export const ping: Method = () => ({})

/** Modern: the revisions and capabilities of the service, without a session. */
export const discover: Method = ({ context, toolSet }) =>
  ({ supportedVersions: modernVersions, capabilities, instructions: instructionsFor(toolSet, context.key?.scope ?? 'read') })
