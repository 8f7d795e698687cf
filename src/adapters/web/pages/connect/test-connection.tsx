import type { VNode } from 'preact'
import { mcpTry, type McpTryResult } from '../../../../operations/keys/mcp-try.js'
import { boundsOf } from '../../fields.js'
import { Field, Form, RefusalNotice } from '../../components/form.js'
import { Notice } from '../../components/notice.js'
import { useView } from '../../view.js'

interface TestConnectionProps {
  newKey: string | undefined
  /** Whether the new key is shown among the others. */
  isListed: boolean
  result: McpTryResult | undefined
}

/** The form that calls the endpoint with a key, and its response. */
export function TestConnection ({ newKey, isListed, result }: TestConnectionProps): VNode {
  const { to } = useView()
  return (
    <section aria-labelledby='test'>
      <h2 id='test'>Test the connection</h2>
      <p class='quiet-text before-list'>
        Calls the MCP endpoint with {newKey === undefined ? 'your key' : 'the new key'} and shows the response.
      </p>
      <Form
        action='test'
        address='/connect#test'
        class='test-form'
        inRow
        hx-post={to('/connect')}
        hx-target='#tried'
        hx-select='#tried > *'
        hx-swap='innerHTML'
        hx-sync='this:drop'
      >
        {newKey === undefined
          ? (
            <Field
              name='key'
              id='key-to-test'
              label='Key'
              type='password'
              autocomplete='off'
              required
              {...boundsOf(mcpTry.input.properties.key)}
              placeholder='svcmcp_…'
            />
            )
          : (
            <>
              <input type='hidden' name='key' value={newKey} />
              <input type='hidden' name='is_new' value='true' />
              {isListed && <input type='hidden' name='is_listed' value='true' />}
            </>
            )}
        <button class='secondary'>Test</button>
      </Form>
      <div id='tried' class='tried' role='status'>
        <RefusalNotice actions={['test']} />
        {result !== undefined && <TestResult {...result} />}
      </div>
    </section>
  )
}

const TestResult = ({ works, status, milliseconds, tools, answer, problem }: McpTryResult) => (
  <div class='stack'>
    <Notice kind={works ? 'good' : 'bad'}>
      {works
        ? <><b>Connected.</b> The endpoint listed its tools and answered <code>projects_list</code>.</>
        : <><b>Connection failed.</b> {problem}</>}
    </Notice>
    <dl class='properties'>
      <div>
        <dt>Status</dt>
        <dd>{status}</dd>
      </div>
      <div>
        <dt>Time</dt>
        <dd>{milliseconds.toLocaleString('en')} ms</dd>
      </div>
      {tools.length > 0 && (
        <div class='property-wide'>
          <dt>Tools</dt>
          <dd>
            {tools.map((tool, at) => (
              <span key={tool}>
                {at > 0 && ' '}
                <code>{tool}</code>
              </span>
            ))}
          </dd>
        </div>
      )}
    </dl>
    <Response text={answer} />
  </div>
)

const Response = ({ text }: { text: string }) => (
  <details class='answer' open>
    <summary>Response</summary>
    <pre tabIndex={0} role='region' aria-label='Response'><code>{text.length > 20_000 ? `${text.slice(0, 20_000)}\n…` : text}</code></pre>
  </details>
)
