// Drives real MCP clients through a researcher's weekly job with a scripted stand-in for their models, and prints what the models received.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { claudeCode } from './claude-code.mjs'
import { codex } from './codex.mjs'
import { geminiCli } from './gemini-cli.mjs'
import { request, steps, weeklyJob } from './job.mjs'
import { isTool, modelServer } from './model.mjs'
import { opencode } from './opencode.mjs'
import { Run } from './run-record.mjs'
import { sdks } from './sdk.mjs'
import { failing, mcpProxy, startService, topic } from './service.mjs'

const here = dirname(fileURLToPath(import.meta.url))
/** Every client. Adding one is its file and a place in this list. */
const clients = [claudeCode, codex, opencode, geminiCli, ...sdks]
const timeoutMs = 240_000

const only = process.env.ONLY?.toLowerCase()
const chosen = clients.filter(({ name }) => !only || name.toLowerCase().replaceAll(' ', '-').includes(only.replaceAll(' ', '-')))
if (chosen.length === 0) throw new Error(`ONLY=${process.env.ONLY} is no client. Clients: ${clients.map(({ name }) => name).join(', ')}.`)

const folder = mkdtempSync(join(tmpdir(), 'litfeed-clients-'))
const doiOf = client => `10.5555/clients.${clients.indexOf(client)}`
const service = await startService(join(folder, 'data'), clients.map(doiOf))
let current
const [modelUrl, proxyUrl] = await Promise.all([modelServer(() => current), mcpProxy(service.address, () => current)].map(listen))
const reports = []
try {
  // In advance, because it takes a while until a source counts as down.
  const accounts = new Map()
  for (const client of chosen.filter(isInstalled)) accounts.set(client, await service.account(client.name))
  for (const client of chosen) {
    console.log(`${client.name} …`)
    reports.push(await report(client, accounts.get(client)))
  }
} finally {
  await service.stop()
  rmSync(folder, { recursive: true, force: true })
}
print(reports)
process.exit(reports.every(({ faults }) => faults.length === 0) ? 0 : 1)

function isInstalled (client) {
  return existsSync(manifestOf(client))
}

function manifestOf (client) {
  return join(here, 'node_modules', client.package, 'package.json')
}

async function report (client, account) {
  const run = new Run(weeklyJob({ topic, failing, doi: doiOf(client) }))
  if (account === undefined) return { client, run, version: '-', faults: [`${client.package} is not installed`] }
  const { version } = JSON.parse(readFileSync(manifestOf(client), 'utf8'))
  await account.isReady()
  const where = { mcpUrl: `${proxyUrl}/api/mcp`, key: account.key, modelUrl, request: request(topic) }
  current = run
  const startedAt = Date.now()
  let printed
  try {
    printed = client.drive === undefined ? await launch(client, client.prepare(where)) : await client.drive(run, where)
  } catch (error) {
    printed = error.stack
  }
  current = undefined
  return { client, run, version, seconds: Math.round((Date.now() - startedAt) / 1000), faults: faultsOf(run, printed) }
}

/** Runs a client's program in an empty home. Nothing of this environment reaches it but PATH. @returns what it printed */
async function launch (client, { files, env, args }) {
  const home = mkdtempSync(join(folder, 'home-'))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(home, name)), { recursive: true })
    writeFileSync(join(home, name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const child = spawn(join(here, 'node_modules/.bin', client.bin), args, {
    cwd: home,
    env: { PATH: process.env.PATH, HOME: home, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: timeoutMs,
    killSignal: 'SIGKILL'
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', chunk => { printed += chunk })
  await once(child, 'close')
  return printed
}

function faultsOf (run, printed) {
  if (run.offered === undefined) return [`it never asked the model with Litfeed's tools. It printed: ${printed.slice(-1500)}`]
  const faults = []
  for (const { name, inputSchema } of run.listed) {
    const offered = run.offered.find(each => isTool(each.name, name))
    if (offered === undefined) faults.push(`the model is not offered ${name}`)
    const lost = Object.keys(inputSchema.properties ?? {}).filter(
      property => offered !== undefined && !(property in (offered.schema.properties ?? {}))
    )
    if (lost.length > 0) faults.push(`the model is not told of ${lost.join(', ')} of ${name}`)
  }
  if (run.failure !== undefined) faults.push(`${run.failure.step}: ${run.failure.why}`)
  else if (!printed.includes('The job is done.')) faults.push(`answer: it printed: ${printed.slice(-1500)}`)
  return [...faults, ...[...run.cut].map(step => `${step}: the model did not receive the whole result`)]
}

function print (reports) {
  const cells = [
    ['step', ...reports.map(({ client, version }) => `${client.name} ${version}`)],
    ['tools/list', ...reports.map(({ run }) => count(run.toolsListChars))],
    ...steps.map(step => [step, ...reports.map(({ run, faults }) => cell(step, run, faults))])
  ]
  const widths = cells[0].map((_, column) => Math.max(...cells.map(row => row[column].length)))
  console.log('\nCharacters that the model received\n')
  for (const row of cells) {
    console.log(row.map((text, column) => column === 0 ? text.padEnd(widths[column]) : text.padStart(widths[column])).join('  '))
  }
  for (const { client, faults, seconds } of reports) {
    console.log(
      faults.length === 0
        ? `\n${client.name}: the job is done in ${seconds} s.`
        : `\n${client.name} failed:\n${faults.map(fault => `- ${fault}`).join('\n')}`
    )
  }
}

function count (number) {
  return number.toLocaleString('en')
}

function cell (step, run, faults) {
  if (step === 'answer') return faults.length === 0 ? 'ok' : 'failed'
  const chars = run.steps.get(step)
  if (chars === undefined) return '-'
  return `${count(chars)}${run.cut.has(step) ? ' cut' : ''}${run.failure?.step === step ? ' failed' : ''}`
}

async function listen (server) {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${server.address().port}`
}
