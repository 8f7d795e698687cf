import type { VNode } from 'preact'
import { type Static, Type } from 'typebox'
import type { McpKeyResult } from '../../../../schemas/account.js'
import { atomFeedSize } from '../../../../schemas/feed.js'
import type { KeysListResult } from '../../../../schemas/key.js'
import { feedAtomUrls } from '../../../operations/feed/feed-atom-urls.js'
import { feedTokenRotate } from '../../../operations/accounts/feed-token-rotate.js'
import { keyCreate } from '../../../operations/keys/key-create.js'
import { keyDelete } from '../../../operations/keys/key-delete.js'
import { keyGet } from '../../../operations/keys/key-get.js'
import { keyReplace } from '../../../operations/keys/key-replace.js'
import { keyRevoke } from '../../../operations/keys/key-revoke.js'
import { keyRotate } from '../../../operations/keys/key-rotate.js'
import { keysList } from '../../../operations/keys/keys-list.js'
import { mcpTry, type McpTryResult } from '../../../operations/keys/mcp-try.js'
import type { Context } from '../../../operations/context.js'
import { readSkill } from '../../../settings/skill.js'
import { fromText, type Query } from '../fields.js'
import { accountPage, action, type PageContent, resultOf } from '../page.js'
import { Confirm } from '../components/confirm.js'
import { ClientSetup } from '../components/clients.js'
import { Copy } from '../components/copy.js'
import { Form } from '../components/form.js'
import { Time } from '../components/time.js'
import { useView } from '../view.js'
import { Keys, keysAddress } from './connect/keys.js'
import { TestConnection } from './connect/test-connection.js'

/** Keys on a page. */
const pageSize = 50

const placeholder = 'YOUR_KEY'

/** `projects` has the ticked projects; none means all. */
const KeyFields = Type.Object({ ...Type.Omit(keyCreate.input, ['project_ids']).properties, projects: Type.Array(Type.String()) })

/** The page of keys that a form was on. */
const KeysPage = Type.Pick(keysList.input, ['offset'])

/** Access for other programs: MCP key, client setup, connection test, Atom addresses. */
export const connectPage = accountPage({
  url: '/connect',
  operations: [keyGet, keysList, feedAtomUrls],
  query: KeysPage,
  show: async (context, page) => await connect(context, {}, checkPage(page)),
  actions: {
    'make-key': action({
      operations: [keyRotate],
      fields: Type.Object({}),
      // Only this response contains the key.
      run: async context => ({ page: resultOf(await connect(context, { newKey: (await keyRotate.run(context, {})).api_key })) })
    }),
    'revoke-key': action({
      operations: [keyRevoke],
      fields: Type.Object({}),
      async run (context) {
        await keyRevoke.run(context, {})
        return { to: '/connect', notice: 'Key revoked. It stops working within a second.' }
      }
    }),
    create: action({
      operations: [keyCreate],
      fields: KeyFields,
      async run (context, { name, scope, projects, expires_at }) {
        const project_ids = projects.length === 0 ? undefined : projects
        const { api_key } = await keyCreate.run(context, { name, scope, expires_at, project_ids }, fromText)
        return { page: resultOf(await connect(context, { newKey: api_key, isListed: true })) }
      }
    }),
    replace: action({
      operations: [keyReplace],
      fields: Type.Object({ ...keyReplace.input.properties, ...KeysPage.properties }),
      async run (context, { key_id, offset }) {
        // First, because the new key is shown only once.
        const page = checkPage({ offset })
        const { api_key } = await keyReplace.run(context, { key_id })
        return { page: resultOf(await connect(context, { newKey: api_key, isListed: true }, page)) }
      }
    }),
    revoke: action({
      operations: [keyDelete],
      fields: Type.Object({ ...keyDelete.input.properties, ...KeysPage.properties }),
      async run (context, { key_id, offset }) {
        const page = checkPage({ offset })
        await keyDelete.run(context, { key_id })
        return { to: `${keysAddress(page.offset ?? 0)}#keys`, notice: 'Key revoked. It stops working within a second.' }
      }
    }),
    test: action({
      operations: [mcpTry],
      fields: Type.Object({ ...mcpTry.input.properties, is_new: Type.Boolean(), is_listed: Type.Boolean() }),
      async run (context, { key, is_new, is_listed: isListed = false }) {
        const testResult = await mcpTry.run(context, { key: key?.trim() })
        // Without scripts, the answer replaces the only page that has the new key.
        const hasNewKey = is_new === true && key !== undefined
        return { page: await connect(context, hasNewKey ? { newKey: key, isListed, testResult } : { testResult }) }
      }
    }),
    'rotate-feed-token': action({
      operations: [feedTokenRotate],
      fields: Type.Object({}),
      async run (context) {
        await feedTokenRotate.run(context, {})
        return { to: '/connect', notice: 'The Atom addresses were replaced. The old ones no longer work.' }
      }
    })
  }
})

/** @throws InvalidArguments */
const checkPage = ({ offset }: Query<typeof KeysPage>) => keysList.check({ limit: pageSize, offset }, fromText)

/** Results of the current request, which are shown only once. */
interface RequestResult {
  /** The key that the request created. */
  newKey?: string
  /** Whether the key belongs to the list of all keys, where it is shown. */
  isListed?: boolean
  testResult?: McpTryResult
}

async function connect (context: Context, result: RequestResult, page = checkPage({ offset: undefined })): Promise<PageContent> {
  const [{ key }, keys, { items: feeds }] = await Promise.all([
    keyGet.run(context, {}),
    keysList.run(context, page),
    feedAtomUrls.run(context, {})
  ])
  return {
    title: 'Connect',
    content: <Connect base={context.baseUrl()} currentKey={key} keys={keys} now={context.now()} feeds={feeds} {...result} />
  }
}

interface ConnectProps extends RequestResult {
  base: string
  currentKey: Static<typeof McpKeyResult>['key']
  keys: KeysListResult
  now: Date
  feeds: ReadonlyArray<{ project_id: string, name: string, url: string }>
}

const Connect = ({ base, currentKey, keys, now, feeds, newKey, isListed = false, testResult }: ConnectProps) => (
  <>
    <h1>Connect</h1>
    <p class='lead page-lead'>
      Use your feeds from an AI assistant, an editor or a script over MCP (Model Context Protocol), or from a feed reader over Atom.
    </p>
    <section aria-labelledby='your-key'>
      <h2 id='your-key'>Your key</h2>
      {newKey !== undefined && !isListed ? <NewKey apiKey={newKey} /> : currentKey === null ? <NoKey /> : <CurrentKey {...currentKey} />}
    </section>
    <section aria-labelledby='clients'>
      <h2 id='clients'>Set up a client</h2>
      {newKey === undefined && (
        <p class='quiet-text before-list'>
          Replace <code>{placeholder}</code> with your key. Right after you create a key, the commands already contain it.
        </p>
      )}
      <ClientSetup service={{ base, key: newKey ?? placeholder }} />
    </section>
    <Skill />
    <Api />
    <Keys page={keys} projects={feeds} now={now}>{newKey !== undefined && isListed && <NewKey apiKey={newKey} />}</Keys>
    <TestConnection newKey={newKey} isListed={isListed} result={testResult} />
    <section aria-labelledby='atom'>
      <h2 id='atom'>Follow in a feed reader</h2>
      {feeds.length === 0
        ? <p class='quiet-text'>Each project publishes its newest {atomFeedSize} papers as an Atom feed. You have no projects yet.</p>
        : <Feeds feeds={feeds} />}
    </section>
  </>
)

/** The text that teaches an agent what to do with the tools. */
function Skill (): VNode {
  const { to } = useView()
  return (
    <section aria-labelledby='skill'>
      <h2 id='skill'>Teach your agent</h2>
      <p class='quiet-text before-list'>
        This skill describes the weekly job: what to call, what to report, and how to treat text from papers. Put it into the skills folder
        of your agent as <code>litfeed/SKILL.md</code>, or paste it into its instructions. With a read key, end the address of the endpoint
        with <code>?tools=all</code> (or <code>&amp;tools=all</code> after the key): otherwise it lists neither{' '}
        <code>feed_brief</code> nor <code>paper_cite</code>, which the skill uses.
      </p>
      <details class='answer'>
        <summary>SKILL.md</summary>
        <Copy lines text={readSkill()} label='SKILL.md' />
      </details>
      <p><a class='button secondary' href={to('/connect/SKILL.md')}>Download SKILL.md</a></p>
    </section>
  )
}

function Api (): VNode {
  const { to } = useView()
  return (
    <section aria-labelledby='api'>
      <h2 id='api'>REST API</h2>
      <p class='quiet-text'>
        Scripts can use the same keys. <a href={to('/api/openapi.json')} download>Download the OpenAPI description</a>
      </p>
    </section>
  )
}

const NoKey = () => (
  <div class='panel key-panel'>
    <p>
      No key yet. MCP clients use this key to read your feeds; it cannot change anything. Keys that can vote and add papers are under All
      keys.
    </p>
    <Form action='make-key' address='/connect'><button>Create key</button></Form>
  </div>
)

const CurrentKey = ({ masked, created_at, last_used_at }: NonNullable<ConnectProps['currentKey']>) => (
  <div class='panel key-panel'>
    <p class='key-line'>
      <code>{masked}</code>
    </p>
    <p class='quiet-text'>
      Created <Time at={created_at} precise />. Last used <Time at={last_used_at} precise />. The secret was shown once and cannot be
      recovered.
    </p>
    <div class='buttons asks'>
      <Confirm label='Replace key'>
        <p>The current key stops working within a second in every client that uses it.</p>
        <Form action='make-key' address='/connect'><button>Create a new key and revoke the current one</button></Form>
      </Confirm>
      <Confirm label='Revoke key'>
        <p>The key stops working within a second in every client that uses it.</p>
        <Form action='revoke-key' address='/connect'><button class='danger'>Revoke key</button></Form>
      </Confirm>
    </div>
  </div>
)

const NewKey = ({ apiKey }: { apiKey: string }) => (
  <div class='panel key-panel key-made'>
    <p role='status'><b>Your new key.</b> Copy it or set up your client before you leave this page: it is shown only once.</p>
    <Copy text={apiKey} label='the key' />
  </div>
)

const Feeds = ({ feeds }: Pick<ConnectProps, 'feeds'>) => (
  <>
    <p class='quiet-text before-list'>Each address contains a private token. Anyone who has it can read that feed.</p>
    <ul class='atom-list'>
      {feeds.map(({ project_id, name, url }) => (
        <li key={project_id}>
          <p>{name}</p>
          <Copy text={url} label={`the Atom address of ${name}`} />
        </li>
      ))}
    </ul>
    <Confirm label='Replace addresses'>
      <p>All addresses above stop working at once. Update every feed reader that uses one.</p>
      <Form action='rotate-feed-token' address='/connect'><button class='danger'>Replace all addresses</button></Form>
    </Confirm>
  </>
)
