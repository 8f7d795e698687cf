#!/bin/sh
# Checks a Litfeed service from outside: docs/smoke.sh http://127.0.0.1:8787 YOUR_KEY
# Exits with 0 if every check passes, 1 if one fails, 2 if the arguments are wrong. Needs curl.
set -u
base=${1:-}
key=${2:-${LITFEED_KEY:-}}
if [ -z "$base" ] || [ -z "$key" ]; then
  echo "usage: $0 BASE_URL KEY   (or the key in LITFEED_KEY)" >&2
  exit 2
fi
base=${base%/}
failures=0
body=$(mktemp)
trap 'rm -f "$body"' EXIT

# check NAME STATUS PATTERN CURL-ARGUMENTS…: the response must have this status and a body that matches the pattern.
check () {
  name=$1 status=$2 pattern=$3
  shift 3
  got=$(curl -sS --max-time 15 -o "$body" -w '%{http_code}' "$@") || got=000
  if [ "$got" = "$status" ] && grep -Eq -- "$pattern" "$body"; then
    echo "ok    $name"
  else
    echo "FAIL  $name: status $got, expected $status and a body matching $pattern"
    head -c 300 "$body"
    echo
    failures=$((failures + 1))
  fi
}

# call NAME PATTERN MESSAGE: sends a JSON-RPC message with the key in the header.
call () {
  check "$1" 200 "$2" -X POST "$base/api/mcp" -H "Authorization: Bearer $key" -H 'Content-Type: application/json' -d "$3"
}

check 'the process is alive' 200 '"status":"ok"' "$base/healthz"
check 'the service is ready' 200 '"ready":true' "$base/readyz"
check 'missing key: 401' 401 'MCP key is missing' -X POST "$base/api/mcp" -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"ping"}'
check 'foreign origin: 403' 403 'error' -X POST "$base/api/mcp" -H "Authorization: Bearer $key" -H 'Origin: https://stranger.invalid' -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"ping"}'
check 'GET: 405' 405 'POST' "$base/api/mcp" -H "Authorization: Bearer $key"
check 'no OAuth: 404' 404 'access_denied' "$base/.well-known/oauth-protected-resource"
check 'key in the address' 200 '"result":\{\}' -X POST "$base/api/mcp/?key=$key" -H 'Content-Type: application/json' -d '{"jsonrpc":"2.0","id":1,"method":"ping"}'
call 'initialize' '"protocolVersion":"2025-11-25"' '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"smoke","version":"1"}}}'
call 'tools/list' '"name":"feed_search"' '{"jsonrpc":"2.0","id":2,"method":"tools/list"}'
call 'projects_list' '"structuredContent":\{"items"' '{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"projects_list","arguments":{}}}'
call 'invalid arguments are a result with isError' '"isError":true.*invalid_arguments' '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"projects_get","arguments":{}}}'
call 'prompts/list' 'feed_title_filter' '{"jsonrpc":"2.0","id":5,"method":"prompts/list"}'
check 'server/discover' 200 '2026-07-28' -X POST "$base/api/mcp" -H "Authorization: Bearer $key" -H 'Content-Type: application/json' -H 'MCP-Protocol-Version: 2026-07-28' -H 'Mcp-Method: server/discover' \
  -d '{"jsonrpc":"2.0","id":6,"method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}'
check 'REST with the key' 200 '"items"' "$base/api/projects" -H "X-API-Key: $key"

if [ "$failures" -gt 0 ]; then
  echo "$failures checks failed."
  exit 1
fi
echo 'All checks passed.'
