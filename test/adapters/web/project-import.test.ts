import t from 'tap'
import { accessibilityViolations, visit, withoutBrowser } from '../../support/browser.js'
import { projectWith } from '../../support/service.js'

t.test('the import page', { skip: withoutBrowser }, async t => {
  const service = await visit(t)
  const user = await service.user()
  const project_id = await projectWith(user, [{ title: 'Grid cells' }])
  const page = await service.signedIn(user)
  await page.goto(`${service.address}/projects/${project_id}/settings`)
  await page.getByRole('link', { name: 'Import papers' }).click()
  t.strictSame(await accessibilityViolations(page), [])

  const send = async (name: string, content: string) => {
    await page.getByLabel('File').setInputFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
  }
  await page.getByLabel('These are mine, learn from them').check()
  await send('library.bib', '@article{one, title={Place cells}, year={2024}}\n@article{two, year={2024}}')
  await page.getByText('1 paper added from library.bib.').waitFor()
  t.match(await page.getByText('records read').textContent(), '2 records read: 1 added, 0 updated, 0 unchanged, 1 rejected.')
  await page.getByText('Rejected records').click()
  t.match(await page.getByText('Record 2:').textContent(), /two/, 'says what was rejected and why')
  t.strictSame(await accessibilityViolations(page), [])

  await send('notes.docx', 'just text')
  await page.getByText('The file is empty or has an unknown format.').waitFor()

  await page.getByText('Undo', { exact: true }).click()
  await page.getByRole('button', { name: 'Undo the import of library.bib' }).click()
  await page.getByText('Import undone: 1 paper removed.').waitFor()
  t.equal(await page.getByText('Undo', { exact: true }).count(), 0)
})
