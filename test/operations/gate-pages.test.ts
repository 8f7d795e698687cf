import type { Response } from 'light-my-request'
import t, { type Test } from 'tap'
import type { TObject, TSchema } from 'typebox'
import { isLongEnough } from '../../schemas/search-text.js'
import type { Page } from '../../src/adapters/web/page.js'
import { pages } from '../../src/adapters/web/pages.js'
import type { InvalidArguments } from '../../src/errors/operation-errors.js'
import { feedGet } from '../../src/operations/feed/feed-get.js'
import { browserOf } from '../support/callers.js'
import { asText, forbidden, refusalOf, smallestInput, valid } from '../support/forbidden.js'
import { projectWith } from '../support/service.js'
import { watchedService } from '../support/watched-service.js'

const escaped = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
const propertiesOf = (schema: TObject) => schema.properties as Record<string, TSchema & { type?: string, maxBytes?: number }>
const namesInPath = ({ url }: Page) => [...url.matchAll(/:(\w+)/g)].map(([, name]) => name!)
const addressBody = 'This address is incomplete or has a typo.'

/** Pages whose forms name a change to a paper: they read the paper before they know the input of another operation. */
const readsFirst = new Set(['/projects/:project_id/tune'])

/** Forms have scores from 0 to 100. */
const pointsOf = (property: string): number => /_threshold$/.test(property) ? 100 : 1

interface Refusal { isAddress: boolean, expected: InvalidArguments, what: string, points?: number }

t.test('invalid input is rejected with the same error and without SQL by', async t => {
  const service = await watchedService(t)
  const { app, owner, during } = service
  const project_id = await projectWith(owner, [{ title: 'Sleep spindles', source_paper_id: '1' }])
  const [item] = (await feedGet.run(owner.context, { project_id })).items
  const session = await browserOf(service, owner)()
  /** What a value without a problem names. */
  const known: Readonly<Record<string, string>> = { project_id, paper_id: item!.paper.id, item: item!.id, ref: item!.id, item_id: item!.id }
  const rightValue = (name: string, schema: TSchema): string | undefined => known[name] ?? asText(valid(schema as never))
  const addressOf = ({ url }: Page, property: string, text: string) =>
    url.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(name === property ? text : known[name] ?? 'x'))
  const headersOf = ({ access }: Page) => ({ accept: 'text/html', ...(access === 'anyone' ? {} : { cookie: session.cookie }) })

  /** Checks that a page or form refused a value as its operation does. */
  function wasRefused (t: Test, answer: Response, { isAddress, expected, what, points = 1 }: Refusal) {
    // A wrong address is refused in plain words, without the name of an argument; a project that it does not name is not found.
    t.ok(answer.statusCode === 400 || (isAddress && answer.statusCode === 404), `${what}: ${answer.statusCode}`)
    if (answer.statusCode !== 400) return
    const inForm = (problem: string) => problem.replace(/(?<=must be at most )\d+/, bound => String(points * Number(bound)))
    const problem = expected.invalid === undefined ? expected.userMessage : isAddress ? addressBody : inForm(expected.invalid.problem)
    t.ok(answer.body.includes(escaped(problem)), `${what}: ${problem}`)
  }

  t.test('pages, in their addresses', async t => {
    let sent = 0
    for (const page of pages) {
      const inPath = namesInPath(page)
      const fields = propertiesOf(page.query)
      for (const operation of page.operations) {
        for (const [what, input, property] of forbidden(operation.input as TObject)) {
          if (property === undefined || !(property in fields) || !(property in (input as object))) continue
          const text = asText((input as Record<string, unknown>)[property])
          if (text === undefined || text.trim() === '' || (inPath.includes(property) && text.length > 200)) continue
          const expected = refusalOf(operation, { ...(input as object), [property]: text }, 'text')
          if (expected === undefined) continue
          const query = new URLSearchParams(inPath.includes(property) ? {} : { [property]: text })
          for (const name of Object.keys(smallestInput(operation.input as TObject))) {
            const right = rightValue(name, propertiesOf(operation.input as TObject)[name]!)
            if (name in fields && !inPath.includes(name) && name !== property && right !== undefined) query.set(name, right)
          }
          const url = `${addressOf(page, property, text)}?${query}`
          // A search field has too few characters while somebody types.
          if (property === 'q' && !isLongEnough(text)) continue
          const [answer, statements] = await during(() => app.inject({ url, headers: headersOf(page) }))
          const name = `${page.url} with ${operation.name}: ${what}`
          if (page.url === '/papers/:paper_id' && property !== 'paper_id') {
            t.equal(answer.statusCode, 200, `${name}: the paper without the list that an edited address names`)
            // Its offset is that of the list, to which a wrong one leads back without a place.
            if (property === 'offset') continue
            t.notOk(statements.some(each => each.operation === 'feed/feed-neighbors'), `${name}: no statement`)
            continue
          }
          wasRefused(t, answer, { isAddress: true, expected, what: name })
          t.same(statements.filter(each => each.operation !== undefined), [], `${name}: no statement`)
          sent++
        }
      }
    }
    t.ok(sent > 100, `${sent} addresses were refused`)
  })

  t.test('forms', async t => {
    let sent = 0
    // The first account is there: the welcome leads elsewhere.
    for (const page of pages.filter(({ url }) => url !== '/welcome')) {
      const inPath = namesInPath(page)
      for (const [name, action] of Object.entries(page.actions)) {
        const fields = propertiesOf(action.fields)
        for (const operation of action.operations) {
          const taken = propertiesOf(operation.input as TObject)
          for (const [what, input, property] of forbidden(operation.input as TObject)) {
            if (property === undefined || !(property in fields || inPath.includes(property))) continue
            const schema = taken[property]
            // A checkbox is checked, whatever value it sends.
            if (schema === undefined || schema.maxBytes !== undefined || schema.type === 'boolean') continue
            const value = (input as Record<string, unknown>)[property]
            const lines = Array.isArray(value) && value.every(each => typeof each === 'string' && each.trim() !== '')
              ? value.map((each: string, at) => value.length > 1 ? `${at}${each}` : each)
              : undefined
            const text = lines?.join('\n') ?? asText(value)
            if (text === undefined || text.trim() === '' || (inPath.includes(property) && text.length > 200)) continue
            const expected = refusalOf(operation, { ...(input as object), [property]: lines ?? text }, 'text')
            if (expected === undefined) continue
            const points = pointsOf(property)
            const inPoints = points > 1 && typeof value === 'number' ? String(points * value) : text
            const form = new URLSearchParams({ action: name, ...(page.access === 'anyone' ? {} : { csrf_token: session.csrfToken }) })
            for (const [field, part] of Object.entries({ ...fields, ...taken })) {
              const right = part.type === 'boolean' || part.type === 'array' ? undefined : rightValue(field, part)
              if (!inPath.includes(field) && right !== undefined) form.set(field, right)
            }
            form.delete(property)
            if (!inPath.includes(property)) {
              for (const each of fields[property]?.type === 'array' ? lines ?? [text] : [inPoints]) form.append(property, each)
            }
            if (form.has('repeated')) form.set('repeated', form.get('new_password') ?? form.get('password')!)
            // A form is sent to the address of its page.
            const query = new URLSearchParams(
              Object.keys(propertiesOf(page.query)).flatMap(each => inPath.includes(each) || !(each in known) ? [] : [[each, known[each]!]])
            )
            const [answer, statements] = await during(() => app.inject({
              method: 'POST',
              url: `${addressOf(page, property, text)}?${query}`,
              headers: { ...headersOf(page), 'content-type': 'application/x-www-form-urlencoded' },
              payload: form.toString()
            }))
            const label = `${name} of ${page.url} with ${operation.name}: ${what}`
            wasRefused(t, answer, { isAddress: inPath.includes(property), expected, what: label, points })
            // The page is shown again with the error.
            const ofForm = statements.filter(each => each.operation !== undefined && !each.isOfPage)
            const file = operation.name.replaceAll('_', '-')
            const ofOperation = ofForm.filter(each => each.operation!.endsWith(`/${file}`))
            t.same(readsFirst.has(page.url) ? ofOperation : ofForm, [], `${label}: no statement`)
            sent++
          }
        }
      }
    }
    t.ok(sent > 60, `${sent} forms were refused`)
  })

  t.test('statements of operations are told from those of authentication', async t => {
    const page = pages.find(({ url }) => url === '/projects/:project_id')!
    const [answer, statements] = await during(() => app.inject({ url: addressOf(page, '', ''), headers: headersOf(page) }))
    t.equal(answer.statusCode, 200)
    t.ok(statements.some(({ operation }) => operation === undefined), 'authentication')
    t.ok(statements.filter(({ operation, isOfPage }) => operation === 'feed/feed-page' && isOfPage).length > 1, 'the feed')
  })
})
