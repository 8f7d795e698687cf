import type { VNode } from 'preact'
import { type Static, Type } from 'typebox'
import type { McpKeyResult } from '../../../../schemas/account.js'
import { feedAtomUrls } from '../../../operations/feed/feed-atom-urls.js'
import { feedTokenRotate } from '../../../operations/accounts/feed-token-rotate.js'
import { keyGet } from '../../../operations/keys/key-get.js'
import { keyRevoke } from '../../../operations/keys/key-revoke.js'
import { keyRotate } from '../../../operations/keys/key-rotate.js'
import { mcpTry, type McpTryResult } from '../../../operations/keys/mcp-try.js'
import type { Context } from '../../../operations/context.js'
import { boundsOf } from '../fields.js'
import { accountPage, action, type Shown } from '../page.js'
import { Ask } from '../components/confirm.js'
import { ClientSetup } from '../components/clients.js'
import { Copy } from '../components/copy.js'
import { Field, Form } from '../components/form.js'
import { Notice } from '../components/notice.js'
import { Time } from '../components/time.js'
import { useView } from '../view.js'

const placeholder = 'YOUR_KEY'

/** How other programs reach the feeds: the MCP key, clients, a call to try it, Atom addresses. */
export const connectPage = accountPage({
  url: '/connect',
  operations: [keyGet, feedAtomUrls],
  query: Type.Object({}),
  show: async context => await connect(context, {}),
  actions: {
    'make-key': action({
      operations: [keyRotate],
      fields: Type.Object({}),
      // The one answer that holds the key: no address, no later page does.
      run: async context => ({ shown: await connect(context, { made: (await keyRotate.run(context, {})).api_key }) })
    }),
    'revoke-key': action({
      operations: [keyRevoke],
      fields: Type.Object({}),
      async run (context) {
        await keyRevoke.run(context, {})
        return { to: '/connect', notice: 'Key revoked. It stops working within a second.' }
      }
    }),
    test: action({
      operations: [mcpTry],
      fields: mcpTry.input,
      run: async (context, { key }) => ({ shown: await connect(context, { tried: await mcpTry.run(context, { key: key?.trim() }) }) })
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

interface Once {
  /** A key that was made by this very request. */
  made?: string
  tried?: McpTryResult
}

async function connect (context: Context, once: Once): Promise<Shown> {
  const [{ key }, { items: feeds }] = await Promise.all([keyGet.run(context, {}), feedAtomUrls.run(context, {})])
  return { title: 'Connect', content: <Connect base={context.baseUrl()} kept={key} feeds={feeds} {...once} /> }
}

interface ConnectProps extends Once {
  base: string
  kept: Static<typeof McpKeyResult>['key']
  feeds: ReadonlyArray<{ project_id: string, name: string, url: string }>
}

const Connect = ({ base, kept, feeds, made, tried }: ConnectProps) => (
  <>
    <h1>Connect</h1>
    <p class='lead page-lead'>Use your feeds from an AI assistant, an editor or a script over MCP (Model Context Protocol), or from a feed reader over Atom.</p>
    <section aria-labelledby='your-key'>
      <h2 id='your-key'>Your key</h2>
      {made === undefined ? kept === null ? <NoKey /> : <KeptKey {...kept} /> : <MadeKey made={made} />}
    </section>
    <section aria-labelledby='clients'>
      <h2 id='clients'>Set up a client</h2>
      {made === undefined && <p class='quiet-text before-list'>Replace <code>{placeholder}</code> with your key. Right after you create a key, the commands already contain it.</p>}
      <ClientSetup service={{ base, key: made ?? placeholder }} />
    </section>
    <Test made={made} tried={tried} />
    <section aria-labelledby='atom'>
      <h2 id='atom'>Follow in a feed reader</h2>
      {feeds.length === 0 ? <p class='quiet-text'>Each project publishes its newest 50 papers as an Atom feed. You have no projects yet.</p> : <Feeds feeds={feeds} />}
    </section>
  </>
)

const NoKey = () => (
  <div class='panel key-panel'>
    <p>No key yet. MCP clients use a key to read your feeds; it cannot change anything.</p>
    <Form action='make-key' address='/connect'><button>Create key</button></Form>
  </div>
)

const KeptKey = ({ masked, created_at, last_used_at }: NonNullable<ConnectProps['kept']>) => (
  <div class='panel key-panel'>
    <p class='key-line'><code>{masked}</code></p>
    <p class='quiet-text'>Created <Time at={created_at} precise />. Last used <Time at={last_used_at} precise />. The secret was shown once and cannot be recovered.</p>
    <div class='buttons asks'>
      <Ask what='Replace key'>
        <p>The current key stops working within a second in every client that uses it.</p>
        <Form action='make-key' address='/connect'><button>Create a new key and revoke the current one</button></Form>
      </Ask>
      <Ask what='Revoke key'>
        <p>The key stops working within a second in every client that uses it.</p>
        <Form action='revoke-key' address='/connect'><button class='danger'>Revoke key</button></Form>
      </Ask>
    </div>
  </div>
)

const MadeKey = ({ made }: { made: string }) => (
  <div class='panel key-panel key-made'>
    <p role='status'><b>Your new key.</b> Copy it or set up your client before you leave this page: it is shown only once.</p>
    <Copy text={made} label='the key' />
    <p class='quiet-text'>The previous key stops working within a second.</p>
  </div>
)

function Test ({ made, tried }: { made: string | undefined, tried: McpTryResult | undefined }): VNode {
  const { to } = useView()
  return (
    <section aria-labelledby='test'>
      <h2 id='test'>Test the connection</h2>
      <p class='quiet-text before-list'>Calls the MCP endpoint with {made === undefined ? 'your key' : 'the new key'} and shows the response.</p>
      <Form action='test' address='/connect#test' class='test-form' hx-post={to('/connect')} hx-target='#tried' hx-select='#tried' hx-swap='outerHTML' hx-disabled-elt='find button'>
        {made === undefined
          ? <Field name='key' id='key-to-test' label='Key' type='password' autocomplete='off' required {...boundsOf(mcpTry.input.properties.key)} placeholder='svcmcp_…' />
          : <input type='hidden' name='key' value={made} />}
        <button class='secondary'>Test</button>
      </Form>
      <div id='tried' class='tried' role='status'>{tried !== undefined && <Tried {...tried} />}</div>
    </section>
  )
}

const Tried = ({ works, status, milliseconds, tools, answer, problem }: McpTryResult) => (
  <div class='stack'>
    <Notice kind={works ? 'good' : 'bad'}>{works ? <><b>Connected.</b> The endpoint listed its tools and answered <code>projects_list</code>.</> : <><b>Connection failed.</b> {problem}</>}</Notice>
    <dl class='properties'>
      <div><dt>Status</dt><dd>{status}</dd></div>
      <div><dt>Time</dt><dd>{milliseconds.toLocaleString('en')} ms</dd></div>
      {tools.length > 0 && <div class='property-wide'><dt>Tools</dt><dd>{tools.map((tool, at) => <span key={tool}>{at > 0 && ' '}<code>{tool}</code></span>)}</dd></div>}
    </dl>
    <Answer text={answer} />
  </div>
)

const Answer = ({ text }: { text: string }) => (
  <details class='answer' open>
    <summary>Response</summary>
    <pre tabIndex={0} role='region' aria-label='Response'><code>{text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text}</code></pre>
  </details>
)

const Feeds = ({ feeds }: Pick<ConnectProps, 'feeds'>) => (
  <>
    <p class='quiet-text before-list'>Each address contains a private token. Anyone who has it can read that feed.</p>
    <ul class='atom-list'>
      {feeds.map(({ project_id, name, url }) => <li key={project_id}><p>{name}</p><Copy text={url} label={`the Atom address of ${name}`} /></li>)}
    </ul>
    <Ask what='Replace addresses'>
      <p>All addresses above stop working at once. Update every feed reader that uses one.</p>
      <Form action='rotate-feed-token' address='/connect'><button class='danger'>Replace all addresses</button></Form>
    </Ask>
  </>
)
