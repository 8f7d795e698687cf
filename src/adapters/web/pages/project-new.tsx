import { Type } from 'typebox'
import { type NewProjectPreviewResult, defaultThresholds } from '../../../../schemas/project.js'
import { keywordsSuggest } from '../../../operations/projects/keywords-suggest.js'
import { newProjectPreview } from '../../../operations/projects/new-project-preview.js'
import type { Context } from '../../../operations/context.js'
import { projectCreate } from '../../../operations/projects/project-create.js'
import { sourcesList } from '../../../operations/administration/sources-list.js'
import { boundsOf, fromText } from '../fields.js'
import { accountPage, action, type Shown, type View } from '../page.js'
import { Busy } from '../components/busy.js'
import { Field, Form } from '../components/form.js'
import { NewProjectPreview } from '../components/new-project-preview.js'
import { Notice } from '../components/notice.js'
import { InterestField, KeywordFields, type KnownSource, SourceFields, ThresholdFields } from '../components/project-fields.js'
import { ProjectFields, type ProjectValues, valuesOf } from '../project-values.js'
import { useView } from '../view.js'

/** A preview asks the first of many custom queries. */
const mostAsked = (newProjectPreview.input.properties.sources as { maxItems?: number }).maxItems

/** A new project, step by step: interest, keywords, sources, and what it would bring. */
export const projectNewPage = accountPage({
  url: '/projects/new',
  operations: [sourcesList],
  query: Type.Object({ first: Type.Optional(Type.Boolean()) }),
  async show (context, { first = false }) {
    return await shown(context, { values: await emptyValues(context), first })
  },
  actions: {
    suggest: action({
      operations: [keywordsSuggest],
      fields: ProjectFields,
      async run (context, fields, view) {
        const values = valuesOf(fields, defaultThresholds)
        const { keywords } = await keywordsSuggest.run(context, { interest_description: values.interest_description })
        const added = keywords.filter(keyword => !values.positive_keywords.includes(keyword))
        return { shown: await shown(context, { values: { ...values, positive_keywords: [...values.positive_keywords, ...added] }, suggested: added.length, first: isFirst(view) }) }
      }
    }),
    preview: action({
      operations: [newProjectPreview],
      fields: ProjectFields,
      async run (context, fields, view) {
        const values = valuesOf(fields, defaultThresholds)
        const { name, ...asked } = values
        const preview = await newProjectPreview.run(context, { ...asked, sources: asked.sources.slice(0, mostAsked) }, fromText)
        return { shown: await shown(context, { values, preview, first: isFirst(view) }) }
      }
    }),
    create: action({
      operations: [projectCreate],
      fields: ProjectFields,
      async run (context, fields) {
        const values = valuesOf(fields, defaultThresholds)
        const { id, name } = await projectCreate.run(context, values, fromText)
        const looks = values.sources.length === 0 ? 'It has no sources, so it shows only what you import.' : 'The first papers arrive within a few minutes.'
        return { to: `/projects/${id}`, notice: `${name} created. ${looks}` }
      }
    })
  }
})

const isFirst = ({ url }: View) => /[?&]first=true\b/.test(url)

async function emptyValues (context: Context): Promise<ProjectValues> {
  const { items } = await sourcesList.run(context, {})
  return { name: '', interest_description: '', positive_keywords: [], negative_keywords: [], sources: items.filter(({ chosen }) => chosen).map(({ name }) => ({ name, query: '' })), ...defaultThresholds }
}

interface PageState {
  values: ProjectValues
  first: boolean
  /** How many keywords were just suggested. */
  suggested?: number
  preview?: NewProjectPreviewResult
}

async function shown (context: Context, state: PageState): Promise<Shown> {
  const { items } = await sourcesList.run(context, {})
  return { title: 'New project', content: <NewProject {...state} sources={items} /> }
}

function NewProject ({ values, first, suggested, preview, sources }: PageState & { sources: readonly KnownSource[] }) {
  const { to, url, refused } = useView()
  return (
    <>
      {first && <p class='step'>Step 2 of 2</p>}
      <h1>{first ? 'Your first project' : 'New project'}</h1>
      <p class='lead after-title'>A project is a research interest with a feed of papers. You can change everything here later.</p>
      <Form action='create' class='guided'>
        {/* What the Enter key does: the first button of a form. */}
        <button name='action' value='preview' hidden>Preview</button>
        <section aria-labelledby='step-interest'>
          <h2 id='step-interest'>Interest</h2>
          <div class='stack'>
            <InterestField values={values} autofocus />
            <Field name='name' label='Name' value={values.name} {...boundsOf(projectCreate.input.properties.name)} hint='A short name for lists and emails.' placeholder='Retinal base editing' />
          </div>
        </section>
        <section aria-labelledby='step-keywords'>
          <h2 id='step-keywords'>Keywords</h2>
          <KeywordFields values={values}>
            <div class='buttons'>
              <button class='secondary' name='action' value='suggest' hx-post={to(url)} hx-target='#keywords' hx-select='#keywords' hx-swap='outerHTML' hx-disabled-elt='this'>Suggest keywords</button>
              <span role='status' class='quiet-text'>{suggested === undefined ? '' : suggested === 0 ? 'No suggestions. Describe the interest in more detail.' : `${suggested} added. Remove any that are too broad.`}</span>
            </div>
          </KeywordFields>
        </section>
        <section aria-labelledby='step-sources'>
          <h2 id='step-sources'>Sources</h2>
          <p class='hint'>Selected sources are searched for your keywords every few hours.</p>
          <SourceFields values={values} sources={sources} />
        </section>
        <section aria-labelledby='step-thresholds'>
          <h2 id='step-thresholds'>Thresholds</h2>
          <ThresholdFields values={values} />
        </section>
        <section aria-labelledby='step-preview'>
          <h2 id='step-preview'>Preview</h2>
          <div id='preview' class='preview' aria-live='polite'>
            {refused !== undefined && refused.action !== 'create' && <Notice kind='bad'>{refused.message}</Notice>}
            {preview === undefined
              ? refused === undefined && <p class='quiet-text'>Searches the sources for recent papers. Nothing is saved.</p>
              : <NewProjectPreview preview={preview} sources={sources} />}
          </div>
        </section>
        <div class='finish'>
          <button name='action' value='create'>Create project</button>
          <button class='secondary' name='action' value='preview' hx-post={to(url)} hx-target='#preview' hx-select='#preview > *' hx-swap='innerHTML show:#step-preview:top' hx-disabled-elt='this' hx-indicator='#asking'>Preview</button>
          <Busy id='asking'>Searching sources (up to 8 s) …</Busy>
        </div>
      </Form>
    </>
  )
}
