import { resubscribe } from '../../../operations/alerts/resubscribe.js'
import { unsubscribe } from '../../../operations/alerts/unsubscribe.js'
import { unsubscriptionGet } from '../../../operations/alerts/unsubscription-get.js'
import { action, type PageContent, publicPage, type PublicContext } from '../page.js'
import { Form } from '../components/form.js'

type Unsubscription = Awaited<ReturnType<typeof unsubscriptionGet.run>>

/** Unsubscribes a recipient, or resubscribes them. GET shows the page; a POST without a form field unsubscribes (RFC 8058). */
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
    }),
    subscribe: action({
      operations: [resubscribe],
      fields: resubscribe.input,
      run: async (context: PublicContext, { token }) => ({ page: subscribed(await resubscribe.run(context, { token })) })
    })
  }
})

function view ({ target, project_name, unsubscribed, unconfirmed }: Unsubscription): PageContent {
  if (unconfirmed) return confirmation(target)
  const title = unsubscribed ? 'You are unsubscribed' : 'Unsubscribe'
  return {
    title,
    content: (
      <div class='narrow'>
        <h1>{title}</h1>
        {unsubscribed
          ? (
            <>
              <p class='lead'>These emails will no longer be sent{target !== null && <> to {target}</>}.</p>
              {project_name !== null && <Form action='subscribe'><button class='secondary'>Subscribe again</button></Form>}
            </>
            )
          : (
            <>
              <p class='lead'>Stop the emails with new papers{project_name !== null && <> of “{project_name}”</>} to {target}?</p>
              <Form action='unsubscribe'><button>Unsubscribe</button></Form>
            </>
            )}
      </div>
    )
  }
}

function confirmation (target: string | null): PageContent {
  const title = 'Confirm your email address'
  return {
    title,
    content: (
      <div class='narrow'>
        <h1>{title}</h1>
        <p class='lead'>A Litfeed account was created with the address {target}. If you created it, confirm it to receive its emails.</p>
        <Form action='subscribe'><button>Confirm</button></Form>
      </div>
    )
  }
}

function subscribed (unsubscription: Unsubscription): PageContent {
  const { target, project_name, unsubscribed } = unsubscription
  if (unsubscribed) return view(unsubscription)
  const title = project_name === null ? 'Your address is confirmed' : 'You are subscribed'
  return {
    title,
    content: (
      <div class='narrow'>
        <h1>{title}</h1>
        {project_name === null
          ? <p class='lead'>The alerts of your account are sent to {target}.</p>
          : <p class='lead'>New papers of “{project_name}” will be sent to {target}.</p>}
      </div>
    )
  }
}
