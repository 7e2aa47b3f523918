import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { callMetadata } from './web/api/call-metadata.ts'

const sharedByScreens =
  /\/node_modules\/(@tanstack|lucide-react|clsx)\/|\/web\/(api|ui|shell|identity|projects|workspace|milestones|entries|collaborators|notifications)\//

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), evaluatedCallMetadata()],
  // What the screens import is prepared at the start of development, rather than found out with a reload of the page.
  optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!**/*.test.*', '!**/*.server.*'] },
  resolve: {
    alias: {
      'react-style-singleton': fileURLToPath(new URL('./web/ui/styles/style-singleton.ts', import.meta.url)),
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
  // The preview's worker loads what few texts need apart from itself.
  worker: { format: 'es' },
  environments: {
    // A screen's scripts are a dozen instead of sixty: fewer requests, and what lies together packs better. What forms and
    // Markdown take stays apart, for the moment when somebody is about to use it.
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'react', test: /\/node_modules\/(react|react-dom|react-router|scheduler)\// },
                { name: 'shared', test: sharedByScreens, tags: ['$initial'], minShareCount: 3 },
              ],
            },
          },
        },
      },
    },
  },
})

/** Bundles the metadata of the calls as data, without the schemas that it is made from. */
function evaluatedCallMetadata(): Plugin {
  return {
    name: 'evaluated-call-metadata',
    load: {
      filter: { id: /\/web\/api\/call-metadata\.ts$/ },
      handler: () => `export const callMetadata = ${JSON.stringify(callMetadata)}`,
    },
  }
}
