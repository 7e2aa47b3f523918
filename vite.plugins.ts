import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'vite'
import { callMetadata } from './web/api/call-metadata.ts'
import { commandKeys } from './web/commands/command-keys.ts'

// What the builds for browsers (vite.config.ts) and for the server (vite.pages.config.ts) share, because browsers continue what the
// server has rendered.

export const styleSingleton = {
  'react-style-singleton': fileURLToPath(new URL('./web/ui/styles/style-singleton.ts', import.meta.url)),
}

/** Bundles the metadata of the calls and the keys of the commands as data, without what they are made from. */
export function evaluatedTables(): Plugin {
  const tables = { callMetadata, commandKeys }
  const names = new Map<string, keyof typeof tables>([
    ['call-metadata', 'callMetadata'],
    ['command-keys', 'commandKeys'],
  ])
  return {
    name: 'evaluated-tables',
    load: {
      filter: { id: /\/web\/(api\/call-metadata|commands\/command-keys)\.ts$/ },
      handler(id) {
        const name = names.get(path.basename(id, '.ts'))
        return name && `export const ${name} = ${JSON.stringify(tables[name])}`
      },
    },
  }
}

/** Creates icons by `lucide-icon.ts`, without what the original reads from props and a context. */
export function leanIcons(): Plugin {
  const replacement = fileURLToPath(new URL('./web/ui/layout/lucide-icon.ts', import.meta.url))
  return {
    name: 'lean-icons',
    enforce: 'pre',
    apply: 'build',
    resolveId: {
      filter: { id: /^\.\.\/createLucideIcon\.mjs$/ },
      handler: () => replacement,
    },
  }
}

/** Bundles a module that is imported with `?script` into the text of an inline script. */
export function inlineScripts(): Plugin {
  return {
    name: 'inline-scripts',
    load: {
      filter: { id: /\?script$/ },
      async handler(id) {
        const [input = ''] = id.split('?')
        const built = await build({
          configFile: false,
          logLevel: 'warn',
          publicDir: false,
          build: {
            write: false,
            // As in vite.config.ts.
            target: 'baseline-widely-available',
            modulePreload: false,
            rolldownOptions: { input, output: { format: 'iife' } },
          },
        })
        if (!('output' in built)) throw new Error(`${input} is not one script`)
        const [{ code, moduleIds }] = built.output
        for (const file of moduleIds) this.addWatchFile(file)
        return `export default ${JSON.stringify(code.trim())}`
      },
    },
  }
}
