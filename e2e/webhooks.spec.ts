import { expectAccessible } from './fixtures/accessibility.ts'
import { expect, openApp, test } from './fixtures/journey.ts'

test('a webhook is added with a secret that is shown once, switched off and deleted', async ({
  page,
  me,
}) => {
  const project = await me.call('createProject', { body: { title: 'A radio', description: 'Soldered' } })
  await openApp(page, `/projects/${project._id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('button', { name: 'Webhooks' }).click()
  const dialog = page.getByRole('dialog', { name: 'Webhooks' })
  await dialog.getByLabel('Address').fill('http://example.invalid/hook')
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog.getByText('The address must begin with https://')).toBeVisible()
  await expect(dialog.getByLabel('Address')).toHaveValue('http://example.invalid/hook')
  await dialog.getByLabel('Address').fill('https://example.invalid/hook')
  await dialog.getByRole('button', { name: 'Add webhook' }).click()
  await expect(dialog.getByRole('region', { name: 'Secret' })).toContainText('whsec_')
  await expect(dialog.getByLabel('Address')).toHaveValue('')
  const webhooks = dialog.getByRole('list', { name: 'Webhooks' })
  await expect(webhooks.getByText('On', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Show log of' }).click()
  await expect(dialog.getByText('Nothing was sent in the last seven days.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Send a test message' }).click()
  await expect(dialog.getByRole('list', { name: 'Log of' })).toContainText('webhook.test')
  const secret = await dialog.getByRole('region', { name: 'Secret' }).getByText('whsec_').textContent()
  await dialog.getByRole('button', { name: 'New secret' }).click()
  await expect(webhooks.getByText('The former secret signs too until')).toBeVisible()
  await expect(dialog.getByRole('region', { name: 'Secret' })).toContainText('the new secret')
  await expect(dialog.getByRole('region', { name: 'Secret' })).not.toContainText(secret ?? '')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Switch off' }).click()
  await expect(webhooks.getByText('Off', { exact: true })).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(dialog.getByText('No webhooks yet.')).toBeVisible()
})
