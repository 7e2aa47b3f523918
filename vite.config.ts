import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { heads } from './web/api/heads.ts'

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), evaluatedHeads()],
  // What the screens import is prepared at the start of development, rather than found out with a reload of the page.
  optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!**/*.test.*', '!**/*.server.*'] },
  resolve: {
    alias: {
      'react-style-singleton': fileURLToPath(new URL('./web/ui/style-singleton.ts', import.meta.url)),
    },
  },
  // The server's build holds all that it renders with: a running server needs no package of the screens, and starts sooner.
  ssr: { noExternal: true },
  build: {
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    // The content security policy lets fonts and scripts come from this origin only, never from data: addresses.
    assetsInlineLimit: 0,
  },
})

/** Puts the heads of the calls into the bundle as data, without the schemas that they are made from. */
function evaluatedHeads(): Plugin {
  return {
    name: 'evaluated-heads',
    load: {
      filter: { id: /\/web\/api\/heads\.ts$/ },
      handler: () => `export const heads = ${JSON.stringify(heads)}`,
    },
  }
}
