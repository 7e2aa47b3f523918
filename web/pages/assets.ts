/** The URLs of the files that pages refer to: in development their sources. The build replaces this module (vite.pages.config.ts). */
export const assets = {
  'web/pages/pages.css': '/web/pages/pages.css',
  'web/pages/project.css': '/web/pages/project.css',
  'web/pages/islands/main.ts': '/web/pages/islands/main.ts',
  'web/pages/islands/member.ts': '/web/pages/islands/member.ts',
}
