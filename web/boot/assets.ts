import type { ScreenFiles } from './page-data.ts'

/** The URLs of the files that pages refer to: in development their sources. The build replaces this module (vite.pages.config.ts). */
export const assets = {
  'web/pages/landing.css': '/web/pages/landing.css',
  'web/pages/pages.css': '/web/pages/pages.css',
  'web/pages/project.css': '/web/pages/project.css',
  'web/pages/islands/main.ts': '/web/pages/islands/main.ts',
  'web/pages/islands/member.ts': '/web/pages/islands/member.ts',
}

/** The URLs of the files of the app. */
export const screenFiles: ScreenFiles = {
  styles: '/web/ui/styles/styles.css',
  client: '/web/boot/development.ts',
  others: [],
  screens: {},
}

/** The URLs of the scripts that every screen starts with. */
export const appFiles: readonly string[] = []
