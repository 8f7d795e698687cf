/** Litfeed's secrets: MCP keys, tokens of feeds, sessions and links in mails, webhook secrets, JWTs. */
const secrets = /\bsvc(mcp|ft|rt|bs|pr|un|sh|in)_[0-9A-Za-z_-]+|\bwhsec_[0-9A-Za-z+/=]+|\beyJ[\w-]+\.[\w-]+\.[\w-]*/g

/** Replaces secrets by "[secret]". Log lines and messages need it, since callers put keys into addresses, names and arguments. */
export const redactSecrets = (text: string): string => text.replace(secrets, '[secret]')
