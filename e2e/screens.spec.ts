import { expectFitting } from './fixtures/accessibility.ts'
import { expect, sizes, test } from './fixtures/journey.ts'

for (const [size, viewport] of Object.entries(sizes)) {
  test.describe(`on a ${size}`, { tag: '@long' }, () => {
    test.use({ viewport })

    test('the pages without sign-in are accessible in both themes', async ({ page }) => {
      test.slow()
      for (const path of [
        '/',
        '/login',
        '/login/code',
        '/register',
        '/forgot-password',
        '/reset-password/no-such-link',
        '/email-change/no-such-link',
        '/about',
        '/markdown-guide',
        '/invite/no-such-invitation',
        '/nowhere',
      ]) {
        await test.step(path, async () => {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          await expectFitting(page)
        })
      }
    })

    test('the workspace and its public face are accessible in both themes', async ({ page, me }) => {
      test.slow()
      const project = await me.call('createProject', {
        body: { title: 'A canoe', description: 'Strip by strip', isPublic: true },
      })
      const projectId = project._id
      const body = { title: 'Lumber', description: 'Find straight cedar', completed: true }
      const milestone = await me.call('createMilestone', { params: { projectId }, body })
      await me.call('createMilestone', {
        params: { projectId },
        body: { ...body, title: 'Hull', completed: false },
      })
      const milestoneId = milestone._id
      const entry = await me.call('createEntry', {
        params: { milestoneId },
        body: {
          title: 'First boards',
          content: '# Boards\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- [x] one\n\n```\ncode\n```\n\n> quote',
          tags: ['wood', 'glue', 'tools', 'hull'],
        },
      })
      const paths = [
        '/dashboard',
        '/collaborations',
        '/search?q=boards',
        '/calendar',
        '/import',
        '/trash',
        '/settings',
        `/projects/${projectId}`,
        `/projects/${projectId}/activity`,
        `/projects/${projectId}/story`,
        `/projects/${projectId}/story/print`,
        `/projects/${projectId}/calendar`,
        `/projects/${projectId}/milestones/${milestoneId}/entries/${entry._id}`,
        `/world/${projectId}`,
        `/world/${projectId}/follow`,
        `/world/${projectId}/story`,
        `/world/${projectId}/story/print`,
        `/world/${projectId}/entries/${entry._id}`,
        '/projects/0199f1f0-0000-7000-8000-000000000000',
        '/world/0199f1f0-0000-7000-8000-000000000000',
      ]
      for (const path of paths) {
        await test.step(path, async () => {
          await page.goto(path)
          await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
          // The number of results stays.
          await expect(
            page.getByRole('main').getByRole('status').filter({ hasNotText: 'result' }),
          ).toHaveCount(0)
          await expectFitting(page)
        })
      }
    })
  })
}
