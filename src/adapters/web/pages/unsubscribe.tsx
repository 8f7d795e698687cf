import { unsubscribe } from '../../../operations/alerts/unsubscribe.js'
import { unsubscriptionGet } from '../../../operations/alerts/unsubscription.js'
import { action, type PageContent, publicPage, type PublicContext } from '../page.js'
import { Form } from '../components/form.js'

type Unsubscription = Awaited<ReturnType<typeof unsubscriptionGet.run>>

/** Ends the emails of an alert: GET asks, POST does it, also for mail programs that send no form of this page (RFC 8058). */
export const unsubscribePage = publicPage({
  url: '/unsubscribe/:token',
  operations: [unsubscriptionGet],
  query: unsubscriptionGet.input,
  show: async (context, { token }) => view(await unsubscriptionGet.run(context, { token })),
  oneClick: 'unsubscribe',
  actions: {
    unsubscribe: action({
      operations: [unsubscribe],
      fields: unsubscribe.input,
      run: async (context: PublicContext, { token }) => ({ page: view(await unsubscribe.run(context, { token })) })
    })
  }
})

function view ({ target, project_name, unsubscribed }: Unsubscription): PageContent {
  const title = unsubscribed ? 'You are unsubscribed' : 'Unsubscribe'
  return {
    title,
    content: (
      <div class='narrow'>
        <h1>{title}</h1>
        {unsubscribed
          ? <p class='lead'>Litfeed sends no more of these emails{target !== null && <> to {target}</>}.</p>
          : (
            <>
              <p class='lead'>End the emails with new papers of “{project_name}” to {target}?</p>
              <Form action='unsubscribe'><button>Unsubscribe</button></Form>
            </>
            )}
      </div>
    )
  }
}
