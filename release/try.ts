import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { packageRoot } from '../src/settings/version.js'

/*
 * Tests the archive of make release: unpacked into an empty folder and run with only Node.js on the path, installed globally, and through
 * npx. If the system allows unprivileged network namespaces, everything runs without a network.
 */

/** Set in the process that runs in its own network namespace. */
const isolationVariable = 'LITFEED_WITHOUT_NETWORK'
const out = fileURLToPath(new URL('release/out/', packageRoot))
const self = fileURLToPath(import.meta.url)
const samples = ['pubmed.xml', 'references.bib', 'references.ris'].map(name => fileURLToPath(new URL(`samples/${name}`, packageRoot)))
const unshareArguments = (script: string) => [
  '--map-root-user',
  '--net',
  'sh',
  '-c',
  `ip link set lo up && ${script}`,
  process.execPath,
  self
]

if (process.env[isolationVariable] === undefined && spawnSync('unshare', unshareArguments('true')).status === 0) {
  process.exitCode =
    spawnSync('unshare', unshareArguments('exec "$0" "$@"'), { stdio: 'inherit', env: { ...process.env, [isolationVariable]: '1' } })
      .status ?? 1
} else {
  await testArchive(process.env[isolationVariable] === undefined ? 'with the network of this machine' : 'without a network')
}

async function testArchive (network: string): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'litfeed-release-'))
  try {
    const name = readdirSync(out).find(file => file.endsWith('.tgz'))
    if (name === undefined) throw new Error('release/out has no archive. Run make release.')
    const archive = join(out, name)
    const bin = join(directory, 'bin')
    mkdirSync(bin)
    symlinkSync(process.execPath, join(bin, 'node'))

    run('tar', ['-xzf', archive, '-C', directory])
    await testProgram('unpacked', ['node', join(directory, 'package/dist/src/cli/index.js')], join(directory, 'first'), bin)

    const npm = ['--offline', '--cache', join(directory, 'cache'), '--ignore-scripts']
    run('npm', ['install', '--global', '--prefix', join(directory, 'global'), ...npm, archive])
    await testProgram('npm install --global', [join(directory, 'global/bin/litfeed')], join(directory, 'second'), bin)

    const version = run('npx', [...npm, '--yes', '--package', archive, 'litfeed', '--version'], directory).trim()
    if (!name.includes(version)) throw new Error(`npx ran version ${version} from ${name}.`)
    print('npx', `litfeed --version: ${version}`)
    process.stdout.write(`The archive works, ${network}.\n`)
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/**
 * Creates an account, imports, runs doctor, serves, calls a tool and stops, with only Node.js on the path. @throws Error at the first
 * failure
 */
async function testProgram (method: string, [command, ...args]: string[], dataDir: string, path: string): Promise<void> {
  mkdirSync(dataDir)
  const environment = { PATH: path, HOME: dataDir, DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn' }
  const program = join(path, 'node')
  const fullCommand = command === 'node' ? [program, ...args] : [program, command!, ...args]
  const litfeed = (...more: string[]) =>
    JSON.parse(run(fullCommand[0]!, [...fullCommand.slice(1), ...more, '--json'], dataDir, environment))
  litfeed('user', 'create', '--email', 'you@example.org')
  const { id } = litfeed(
    'project',
    'create',
    '--email',
    'you@example.org',
    '--name',
    'Sleep',
    '--interest',
    'How sleep consolidates memory'
  )
  const { created } = litfeed('import', ...samples, '--project', id)
  const { api_key: key } = litfeed('key', 'rotate', '--email', 'you@example.org')
  const doctor = spawnSync(fullCommand[0]!, [...fullCommand.slice(1), 'doctor'], { cwd: dataDir, env: environment, encoding: 'utf8' })
  if (doctor.status !== 0) throw new Error(`litfeed doctor: ${doctor.stdout}${doctor.stderr}`)

  const service = spawn(fullCommand[0]!, [...fullCommand.slice(1), 'serve'], {
    cwd: dataDir,
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit']
  })
  let printed = ''
  while (!printed.includes('Litfeed is at')) printed += String((await once(service.stdout, 'data'))[0])
  const address = /Litfeed is at (http:\/\/[^/]+)/.exec(printed)![1]!
  const call = {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'feed_search', arguments: { project_id: id, q: 'sleep' } }
    })
  }
  const response = (await (await fetch(`${address}/api/mcp`, call)).json()) as { result: { structuredContent: { items: unknown[] } } }
  for (const page of ['/', '/readyz', '/metrics']) if (!(await fetch(address + page)).ok) throw new Error(`${page} did not return 2xx.`)
  service.kill('SIGTERM')
  const [code] = await once(service, 'exit')
  if (code !== 0) throw new Error(`litfeed serve exited with ${code}.`)
  print(method, `imported ${created}, found ${response.result.structuredContent.items.length}, doctor found no errors, serve exited with 0`)
}

function run (command: string, args: string[], cwd = out, env: NodeJS.ProcessEnv = process.env): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${status}: ${stderr || error?.message}`)
  return stdout
}

function print (method: string, result: string): void {
  process.stdout.write(`ok  ${method}: ${result}\n`)
}
