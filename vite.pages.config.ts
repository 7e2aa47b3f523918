import { cp, readFile, rm } from 'node:fs/promises'
import { defineConfig, type Plugin } from 'vite'
import { assets } from './web/pages/assets.ts'

const CLIENT = new URL('./build/client/', import.meta.url)
const OUT = new URL('./build/pages/', import.meta.url)

/** Builds the renderer of the public pages for the server, after the client (vite.config.ts), whose files they refer to. */
export default defineConfig({
  plugins: [builtAssets(), filesForBrowsers()],
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
    rolldownOptions: { output: { entryFileNames: 'pages.js' } },
  },
})

type Manifest = { [source: string]: { file: string } | undefined }

/** Replaces the URLs of sources by those of the files that are built from them. */
function builtAssets(): Plugin {
  return {
    name: 'built-assets',
    load: {
      filter: { id: /\/web\/pages\/assets\.ts$/ },
      async handler() {
        const manifest = JSON.parse(
          await readFile(new URL('.vite/manifest.json', CLIENT), 'utf8'),
        ) as Manifest
        const built = Object.keys(assets).map((source) => {
          const { file } = manifest[source] ?? {}
          if (file === undefined) throw new Error(`${source} was not built`)
          return [source, `/${file}`] as const
        })
        return `export const assets = ${JSON.stringify(Object.fromEntries(built))}`
      },
    },
  }
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
