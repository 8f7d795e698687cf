import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/settings/version.js'

/*
 * Tries the archive of make release as its users would: unpacked in an empty folder and run with Node alone, installed, and through npx. Where
 * the system lets a user make a network of his own, all of it happens in one that leads nowhere.
 */

const isolated = 'LITFEED_WITHOUT_NETWORK'
const out = fileURLToPath(new URL('release/out/', packageRoot))
const self = fileURLToPath(import.meta.url)
const samples = ['pubmed.xml', 'references.bib', 'references.ris'].map(name => fileURLToPath(new URL(`samples/${name}`, packageRoot)))
const argumentsOf = (script: string) => ['--map-root-user', '--net', 'sh', '-c', `ip link set lo up && ${script}`, process.execPath, self]

if (process.env[isolated] === undefined && spawnSync('unshare', argumentsOf('true')).status === 0) {
  process.exitCode = spawnSync('unshare', argumentsOf('exec "$0" "$@"'), { stdio: 'inherit', env: { ...process.env, [isolated]: '1' } }).status ?? 1
} else {
  await tryArchive(process.env[isolated] === undefined ? 'with the network of this machine' : 'without a network')
}

async function tryArchive (where: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'litfeed-release-'))
  try {
    const name = readdirSync(out).find(file => file.endsWith('.tgz'))
    if (name === undefined) throw new Error('There is no archive in release/out.')
    const archive = join(out, name)
    const bin = join(directory, 'bin')
    mkdirSync(bin)
    symlinkSync(process.execPath, join(bin, 'node'))

    run('tar', ['-xzf', archive, '-C', directory])
    await tryProgram('unpacked', ['node', join(directory, 'package/dist/src/cli/index.js')], join(directory, 'first'), bin)

    const npm = ['--offline', '--cache', join(directory, 'cache'), '--ignore-scripts']
    run('npm', ['install', '--global', '--prefix', join(directory, 'global'), ...npm, archive])
    await tryProgram('npm install --global', [join(directory, 'global/bin/litfeed')], join(directory, 'second'), bin)

    const shown = run('npx', [...npm, '--yes', '--package', archive, 'litfeed', '--version'], directory).trim()
    if (!name.includes(shown)) throw new Error(`npx ran version ${shown} of ${name}.`)
    say('npx', `litfeed --version: ${shown}`)
    process.stdout.write(`The archive works, ${where}.\n`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Makes an account, imports, looks for faults, serves, answers, and stops: with nothing on the path but Node. */
async function tryProgram (what: string, [command, ...args]: string[], dataDir: string, path: string): Promise<void> {
  mkdirSync(dataDir)
  const environment = { PATH: path, HOME: dataDir, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' }
  const program = join(path, 'node')
  const whole = command === 'node' ? [program, ...args] : [program, command!, ...args]
  const litfeed = (...more: string[]) => JSON.parse(run(whole[0]!, [...whole.slice(1), ...more, '--json'], dataDir, environment))
  litfeed('user', 'create', '--email', 'you@example.org')
  const { id } = litfeed('project', 'create', '--email', 'you@example.org', '--name', 'Sleep', '--interest', 'How sleep consolidates memory')
  const { created } = litfeed('import', ...samples, '--project', id)
  const { api_key: key } = litfeed('key', 'rotate', '--email', 'you@example.org')
  const doctor = spawnSync(whole[0]!, [...whole.slice(1), 'doctor'], { cwd: dataDir, env: environment, encoding: 'utf8' })
  if (doctor.status !== 0) throw new Error(`litfeed doctor: ${doctor.stdout}${doctor.stderr}`)

  const service = spawn(whole[0]!, [...whole.slice(1), 'serve'], { cwd: dataDir, env: environment, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  while (!printed.includes('Litfeed is at')) printed += String((await once(service.stdout, 'data'))[0])
  const address = /Litfeed is at (http:\/\/[^/]+)/.exec(printed)![1]!
  const call = { method: 'POST', headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' }, body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'feed_search', arguments: { project_id: id, q: 'sleep' } } }) }
  const answer = await (await fetch(`${address}/api/mcp`, call)).json() as { result: { structuredContent: { items: unknown[] } } }
  for (const page of ['/', '/readyz', '/metrics']) if (!(await fetch(address + page)).ok) throw new Error(`${page} is not there.`)
  service.kill('SIGTERM')
  const [code] = await once(service, 'exit')
  if (code !== 0) throw new Error(`litfeed serve ended with ${code}.`)
  say(what, `imported ${created}, found ${answer.result.structuredContent.items.length}, doctor is content, serve ended with 0`)
}

function run (command: string, args: string[], cwd = out, env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}: ${stderr || error?.message}`)
  return stdout
}

function say (what: string, seen: string): void {
  process.stdout.write(`ok  ${what}: ${seen}\n`)
}
