import { html } from 'ghtml'
import { version } from '../version.js'

/** A page around its content. Values that are put in with `${}` are escaped. */
export const layout = (title: string, content: string): string => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="stylesheet" href="style.css">
</head>
<body>
<main>
!${content}
</main>
<footer>Litfeed ${version} · <a href="api/openapi.json">REST interface</a> · <a href="metrics">metrics</a></footer>
</body>
</html>
`

export const stylesheet = `:root {
  color-scheme: light dark;
  --text: light-dark(#1d2526, #e3e9e8);
  --quiet: light-dark(#5a6668, #9aa7a6);
  --ground: light-dark(#fbfbf9, #141a1b);
  --raised: light-dark(#ffffff, #1b2324);
  --line: light-dark(#dcdfda, #2c3738);
  --accent: light-dark(#1f5f5b, #7fcabf);
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.6 system-ui, sans-serif; }
main, footer { max-width: 46rem; margin: 0 auto; padding: 0 1.25rem; }
main { padding-top: 3.5rem; }
h1 { font-size: 2rem; line-height: 1.2; letter-spacing: -.02em; margin: 0 0 .5rem; }
h2 { font-size: 1.15rem; margin: 2.5rem 0 .5rem; }
p { margin: .5rem 0; }
.lead { font-size: 1.125rem; color: var(--quiet); }
.state { display: inline-flex; align-items: center; gap: .6rem; margin: 1.25rem 0 0; padding: .4rem .9rem; border: 1px solid var(--line); border-radius: 2rem; background: var(--raised); }
.state::before { content: ""; width: .65rem; height: .65rem; border-radius: 50%; background: #c0392b; }
.state.well::before { background: #2e9e6b; }
dl { margin: .5rem 0; border-top: 1px solid var(--line); }
dl > div { padding: .9rem 0; border-bottom: 1px solid var(--line); }
dt { font-weight: 600; }
dd { margin: .25rem 0 0; color: var(--quiet); }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: .5rem 0 0; padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); color: var(--text); font: .85rem/1.5 ui-monospace, monospace; }
code { font: .9em ui-monospace, monospace; }
a { color: var(--accent); text-underline-offset: .15em; }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
footer { padding-top: 3rem; padding-bottom: 2rem; color: var(--quiet); font-size: .875rem; }
`
