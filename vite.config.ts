import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { callMetadata, laterCallMetadata } from './web/api/call-metadata.ts'

/** Packages that every page takes. They change less often than the app, so that browsers keep them over an update. */
const vendor =
  /\/node_modules\/(react|react-dom|react-router|scheduler|@tanstack(?!.*\/(mutationObserver|useMutation|infiniteQueryObserver|useInfiniteQuery)\.js)|clsx)\//

/** The start of the app, and what both public pages and a first signed-in screen show: visitors load nothing else of that. */
const app = new RegExp(
  [
    /\/web\/(root|entry\.client|collaborators\/roles)\.tsx/,
    /\/web\/ui\/(feedback\/(banner|progress-bar)|layout\/(badge|cover|time|use-hydrated)|controls\/text-input)\.tsx?/,
    /\/web\/api\/(failure-toast|temporary-id)\.ts/,
    /\/lucide-react\/dist\/esm\/icons\/(circle-x|eye|globe|pencil|search)\.mjs/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** What a first signed-in screen shows and what starts with it, most of which the other signed-in screens take as well. */
const signedIn =
  /\/web\/(shell\/guard|dashboard\/dashboard-screen|notifications\/notification-bell|collaborators\/invitation-dot|live\/live)\.tsx?/

/** What several of the other screens take. */
const sharedByScreens =
  /\/node_modules\/(lucide-react|@tanstack)\/|\/web\/((api|ui|shell|projects)\/|identity\/[^/]+$)/

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), evaluatedCallMetadata(), leanIcons()],
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
    // Chrome 111, Firefox 114 and Safari 16.4. Vite lowers the syntax only. .oxlintrc.json refuses the newer functions known to us; packages are not checked.
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    // The content security policy lets fonts and scripts come from this origin only, never from data: addresses.
    assetsInlineLimit: 0,
  },
  // The preview's worker loads what few texts need apart from itself.
  worker: { format: 'es' },
  environments: {
    // A screen's scripts are a dozen instead of sixty: fewer requests, and what lies together packs better. A group holds
    // what its modules import, unless an earlier group has it. What forms and Markdown take stays apart, for the moment when
    // somebody is about to use it.
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'vendor', test: vendor },
                { name: 'app', test: app },
                { name: 'signed-in', test: signedIn },
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
      filter: { id: /\/web\/api\/(later-)?call-metadata\.ts$/ },
      handler: (id) =>
        id.includes('later-')
          ? `export const laterCallMetadata = ${JSON.stringify(laterCallMetadata)}`
          : `export const callMetadata = ${JSON.stringify(callMetadata)}`,
    },
  }
}

/** Bundles of each icon what is drawn: not its names, nor the keys of its lines. */
function leanIcons(): Plugin {
  const replacement = fileURLToPath(new URL('./web/ui/layout/lucide-icon.ts', import.meta.url))
  return {
    name: 'lean-icons',
    enforce: 'pre',
    apply: 'build',
    resolveId: {
      filter: { id: /^\.\.\/createLucideIcon\.mjs$/ },
      handler: () => replacement,
    },
    transform: {
      filter: { id: /\/lucide-react\/dist\/esm\/icons\/[^/]+\.mjs$/ },
      handler: (code) => code.replaceAll(/, key: "[^"]*"|^ {2}(name|size|aliases): .*$/gm, ''),
    },
  }
}
