/** https://www.jsonrpc.org/specification, with MCP's narrower ids: never null. */
export type RequestId = string | number

/** A JSON-RPC 2.0 request. */
export interface JsonRpcRequest { jsonrpc: '2.0', id: RequestId, method: string, params?: Record<string, unknown> }
/** A JSON-RPC 2.0 notification: it has no id and gets no response. */
export interface JsonRpcNotification { jsonrpc: '2.0', method: string, params?: Record<string, unknown> }
