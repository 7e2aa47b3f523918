import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { reactRouter } from '@react-router/dev/vite'
import tailwindcss from '@tailwindcss/vite'
import { defineConfig, type Plugin } from 'vite'
import { callMetadata, laterCallMetadata } from './web/api/call-metadata.ts'
import { commandKeys } from './web/commands/command-keys.ts'
import { assets } from './web/pages/assets.ts'

/** What the scripts of public pages share with the app, whose files visitors do not load. */
const islands =
  /\/web\/(ui\/controls\/(copy|tips)|ui\/layout\/date-formatter|markdown\/(play-video|pictures\/pictures)|world\/story\/remember-places)\.ts|\/contract\/date-formats\.ts|vite\/preload-helper|rolldown:runtime/

/** Packages that every page loads. They change less often than the app, so browsers can reuse them after an update. */
const vendor =
  /\/node_modules\/(react|react-dom|react-router|scheduler|@tanstack(?!.*\/(mutationObserver|useMutation|infiniteQueryObserver|useInfiniteQuery)\.js)|clsx)\//

/**
 * The entry point of the app, and the modules that public pages share with the first signed-in screen. Visitors load
 * no other module of that screen.
 */
const app = new RegExp(
  [
    /\/web\/(root|collaborators\/roles)\.tsx/,
    /\/web\/ui\/(feedback\/(banner|progress-bar)|layout\/(badge|cover|time|timeline|use-hydrated)|controls\/(copy-button|text-input))\.tsx?/,
    /\/web\/api\/(failure-toast|ids|query-client|retries)\.ts/,
    /\/web\/shell\/steady-presses\.ts/,
    /\/contract\/(characters|folding)\.ts/,
    /\/lucide-react\/dist\/esm\/icons\/(circle-x|eye|globe|pencil|search)\.mjs/,
  ]
    .map(({ source }) => source)
    .join('|'),
)

/** The first signed-in screen and the modules that start with it. The other signed-in screens use most of them, too. */
const signedIn =
  /\/web\/(shell\/guard|dashboard\/dashboard-screen|notifications\/notification-bell|collaborators\/invitation-dot|live\/live)\.tsx?/

/** Modules that several of the other screens use. */
const sharedByScreens =
  /\/node_modules\/(lucide-react|@tanstack)\/|\/web\/((api|ui|shell|projects)\/|identity\/[^/]+$)/

export default defineConfig({
  plugins: [tailwindcss(), reactRouter(), publicPages(), evaluatedTables(), leanIcons()],
  // Scans the imports of all screens when development starts. A dependency that Vite discovers later reloads the
  // page.
  optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!**/*.test.*', '!**/*.server.*'] },
  resolve: {
    alias: {
      'react-style-singleton': fileURLToPath(new URL('./web/ui/styles/style-singleton.ts', import.meta.url)),
    },
  },
  // The server bundle includes all packages that the screens use. A running server needs none of them installed, and
  // starts faster.
  ssr: { noExternal: true },
  build: {
    // Chrome 111, Firefox 114 and Safari 16.4. Vite lowers only syntax. `.oxlintrc.json` forbids the newer functions that we know of; packages are not checked.
    target: 'baseline-widely-available',
    modulePreload: { polyfill: false },
    // For vite.pages.config.ts.
    manifest: true,
    // The content security policy allows fonts and scripts only from this origin, not from `data:` URLs.
    assetsInlineLimit: 0,
  },
  // Lets the preview's worker load the libraries that few texts need as separate chunks.
  worker: { format: 'es' },
  environments: {
    // A screen loads a dozen scripts instead of sixty, which saves requests and compresses better. A group also
    // contains the dependencies of its modules, unless an earlier group contains them. The code of forms and Markdown
    // is in separate chunks, which are loaded when they are about to be used.
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                { name: 'islands', test: islands },
                { name: 'history', test: /\/web\/ui\/dialogs\/history-layers\.ts/ },
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

/** Adds the style sheets and scripts of the public pages. */
function publicPages(): Plugin {
  return {
    name: 'public-pages',
    apply: 'build',
    applyToEnvironment: ({ name }) => name === 'client',
    buildStart() {
      for (const id of Object.keys(assets))
        this.emitFile({
          type: 'chunk',
          id: fileURLToPath(new URL(id, import.meta.url)),
          preserveSignature: false,
        })
    },
  }
}

/** Bundles the metadata of the calls and the keys of the commands as data, without what they are made from. */
function evaluatedTables(): Plugin {
  const tables = { callMetadata, laterCallMetadata, commandKeys }
  const names = new Map<string, keyof typeof tables>([
    ['call-metadata', 'callMetadata'],
    ['later-call-metadata', 'laterCallMetadata'],
    ['command-keys', 'commandKeys'],
  ])
  return {
    name: 'evaluated-tables',
    load: {
      filter: { id: /\/web\/(api\/(later-)?call-metadata|commands\/command-keys)\.ts$/ },
      handler(id) {
        const name = names.get(path.basename(id, '.ts'))
        return name && `export const ${name} = ${JSON.stringify(tables[name])}`
      },
    },
  }
}

/** Bundles only the shapes of each icon, without its names and the keys of its lines. */
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
