/** Inline styles of mails: mail clients drop style sheets. */
export const pageStyle = 'font:15px/1.5 system-ui,sans-serif;max-width:42em;margin:0 auto;padding:1em'
export const titleStyle = 'font-size:20px'
export const detailStyle = 'color:#666;font-size:13px;margin:0'
