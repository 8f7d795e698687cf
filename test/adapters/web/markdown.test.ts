import t from 'tap'
import { anchorsIn } from '../../../src/fulltext/parts/anchors.js'
import { renderInWorker } from '../../../src/adapters/web/markdown/renderer.js'
import { renderMarkdown } from '../../../src/adapters/web/markdown/render.js'

const html = (text: string, title = '') => renderMarkdown(text, { title }).html
/** Finds markup that a browser would parse as elements, except that of our own renderer. */
const elements = (markup: string) => [...markup.matchAll(/<([a-z][a-z0-9]*)\b[^>]*>/gi)].map(([element]) => element)

t.test('rendered Markdown', async t => {
  t.test("nests headings below the page's headings and lists them", async t => {
    const { html, headings } = renderMarkdown('# A: title\n\n## One\n\n#### Deep\n\n## Two *em* $x$\n\n# Three', { title: 'A title' })
    t.notMatch(html, 'title')
    t.strictSame(headings.map(({ level, text }) => [level, text]), [[2, 'One'], [3, 'Deep'], [2, 'Two em x'], [2, 'Three']])
    for (const { id, level } of headings) t.match(html, `<h${level} id="${id}"`)
    t.match(renderMarkdown('# Another title\n\n## One', { title: 'A title' }).headings, [{ level: 2 }, { level: 3 }])
  })

  t.test('has keyboard-scrollable tables with alignment classes', async t => {
    t.match(
      html('| a | b |\n| --- | ---: |\n| 1<br>2 | 3 |'),
      /<div class="scroll" tabindex="0" role="region" aria-label="Table 1"><table>[^]*<td>1<br>2<\/td>\s*<td class="right">3<\/td>/
    )
  })

  t.test('has an anchor for each passage linked by paper_markdown', async t => {
    const text =
      '\n# Title\n\nA paragraph\nof two lines.\r\n\r\n- item one\n- item two\n\n  more of it\n\n1. first\n2. second\n\n> quoted\n\n| a ' +
      '|\n| --- |\n| 1 |\n\n```\ncode\n\n# code\n```\n\n$$\nx\n$$\n\nLast.\n'
    const anchors = [...anchorsIn(text)].map(({ anchor }) => anchor)
    const { html } = renderMarkdown(text, { anchors: true })
    t.strictSame([...html.matchAll(/<span id="(p-[0-9a-f]{10})" class="anchor"><\/span>/g)].map(([, id]) => id), anchors)
    t.equal(anchors.length, 11)
    t.match(html, new RegExp(`<span id="${anchors[1]}" class="anchor"></span><p>A paragraph`))
    t.match(html, new RegExp(`<li>\\s*<span id="${anchors[3]}" class="anchor"></span><p>item two`))
    const ids = [...renderMarkdown('Same.\n\n'.repeat(200), { anchors: true }).html.matchAll(/id="([^"]*)"/g)].map(([, id]) => id)
    t.equal(new Set(ids).size, ids.length, 'no id twice')
  })

  t.test('has formulas as MathML, or as source if invalid', async t => {
    t.match(html('The $E=mc^2$ here'), /<p>The <math><mrow><mi>E<\/mi>.*<\/math> here<\/p>/)
    t.match(html('$$\nx &= y\n$$'), '<code class="formula-source">x &amp;= y</code>')
    t.match(html('$$\n\\frac{a}{b} \\tag{1}\n$$'), /<div class="formula"><math display="block"[^]*<mfrac>[^]*\(1\)/)
    t.match(html('> $$\n> a\n> b\n> $$'), /<blockquote>\s*<div class="formula"><math/)
    t.match(html('| $a \\| b$ |\n| --- |'), /<th><math>.*\|/)
    t.match(html('$\\nosuchmacro{x}$'), '<code class="formula-source">\\nosuchmacro{x}</code>')
    t.notMatch(
      html('$\\begin{aligned}a&=b\\end{aligned}$ $\\color{red}{x}$ $\\boxed{x}$ $\\begin{array}{l|r}\\hline1&2\\end{array}$'),
      /\sstyle=/
    )
  })

  t.test('reads prices and escaped dollars as text', async t => {
    for (const text of ['from $5 to $10', 'from \\$5 to \\$10', 'US$5–$10', 'a $ b $ c', 'costs $5']) {
      t.notMatch(html(text), /<math|formula/, text)
    }
    t.match(html('$\\alpha$2'), '<math>')
  })

  t.test('keeps balanced sub, sup, em and strong tags only', async t => {
    t.equal(html('x<sub>2</sub> <em>a <strong>b</strong></em>'), '<p>x<sub>2</sub> <em>a <strong>b</strong></em></p>\n')
    t.equal(html('<em>open\n\nnext'), '<p>&lt;em&gt;open</p>\n<p>next</p>\n')
    t.equal(html('</sub> <sub><em></sub></em>'), '<p>&lt;/sub&gt; &lt;sub&gt;<em>&lt;/sub&gt;</em></p>\n')
    t.notMatch(html('<sub onclick="x">a</sub>'), '<sub')
    for (const text of ['*<sub>*</sub>', '[<em>](https://a.b)</em>', '<em>*a</em>*', '~~<sub>~~</sub>']) {
      const markup = html(text)
      for (const name of ['sub', 'em', 'a']) {
        t.equal(
          markup.split(`<${name}>`).length + markup.split(`<${name} `).length - 1,
          markup.split(`</${name}>`).length,
          `${name} in ${text}`
        )
      }
    }
  })

  t.test('links only to http and mailto addresses, without a referrer', async t => {
    t.equal(
      html('[a](https://example.org/x?y=1&z="2)'),
      '<p><a href="https://example.org/x?y=1&amp;z=%222" rel="noopener noreferrer nofollow">a</a></p>\n'
    )
    t.match(html('<mailto:a@b.org>'), 'href="mailto:a@b.org"')
    for (const address of [
      'javascript:alert(1)',
      'JaVaScRiPt:alert(1)',
      '&#106;avascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      '//evil.example',
      '/account',
      '#x',
      'java\tscript:x',
      ' javascript:x',
      'blob:https://a',
      'http:',
      'https://'
    ]) {
      t.notMatch(html(`[a](${address}) [b](<${address}>) <${address}>\n\n[c]\n\n[c]: ${address}`), 'href', address)
    }
  })

  t.test('shows images as links', async t => {
    t.equal(
      html('![A *figure*](https://example.org/a.png "t")'),
      '<p><a href="https://example.org/a.png" rel="noopener noreferrer nofollow">A *figure*</a></p>\n'
    )
    t.match(html('![](https://example.org/a.png)'), '>Figure</a>')
    t.notMatch(html('![a](data:image/png;base64,AAAA) ![b](javascript:x)'), /<(img|a)\b/)
  })

  t.test('escapes HTML', async t => {
    const hostile = [
      '<script>alert(1)</script>',
      '<img src=x onerror=alert(1)>',
      '<svg/onload=alert(1)>',
      '<a href="javascript:alert(1)">x</a>',
      '<iframe srcdoc="<script>alert(1)</script>">',
      '<style>*{}</style>',
      '<math><mtext></mtext><script>alert(1)</script>',
      '<!-- --><script>1</script>',
      '<![CDATA[<script>1</script>]]>',
      '<details open ontoggle=alert(1)>',
      '<b <script>alert(1)</script>',
      '</p><script>1</script>',
      '<form action=//evil><button>',
      '<base href=//evil>',
      '<meta http-equiv=refresh content=0>',
      '<object data=x>',
      '<em onmouseover=alert(1)>',
      '<br onclick=x>',
      '<sub\n>x',
      '```"><script>alert(1)</script>\nx\n```',
      '`<script>`',
      '# <script>1</script>',
      '| <script>1</script> |\n| --- |',
      '[<img src=x onerror=1>](https://a.b)',
      '![<img src=x onerror=1>](https://a.b)',
      '[a](https://a.b "<script>")',
      '[a](https://a.b/"onmouseover="alert(1))',
      '<https://a.b/"onclick="x>',
      '$\\text{<script>alert(1)</script>}$',
      '$<img src=x onerror=1>$',
      '$\\href{javascript:alert(1)}{x}$',
      '$\\class{x" onclick="y}{z}$',
      '$\\style{x}{y}$',
      '$\\data{x}{y}$',
      '$\\url{javascript:x}$',
      '$\\includegraphics{https://evil/x}$',
      '$\\unicode{60}script$',
      '$\\def\\x{<script>}\\x$',
      '$\\htmlStyle{x}{y}$',
      '$\\mathchoice{<b>}{}{}{}$',
      '$\\label{"><script>}x$',
      '$\\tag{<script>1</script>}x$',
      '$$\\ref{"onclick=1}$$',
      '$\\char"3C script$',
      '$\\operatorname{<script>}$',
      '$\\color{"onclick=1}x$',
      '$\\textcolor{red;background:url(//evil)}{x}$',
      '&lt;script&gt;',
      '&#60;script&#62;1',
      '\\<script>',
      '<scr<script>ipt>',
      '<em><script></em>'
    ]
    for (const text of hostile) {
      const markup = html(text)
      for (const element of elements(markup)) {
        t.notMatch(element, /^<(script|img|svg|iframe|style|form|button|base|meta|object|details|b|link|video|audio)\b/i, text)
        t.notMatch(element.replace(/"[^"]*"/g, ''), /\son\w+\s*=|\sstyle\s*=|\ssrc/i, text)
        t.notMatch(element, /(href|src|action)="\s*(javascript|data|vbscript)/i, text)
      }
    }
  })

  t.test('takes linear time for any input', async t => {
    const many = 100_000
    const texts = [
      '*a '.repeat(many),
      '['.repeat(many),
      '![a]('.repeat(many),
      '> '.repeat(5000),
      '<sub>'.repeat(many),
      '$a '.repeat(many),
      '$$a\n'.repeat(many),
      '`'.repeat(many),
      '|a'.repeat(2000) + '\n' + '|-'.repeat(2000) + ('\n' + '|b'.repeat(2000)).repeat(100),
      `$${'{'.repeat(1900)}${'}'.repeat(1900)}$`,
      `$${'\\sqrt'.repeat(700)}x$`,
      '$\\def\\a{\\a\\a}\\a$',
      `$\\def\\a{xxxxxxxxxx}${'bcdefg'
        .split('')
        .map((name, at) => `\\def\\${name}{${`\\${'abcdef'[at]}`.repeat(10)}}`)
        .join('')}\\g$`
    ]
    // Time that grows with the square of such lengths would be hours; how fast this machine is must not matter.
    for (const text of texts) t.type(await renderInWorker(text, '', { timeoutMs: 60_000 }), Object, text.slice(0, 20))
    t.equal(
      ((await renderInWorker(`${'a '.repeat(1_500_000)}`, '', { timeoutMs: 60_000 })) as { html: string }).html.length <= 2_000_100,
      true,
      'of a very long text the beginning'
    )
  })

  t.test('renders texts once that differ beyond what is shown', async t => {
    const [first, second] = ['a', 'b'].map(end => renderInWorker(`${' '.repeat(2_000_000)}${end}`, '', { timeoutMs: 60_000 }))
    t.type(await first, Object)
    t.equal(await first, await second)
  })

  t.test('times out and then renders the next text', async t => {
    t.equal(await renderInWorker('*a* '.repeat(300_000), '', { timeoutMs: 1 }), 'too long')
    t.match(await renderInWorker('*b*', '', { timeoutMs: 60_000 }), { html: /<em>b<\/em>/ })
  })

  t.test('can run out of memory after its timeout without crashing the service', async t => {
    t.equal(await renderInWorker('*c* '.repeat(300_000), '', { timeoutMs: 1 }), 'too long', 'the next text gets a new thread')
    process.once('worker', worker => {
      const terminate = worker.terminate.bind(worker)
      worker.terminate = async () => {
        worker.emit('error', new Error('out of memory'))
        return await terminate()
      }
    })
    t.equal(await renderInWorker('*d* '.repeat(300_000), '', { timeoutMs: 1 }), 'too long')
    t.match(await renderInWorker('*e*', '', { timeoutMs: 60_000 }), { html: /<em>e<\/em>/ })
  })

  t.test('renders a text once that an account opens several times', async t => {
    const [first, second] = [1, 2].map(() => renderInWorker('*f*', '', { owner: 'one', timeoutMs: 60_000 }))
    t.equal(await first, await second)
  })

  t.test('has a limited number of texts waiting', async t => {
    const texts = Array.from({ length: 60 }, (_, at) => `${'*g* '.repeat(100_000)}${at}`)
    const renderings = await Promise.all(texts.map(text => renderInWorker(text, '', { owner: 'one', timeoutMs: 1 })))
    t.strictSame(renderings, [...Array(51).fill('too long'), ...Array(9).fill('busy')])
    t.equal(await renderInWorker(texts.at(-1)!, '', { owner: 'one', timeoutMs: 1 }), 'too long', 'is tried again')
  })

  t.test('has few long texts waiting, two of each account', async t => {
    const render = async (owner: number, at: number) =>
      await renderInWorker(`${'*h* '.repeat(300_000)}${owner} ${at}`, '', { owner: `${owner}`, timeoutMs: 1 })
    t.strictSame(await Promise.all([0, 1, 2].map(at => render(1, at))), ['too long', 'too long', 'busy'])
    const renderings = await Promise.all(Array.from({ length: 15 }, (_, owner) => render(owner + 2, 0)))
    t.equal(renderings.filter(each => each === 'busy').length, 5)
  })

  t.test('shows no page with more HTML than a response may have', async t => {
    t.equal(await renderInWorker('&'.repeat(1_900_000), '', { timeoutMs: 60_000 }), 'too long')
  })
})
