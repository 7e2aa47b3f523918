import { layout, type RouteConfig, route } from '@react-router/dev/routes'

/** Every screen of the app, one line each. The public pages are in `pages/routes.ts`. */
export default [
  route('forgot-password', 'identity/emailed-links/forgot-password-screen.tsx'),
  route('reset-password/:token', 'identity/emailed-links/reset-password-screen.tsx'),
  route('email-change/:token', 'account/email-change-screen.tsx'),
  route('invite/:inviteToken', 'collaborators/invitation/invitation-screen.tsx'),

  layout('shell/signed-out-only.tsx', [
    route('login', 'identity/sign-in/login-screen.tsx'),
    route('login/code', 'identity/two-factor/second-step-screen.tsx'),
    route('register', 'identity/sign-in/register-screen.tsx'),
  ]),

  layout('shell/guard.tsx', [
    route('dashboard', 'dashboard/dashboard-screen.tsx'),
    route('verify-email/:token', 'identity/emailed-links/verify-email-screen.tsx'),
    route('admin', 'administration/administration-screen.tsx'),
    route('settings', 'account/settings-screen.tsx'),
    route('import', 'import/import-screen.tsx'),
    route('import/:importId', 'import/one-import-screen.tsx'),
    route('calendar', 'calendar/calendar-screen.tsx'),
    route('search', 'search/search-screen.tsx'),
    route('trash', 'trash/trash-screen.tsx'),
    route('collaborations', 'collaborators/my-collaborations/my-collaborations-screen.tsx'),
    route('projects/:projectId', 'workspace/project-screen.tsx'),
    route('projects/:projectId/story', 'workspace/story/story-screen.tsx'),
    route('projects/:projectId/story/print', 'workspace/story/story-print-screen.tsx'),
    route('projects/:projectId/activity', 'activity/activity-screen.tsx'),
    route('projects/:projectId/tags', 'entries/tags/tags-screen.tsx'),
    route('projects/:projectId/tags/:tag', 'entries/tags/tag-screen.tsx'),
    route('projects/:projectId/calendar', 'calendar/project-calendar-screen.tsx'),
    route('projects/:projectId/milestones/:milestoneId/entries/:entryId', 'entries/reading/entry-screen.tsx'),
  ]),

  route('*', 'shell/document-route.ts'),
] satisfies RouteConfig
