/** Anything in the shape of a key or token of ours, wherever it turns up: MCP keys, feed and refresh tokens, webhook secrets, JWTs. */
const secrets = /\bsvc(mcp|ft|rt|bs)_[0-9A-Za-z_-]+|\bwhsec_[0-9A-Za-z+/=]+|\beyJ[\w-]+\.[\w-]+\.[\w-]*/g

/** A text as it may be logged or answered: callers put keys into addresses, names and arguments, and messages repeat what was sent. */
export const redactSecrets = (text: string): string => text.replace(secrets, '[secret]')
