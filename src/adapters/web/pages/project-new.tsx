import { type Static, Type } from 'typebox'
import { keywordsOf } from '../../../../schemas/keywords.js'
import { type KeywordsSuggestResult, type NewProjectPreviewResult, defaultThresholds } from '../../../../schemas/project.js'
import { keywordsSuggest } from '../../../operations/projects/keywords-suggest.js'
import { maxPreviewMs, newProjectPreview } from '../../../operations/projects/new-project-preview.js'
import type { Context } from '../../../operations/context.js'
import { projectFetchQueue } from '../../../operations/projects/project-fetch-queue.js'
import { projectCreate } from '../../../operations/projects/project-create.js'
import { sourcesList } from '../../../operations/administration/sources-list.js'
import { InvalidArguments } from '../../../errors/operation-errors.js'
import { extractTerms } from '../../../relevance/terms.js'
import { boundsOf, fromText } from '../fields.js'
import { accountPage, action, type PageContent, type View } from '../page.js'
import { Busy } from '../components/busy.js'
import { Field, Form, RefusalNotice } from '../components/form.js'
import { KeywordChips } from '../components/keyword-chips.js'
import { NewProjectPreview } from '../components/new-project-preview.js'
import { refusalId } from '../components/notice.js'
import { InterestField, KeywordFields, type SourceChoice, SourceFields, ThresholdFields } from '../components/project-fields.js'
import { inProjectField, mustReadProblem, NewProjectFields, newValuesOf } from '../project-values.js'
import { useView } from '../view.js'

/** A preview uses only the first sources of a long list. */
const maxPreviewedSources = keywordsOf(newProjectPreview.input.properties.sources).maxItems

/** A project may have no sources, but then there is nothing to preview. */
const inPreviewedField: typeof inProjectField = (problem, fields) => problem.path === 'sources'
  ? { path: 'sources', problem: 'must be selected to preview the feed. A project without sources shows only what you import.' }
  : inProjectField(problem, fields)

/** Creates a project: interest, keywords, sources, thresholds, preview. */
export const projectNewPage = accountPage({
  url: '/projects/new',
  operations: [sourcesList],
  query: Type.Object({ first: Type.Optional(Type.String()) }),
  async show (context, { first }) {
    return await newProjectPage(context, { values: await emptyValues(context), first: first === 'true' })
  },
  actions: {
    suggest: action({
      operations: [keywordsSuggest],
      fields: NewProjectFields,
      inField: inProjectField,
      async run (context, fields, view) {
        const values = newValuesOf(fields, defaultThresholds)
        const suggestions = await keywordsSuggest.run(context, {
          interest_description: values.interest_description,
          examples: values.examples
        })
        const known = new Set(values.positive_keywords.map(stemsOf))
        const added = suggestions.keywords.filter(keyword => !known.has(stemsOf(keyword)))
        for (const keyword of [...added, ...values.negative_keywords]) known.add(stemsOf(keyword))
        const isNew = ({ term }: { term: string }) => !known.has(stemsOf(term))
        return {
          page: await newProjectPage(context, {
            values: { ...values, positive_keywords: [...values.positive_keywords, ...added] },
            suggested: { ...suggestions, terms: suggestions.terms.filter(isNew), added: added.length },
            first: isFirst(view)
          })
        }
      }
    }),
    preview: action({
      operations: [newProjectPreview],
      fields: NewProjectFields,
      inField: inPreviewedField,
      async run (context, fields, view) {
        const values = newValuesOf(fields, defaultThresholds)
        const { name, ...previewed } = values
        const preview = await newProjectPreview.run(
          context,
          { ...previewed, sources: previewed.sources.slice(0, maxPreviewedSources) },
          fromText
        )
        return { page: await newProjectPage(context, { values, preview, first: isFirst(view) }) }
      }
    }),
    create: action({
      operations: [projectCreate, projectFetchQueue],
      fields: NewProjectFields,
      inField: inProjectField,
      async run (context, fields) {
        const values = newValuesOf(fields, defaultThresholds)
        requireSearchable(values)
        const { id, name } = await projectCreate.run(context, values, fromText)
        if (values.sources.length === 0) {
          return { to: `/projects/${id}`, notice: `${name} created. It has no sources, so it shows only what you import.` }
        }
        await projectFetchQueue.run(context, { project_id: id })
        return { to: `/projects/${id}`, notice: `${name} created. ${mustReadProblem(values) ?? ''}`.trim() }
      }
    })
  }
})

/** @throws InvalidArguments for sources that would all fail, since there is nothing to search for */
function requireSearchable ({ interest_description, positive_keywords, sources }: NewValues): void {
  const isSearched = sources.length > 0 && sources.every(({ query }) => query === '')
  if (!isSearched || interest_description !== '' || positive_keywords.length > 0) return
  const invalid = { path: 'interest_description', problem: 'must say what the sources are searched for, unless you enter keywords.' }
  throw new InvalidArguments(`interest_description ${invalid.problem}`, { invalid })
}

/** What keywords that differ in case or number have in common. */
const stemsOf = (keyword: string): string => extractTerms(keyword).map(({ term }) => term).join(' ') || keyword

const isFirst = ({ url }: View) => /[?&]first=true\b/.test(url)

type NewValues = ReturnType<typeof newValuesOf>

async function emptyValues (context: Context): Promise<NewValues> {
  const { items } = await sourcesList.run(context, {})
  return {
    name: '',
    interest_description: '',
    positive_keywords: [],
    negative_keywords: [],
    examples: [],
    sources: items.filter(({ is_default }) => is_default).map(({ name }) => ({ name, query: '' })),
    ...defaultThresholds
  }
}

type Suggested = Static<typeof KeywordsSuggestResult> & { added: number }

interface PageState {
  values: NewValues
  first: boolean
  /** Suggestions of the current request, and the number of keywords that it added. */
  suggested?: Suggested
  preview?: NewProjectPreviewResult
}

async function newProjectPage (context: Context, state: PageState): Promise<PageContent> {
  const { items } = await sourcesList.run(context, {})
  return { title: 'New project', content: <NewProject {...state} sources={items} /> }
}

function suggestionsNotice (suggested: Suggested | undefined): string {
  if (suggested === undefined) return ''
  const { added, terms } = suggested
  if (added + terms.length === 0) return 'No suggestions. Describe the interest in more detail, or add example papers.'
  return [
    ...(added > 0 ? [`${added} added. Remove any that are too broad.`] : []),
    ...(terms.length > 0 ? [`${terms.length} suggested from your examples.`] : [])
  ].join(' ')
}

function NewProject ({ values, first, suggested, preview, sources }: PageState & { sources: readonly SourceChoice[] }) {
  const { to, url, refused } = useView()
  // Without scripts, the page opens at the preview.
  const previewing = {
    formaction: to(`${url}#step-preview`),
    'hx-post': to(url),
    'hx-target': '#preview',
    'hx-select': '#preview > *',
    'hx-swap': 'innerHTML show:#step-preview:top',
    'hx-sync': 'closest form:drop',
    'hx-indicator': '#asking'
  }
  return (
    <>
      {first && <p class='step'>Step 2 of 2</p>}
      <h1>{first ? 'Your first project' : 'New project'}</h1>
      <p class='lead after-title'>A project is a research interest with a feed of papers. You can change everything here later.</p>
      <Form action='create' buttonActions={['suggest', 'preview']} class='guided'>
        {/* The Enter key presses the first button of a form. */}
        <button name='action' value='preview' formnovalidate hidden {...previewing}>Preview</button>
        <section aria-labelledby='step-interest'>
          <h2 id='step-interest'>Interest</h2>
          <div class='stack'>
            <InterestField values={values} autofocus />
            <Field
              name='name'
              label='Name'
              value={values.name}
              {...boundsOf(projectCreate.input.properties.name)}
              hint='A short name for lists and emails.'
              placeholder='Retinal base editing'
              required
              pattern='.*\S.*'
            />
            <Field
              name='examples'
              label='Example papers'
              type='lines'
              rows={3}
              value={values.examples.join('\n')}
              hint='Optional. A DOI, PMID, arXiv id or title per line. They are upvoted, so scores start with what you like.'
              placeholder='10.1038/s41586-020-1978-5'
            />
          </div>
        </section>
        <section aria-labelledby='step-keywords'>
          <h2 id='step-keywords'>Keywords</h2>
          <KeywordFields values={values}>
            <div class='buttons'>
              <button
                id='suggest'
                class='secondary'
                name='action'
                value='suggest'
                formnovalidate
                hx-post={to(url)}
                hx-target='#keywords'
                hx-select='#keywords'
                hx-select-oob='#negative_keywords'
                hx-swap='outerHTML'
                data-holds='#positive_keywords, #negative_keywords'
                hx-sync='this:drop'
              >
                Suggest keywords
              </button>
              <span role='status' class='quiet-text' id={refused?.action === 'suggest' ? refusalId : undefined}>
                {refused?.action === 'suggest' ? refused.message() : suggestionsNotice(suggested)}
              </span>
            </div>
            <KeywordChips terms={suggested?.terms ?? []} examples={suggested?.examples ?? []} />
          </KeywordFields>
        </section>
        <section aria-labelledby='step-sources'>
          <h2 id='step-sources'>Sources</h2>
          <p class='hint'>Selected sources are searched for your keywords every few hours; without keywords, for your interest.</p>
          <SourceFields values={values} sources={sources} />
        </section>
        <section aria-labelledby='step-thresholds'>
          <h2 id='step-thresholds'>Thresholds</h2>
          <ThresholdFields values={values} />
        </section>
        <section aria-labelledby='step-preview'>
          <h2 id='step-preview'>Preview</h2>
          <div id='preview' class='preview' aria-live='polite'>
            <RefusalNotice actions={['preview']} />
            {preview === undefined
              ? refused?.action !== 'preview' && <p class='quiet-text'>Searches the sources for recent papers. Nothing is saved.</p>
              : <NewProjectPreview preview={preview} sources={sources} />}
          </div>
        </section>
        <div class='finish'>
          <button name='action' value='create'>
            Create project
          </button>
          <button
            class='secondary'
            name='action'
            value='preview'
            formnovalidate
            {...previewing}
          >
            Preview
          </button>
          <Busy id='asking'>Searching sources (up to {maxPreviewMs / 1000} s)…</Busy>
        </div>
      </Form>
    </>
  )
}
