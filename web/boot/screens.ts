import type { ComponentType } from 'react'
import type { RouteObject } from 'react-router'
import { loadDocument } from '#web/shell/load-document.ts'

const modules = import.meta.glob<{ default: ComponentType }>([
  '../*/**/*-screen.tsx',
  '!../{boot,shell}/*-screen.tsx',
  '../shell/guard.tsx',
  '../shell/signed-out-only.tsx',
])

const loaded = new Set<string>()

/** Whether the code of a screen or a layout has been loaded, given its file. */
export const isLoaded = (file: string): boolean => loaded.has(file)

/** Every screen of the app, one line each; the id of a route is its file. The public pages are in `pages/routes.ts`. */
export const screens: RouteObject[] = [
  screen('forgot-password', 'identity/emailed-links/forgot-password-screen.tsx'),
  screen('reset-password/:token', 'identity/emailed-links/reset-password-screen.tsx'),
  screen('email-change/:token', 'account/email-change-screen.tsx'),
  screen('invite/:inviteToken', 'collaborators/invitation/invitation-screen.tsx'),

  layout('shell/signed-out-only.tsx', [
    screen('login', 'identity/sign-in/login-screen.tsx'),
    screen('login/code', 'identity/two-factor/second-step-screen.tsx'),
    screen('register', 'identity/sign-in/register-screen.tsx'),
  ]),

  layout('shell/guard.tsx', [
    screen('dashboard', 'dashboard/dashboard-screen.tsx'),
    screen('verify-email/:token', 'identity/emailed-links/verify-email-screen.tsx'),
    screen('admin', 'administration/administration-screen.tsx'),
    screen('settings', 'account/settings-screen.tsx'),
    screen('import', 'import/import-screen.tsx'),
    screen('import/:importId', 'import/one-import-screen.tsx'),
    screen('calendar', 'calendar/calendar-screen.tsx'),
    screen('search', 'search/search-screen.tsx'),
    screen('trash', 'trash/trash-screen.tsx'),
    screen('collaborations', 'collaborators/my-collaborations/my-collaborations-screen.tsx'),
    screen('projects/:projectId', 'workspace/project-screen.tsx'),
    screen('projects/:projectId/story', 'workspace/story/story-screen.tsx'),
    screen('projects/:projectId/story/print', 'workspace/story/story-print-screen.tsx'),
    screen('projects/:projectId/activity', 'activity/activity-screen.tsx'),
    screen('projects/:projectId/tags', 'workspace/tags/tags-screen.tsx'),
    screen('projects/:projectId/tags/:tag', 'workspace/tags/tag-screen.tsx'),
    screen('projects/:projectId/calendar', 'calendar/project-calendar-screen.tsx'),
    screen(
      'projects/:projectId/milestones/:milestoneId/entries/:entryId',
      'entries/reading/entry-screen.tsx',
    ),
  ]),

  // The document at a path that the app has no screen for: a public page, or the page of a path that does not exist.
  { id: 'elsewhere', path: '*', loader: ({ request }) => loadDocument(request.url), Component: () => null },
]

function screen(path: string, file: string): RouteObject {
  return { id: file, path, lazy: loaderOf(file) }
}

function layout(file: string, children: RouteObject[]): RouteObject {
  return { id: file, lazy: loaderOf(file), children }
}

function loaderOf(file: string) {
  const load = modules[`../${file}`]
  if (!load) throw new Error(`There is no screen ${file}`)
  return async () => {
    const { default: Component } = await load()
    loaded.add(file)
    return { Component }
  }
}
