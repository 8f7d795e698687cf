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
import { accountPage, action, type Shown } from '../page.js'
import { Ask } from '../components/confirm.js'
import { ClientSetup } from '../parts/clients.js'
import { Copy } from '../parts/copy.js'
import { Field, Form } from '../parts/form.js'
import { Notice } from '../parts/notice.js'
import { Time } from '../parts/time.js'
import { useView } from '../view.js'

const placeholder = 'YOUR_KEY'

/** How other programs reach the feeds: the MCP key, clients, a call to try it, Atom addresses. */
export const connectPage = accountPage({
  url: '/connect',
  query: Type.Object({}),
  show: async context => await connect(context, {}),
  actions: {
    'make-key': action({
      fields: Type.Object({}),
      // The one answer that holds the key: no address, no later page does.
      run: async context => ({ shown: await connect(context, { made: (await keyRotate.run(context, {})).api_key }) })
    }),
    'revoke-key': action({
      fields: Type.Object({}),
      async run (context) {
        await keyRevoke.run(context, {})
        return { to: '/connect', notice: 'The key is revoked. It stops working within a second.' }
      }
    }),
    test: action({
      fields: mcpTry.input,
      run: async (context, { key }) => ({ shown: await connect(context, { tried: await mcpTry.run(context, { key: key.trim() }) }) })
    }),
    'rotate-feed-token': action({
      fields: Type.Object({}),
      async run (context) {
        await feedTokenRotate.run(context, {})
        return { to: '/connect', notice: 'The feeds have new addresses. The earlier ones are gone.' }
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
    <p class='lead page-lead'>Ask about your feeds from an assistant, an editor or a script. Litfeed speaks MCP, the Model Context Protocol, and Atom for feed readers.</p>
    <section aria-labelledby='your-key'>
      <h2 id='your-key'>Your key</h2>
      {made === undefined ? kept === null ? <NoKey /> : <KeptKey {...kept} /> : <MadeKey made={made} />}
    </section>
    <section aria-labelledby='clients'>
      <h2 id='clients'>Set up a client</h2>
      {made === undefined && <p class='quiet-text before-list'>Where it says <code>{placeholder}</code>, put your key. Right after a key is made it stands there already.</p>}
      <ClientSetup service={{ base, key: made ?? placeholder }} />
    </section>
    <Test made={made} tried={tried} />
    <section aria-labelledby='atom'>
      <h2 id='atom'>Follow in a feed reader</h2>
      {feeds.length === 0 ? <p class='quiet-text'>Each project has an Atom feed of its newest 50 papers. You have no project yet.</p> : <Feeds feeds={feeds} />}
    </section>
  </>
)

const NoKey = () => (
  <div class='panel key-panel'>
    <p>You have no key. A client needs one to read your feeds; it can change nothing.</p>
    <Form action='make-key' address='/connect'><button>Make a key</button></Form>
  </div>
)

const KeptKey = ({ masked, created_at, last_used_at }: NonNullable<ConnectProps['kept']>) => (
  <div class='panel key-panel'>
    <p class='key-line'><code>{masked}</code></p>
    <p class='quiet-text'>Made <Time at={created_at} precise />. Last used <Time at={last_used_at} precise />. Its secret was shown once, when it was made; nobody can see it again.</p>
    <div class='buttons asks'>
      <Ask what='Make a new key'>
        <p>The present key stops working within a second, in every client that has it.</p>
        <Form action='make-key' address='/connect'><button>Make a new key, end the present one</button></Form>
      </Ask>
      <Ask what='Revoke the key'>
        <p>It stops working within a second, and nothing takes its place.</p>
        <Form action='revoke-key' address='/connect'><button class='danger'>Revoke it</button></Form>
      </Ask>
    </div>
  </div>
)

const MadeKey = ({ made }: { made: string }) => (
  <div class='panel key-panel key-made'>
    <p role='status'><b>Your new key.</b> It is shown this once: copy it, or set your client up below, before you leave this page.</p>
    <Copy text={made} label='the key' />
    <p class='quiet-text'>An earlier key stops working within a second.</p>
  </div>
)

function Test ({ made, tried }: { made: string | undefined, tried: McpTryResult | undefined }): VNode {
  const { to } = useView()
  return (
    <section aria-labelledby='test'>
      <h2 id='test'>Test it</h2>
      <p class='quiet-text before-list'>Calls the MCP endpoint as a client would, with {made === undefined ? 'your key' : 'the new key'}, and shows what it answers.</p>
      <Form action='test' address='/connect#test' class='test-form' hx-post={to('/connect')} hx-target='#tried' hx-select='#tried' hx-swap='outerHTML' hx-disabled-elt='find button'>
        {made === undefined
          ? <Field name='key' id='key-to-test' label='Key' type='password' autocomplete='off' required maxlength={300} placeholder='svcmcp_…' />
          : <input type='hidden' name='key' value={made} />}
        <button class='secondary'>Test it</button>
      </Form>
      <div id='tried' class='tried' role='status'>{tried !== undefined && <Tried {...tried} />}</div>
    </section>
  )
}

const Tried = ({ works, status, milliseconds, tools, answer, problem }: McpTryResult) => (
  <div class='stack'>
    <Notice kind={works ? 'good' : 'bad'}>{works ? <><b>It works.</b> The endpoint listed its tools and answered <code>projects_list</code>.</> : <><b>It does not work.</b> {problem}</>}</Notice>
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
    <summary>The answer</summary>
    <pre tabIndex={0} role='region' aria-label='The answer'><code>{text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text}</code></pre>
  </details>
)

const Feeds = ({ feeds }: Pick<ConnectProps, 'feeds'>) => (
  <>
    <p class='quiet-text before-list'>Each address holds a private token: whoever has it can read that feed. Give it to nobody.</p>
    <ul class='atom-list'>
      {feeds.map(({ project_id, name, url }) => <li key={project_id}><p>{name}</p><Copy text={url} label={`the Atom address of ${name}`} /></li>)}
    </ul>
    <Ask what='Make new addresses'>
      <p>All the addresses above stop working at once; every feed reader that follows one has to be given the new one.</p>
      <Form action='rotate-feed-token' address='/connect'><button class='danger'>Replace all addresses</button></Form>
    </Ask>
  </>
)
