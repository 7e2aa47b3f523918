import path from 'node:path'
import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { evaluatedTables, inlineScripts, leanIcons, styleSingleton } from './vite.plugins.ts'
import { assets, screenFiles } from './web/boot/assets.ts'
import { neutralName } from './web/boot/file-names.ts'

/** What the scripts of public pages share with the app, whose files visitors do not load. */
const islands =
  /\/web\/(ui\/controls\/(copy|tips)|ui\/layout\/date-formatter|markdown\/(play-video|pictures\/pictures)|public\/story\/remember-places)\.ts|\/contract\/parts\/date-formats\.ts|vite\/preload-helper|rolldown:runtime/

/** Packages that every page loads. They change less often than the app, so browsers can reuse them after an update. */
const vendor =
  /\/node_modules\/(react|react-dom|react-router|scheduler|@tanstack(?!.*\/(mutationObserver|useMutation|infiniteQueryObserver|useInfiniteQuery)\.js)|clsx)\//

/**
 * The app, without what starts it: its navigation bar on public pages needs most of it. Also what the screens for signing in share
 * with the first signed-in screen, of which they load nothing else.
 */
const app =
  /\/web\/(boot\/app\.tsx|ui\/(feedback\/banner|layout\/use-hydrated|controls\/text-input)\.tsx?|api\/(failure-toast|ids)\.ts)|\/contract\/parts\/(characters|folding)\.ts|\/lucide-react\/dist\/esm\/icons\/(circle-x|eye|globe|search)\.mjs/

/** The first signed-in screen and the modules that start with it. The other signed-in screens use most of them, too. */
const signedIn =
  /\/web\/(shell\/guard|dashboard\/dashboard-screen|notifications\/notification-bell|collaborators\/invitation-dot|live\/live)\.tsx?/

/** The scripts of screens and their layouts. */
const SCREEN = /\/(?:[a-z-]+-screen|guard|signed-out-only)-[\w-]+\.js$/

/** Modules that several of the other screens use. */
const sharedByScreens =
  /\/node_modules\/(lucide-react|@tanstack)\/|\/web\/((api|ui|shell|projects)\/|identity\/[^/]+$)|\/contract\/parts\/sizes\.ts/

export default defineConfig({
  plugins: [tailwindcss(), react(), publicPages(), evaluatedTables(), leanIcons(), inlineScripts()],
  // Scans the imports of all screens when development starts. A dependency that Vite discovers later reloads the
  // page.
  optimizeDeps: { entries: ['web/**/*.{ts,tsx}', '!**/*.test.*', '!**/*.server.*'] },
  resolve: { alias: styleSingleton },
  build: {
    // Chrome 111, Firefox 114 and Safari 16.4. Vite lowers only syntax. `oxlint.config.ts` forbids the newer functions that we know of; packages are not checked.
    target: 'baseline-widely-available',
    modulePreload: {
      polyfill: false,
      // The app knows the scripts of its screens (web/boot/screen-code.ts), and fetches them before it imports one.
      resolveDependencies: (file, needed) =>
        SCREEN.test(file) ? needed.filter((name) => name.endsWith('.css')) : needed,
    },
    // For vite.pages.config.ts.
    manifest: true,
    // The content security policy allows fonts and scripts only from this origin, not from `data:` URLs.
    assetsInlineLimit: 0,
    outDir: 'build/client',
    rolldownOptions: {
      input: 'web/boot/client.tsx',
      output: {
        entryFileNames: ({ name }) => `assets/${neutralName(name)}-[hash].js`,
        chunkFileNames: ({ name }) => `assets/${neutralName(name)}-[hash].js`,
        assetFileNames: ({ names }) =>
          `assets/${neutralName(path.parse(names[0] ?? '').name)}-[hash][extname]`,
        // A screen loads a dozen scripts instead of sixty, which saves requests and compresses better. A group also
        // contains the dependencies of its modules, unless an earlier group contains them. The code of forms and Markdown
        // is in separate chunks, which are loaded when they are about to be used.
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
  // Lets the preview's worker load the libraries that few texts need as separate chunks.
  worker: { format: 'es' },
})

/** Adds the style sheets and scripts of the public pages. */
function publicPages(): Plugin {
  return {
    name: 'public-pages',
    apply: 'build',
    buildStart() {
      for (const id of [...Object.keys(assets), `.${screenFiles.styles}`])
        this.emitFile({
          type: 'chunk',
          id: fileURLToPath(new URL(id, import.meta.url)),
          preserveSignature: false,
        })
    },
  }
}
