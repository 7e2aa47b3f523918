import { cp, readFile, rm } from 'node:fs/promises'
import { defineConfig, type Plugin } from 'vite'
import { evaluatedTables, inlineScripts, leanIcons, styleSingleton } from './vite.plugins.ts'
import { assets, screenFiles as sources } from './web/boot/assets.ts'
import type { ScreenFiles } from './web/boot/page-data.ts'

const CLIENT = new URL('./build/client/', import.meta.url)
const OUT = new URL('./build/pages/', import.meta.url)

/** Builds the renderer of the pages for the server, after the client (vite.config.ts), whose files they refer to. */
export default defineConfig({
  plugins: [builtAssets(), filesForBrowsers(), evaluatedTables(), leanIcons(), inlineScripts()],
  resolve: { alias: styleSingleton },
  publicDir: false,
  ssr: { noExternal: true },
  // React chooses its build by this when the server runs.
  define: { 'process.env.NODE_ENV': '"production"' },
  build: {
    ssr: 'web/pages/render.tsx',
    outDir: 'build/pages',
    ssrEmitAssets: true,
    assetsInlineLimit: 0,
    target: 'node24',
    // It takes 2 MB less of the server's memory.
    minify: true,
    rolldownOptions: { output: { entryFileNames: 'pages.js' } },
  },
})

type Manifest = {
  [source: string]: { file: string; imports?: string[]; css?: string[]; isDynamicEntry?: boolean } | undefined
}

const APP = 'web/boot/client.tsx'
/** Screens and their layouts, as in web/boot/screens.ts. */
const SCREEN = /^web\/(.*(?:-screen|guard|signed-out-only)\.tsx)$/

/** Replaces the URLs of sources by those of the files that are built from them. */
function builtAssets(): Plugin {
  return {
    name: 'built-assets',
    load: {
      filter: { id: /\/web\/boot\/assets\.ts$/ },
      async handler() {
        const text = await readFile(new URL('.vite/manifest.json', CLIENT), 'utf8')
        const manifest = JSON.parse(text) as Manifest
        const built = Object.keys(assets).map((source) => [source, urlOf(manifest, source)] as const)
        return `export const assets = ${JSON.stringify(Object.fromEntries(built))}
export const screenFiles = ${JSON.stringify(screenFilesOf(manifest))}
export const appFiles = ${JSON.stringify(filesOf(manifest, APP))}`
      },
    },
  }
}

function urlOf(manifest: Manifest, source: string): string {
  const { file: script, css = [] } = manifest[source] ?? {}
  const file = source.endsWith('.css') ? (css[0] ?? script) : script
  if (file === undefined) throw new Error(`${source} was not built`)
  return `/${file}`
}

function screenFilesOf(manifest: Manifest): ScreenFiles {
  const always = new Set(filesOf(manifest, APP))
  const others: string[] = []
  const screens: Record<string, number[]> = {}
  for (const [source, chunk] of Object.entries(manifest)) {
    const [, screen] = SCREEN.exec(source) ?? []
    if (screen === undefined || !chunk?.isDynamicEntry) continue
    const files = filesOf(manifest, source).filter((file) => !always.has(file))
    others.push(...files.filter((file) => !others.includes(file)))
    screens[screen] = files.map((file) => others.indexOf(file))
  }
  return { styles: urlOf(manifest, sources.styles.slice(1)), client: urlOf(manifest, APP), others, screens }
}

/** The URLs of a chunk, its style sheets and all that it imports. */
function filesOf(manifest: Manifest, source: string, seen = new Set<string>()): string[] {
  const chunk = manifest[source]
  if (!chunk || seen.has(source)) return []
  seen.add(source)
  const own = [chunk.file, ...(chunk.css ?? [])].map((file) => `/${file}`)
  return [...new Set([...own, ...(chunk.imports ?? []).flatMap((name) => filesOf(manifest, name, seen))])]
}

/** Moves the pictures of components to the client's files, and removes the manifest, which browsers need not see. */
function filesForBrowsers(): Plugin {
  return {
    name: 'files-for-browsers',
    async closeBundle() {
      const assets = new URL('assets/', OUT)
      await cp(assets, new URL('assets/', CLIENT), {
        recursive: true,
        filter: (file) => !file.endsWith('.css') && !file.endsWith('.js'),
      })
      await rm(new URL('.vite/', CLIENT), { recursive: true, force: true })
    },
  }
}
